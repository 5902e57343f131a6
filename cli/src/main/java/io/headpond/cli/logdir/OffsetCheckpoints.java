// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The offsets that Kafka keeps of each partition of a log directory: recovery points, high
 * watermarks, log starts, and how far the cleaner came.
 *
 * <p>None may be above the end of its log. Kafka lowers most of them itself when it loads the log,
 * but of a log whose start lies above its end it deletes everything.
 */
final class OffsetCheckpoints {
  private static final String LOG_STARTS = "log-start-offset-checkpoint";
  private static final String HIGH_WATERMARKS = "replication-offset-checkpoint";
  private static final List<String> OTHERS =
      List.of("recovery-point-offset-checkpoint", "cleaner-offset-checkpoint");

  /** Topic, partition, offset. */
  private static final int WORDS = 3;

  private final Path logDir;
  private final CheckpointFile logStarts;
  private final CheckpointFile highWatermarks;
  private final List<CheckpointFile> files = new ArrayList<>();

  private OffsetCheckpoints(Path logDir, Reader reader) throws IOException {
    this.logDir = logDir;
    logStarts = reader.read(logDir.resolve(LOG_STARTS), WORDS);
    highWatermarks = reader.read(logDir.resolve(HIGH_WATERMARKS), WORDS);
    for (String name : OTHERS) {
      files.add(reader.read(logDir.resolve(name), WORDS));
    }
    files.add(highWatermarks);
    files.add(logStarts);
  }

  private interface Reader {
    CheckpointFile read(Path path, int words) throws IOException;
  }

  static OffsetCheckpoints read(Path logDir) throws IOException {
    return new OffsetCheckpoints(logDir, CheckpointFile::read);
  }

  /** Those of files that aren't damaged: Kafka passes over the others. */
  static OffsetCheckpoints readable(Path logDir) throws IOException {
    return new OffsetCheckpoints(logDir, CheckpointFile::readable);
  }

  /** The first offset of a partition that wasn't deleted; 0 if Kafka never wrote one. */
  long logStart(String partition) {
    return offset(logStarts, partition);
  }

  /** A partition's high watermark as it was written last; 0 if Kafka never wrote one. */
  long highWatermark(String partition) {
    return offset(highWatermarks, partition);
  }

  private static long offset(CheckpointFile file, String partition) {
    return file.entries().stream()
        .filter(entry -> partition(entry).equals(partition))
        .mapToLong(CheckpointFile::offset)
        .findFirst()
        .orElse(0);
  }

  private static String partition(List<String> entry) {
    return entry.get(0) + "-" + entry.get(1);
  }

  /**
   * Lowers the offsets of partitions to the ends of their logs.
   *
   * @param ends by partition; negative: the log is gone, and so are its entries
   */
  void lower(Map<String, Long> ends, LogDirChanges changes) throws IOException {
    for (CheckpointFile file : files) {
      List<List<String>> now = new ArrayList<>();
      for (List<String> entry : file.entries()) {
        long end = ends.getOrDefault(partition(entry), Long.MAX_VALUE);
        if (end >= 0) {
          long offset = Math.min(CheckpointFile.offset(entry), end);
          now.add(List.of(entry.get(0), entry.get(1), Long.toString(offset)));
        }
      }
      file.replace(now, changes);
    }
    changes.force(logDir);
  }
}
