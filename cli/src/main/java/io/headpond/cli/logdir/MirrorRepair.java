// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * A segment that was lost with its tier, and goes on with its mirror at home, up to the first batch
 * that isn't whole there.
 *
 * @param name the segment's name, whose link leads nowhere
 * @param mirror the file that takes the name
 * @param bytes of whole batches in it
 * @param cut is there something behind them?
 * @param end one more than the last offset in them; the segment's first one if there are none
 */
record MirrorRepair(Path name, Path mirror, long bytes, boolean cut, long end) {
  private static final List<String> INDEXES = List.of(".index", ".timeindex", ".txnindex");
  private static final int DIGITS = 20;

  /**
   * Looks at the mirror of a segment. Changes nothing.
   *
   * @return empty: it has none, or none that could take its name
   */
  static Optional<MirrorRepair> of(Path logDir, Path name) throws IOException {
    Path target = NameLook.target(name);
    String key = target == null ? null : MirrorName.ofTierFile(target);
    // A directory behind a link may be on another file system, where a rename isn't one.
    if (key == null || NameLook.isLink(name.getParent())) {
      return Optional.empty();
    }
    for (Path mirror : List.of(MirrorName.whole(logDir, key), MirrorName.lagging(logDir, key))) {
      if (NameLook.exists(mirror)) {
        return Optional.of(checked(name, mirror));
      }
    }
    return Optional.empty();
  }

  private static MirrorRepair checked(Path name, Path mirror) throws IOException {
    long end = SegmentName.baseOffset(name.getFileName().toString());
    long bytes = 0;
    try (SegmentBatches records = new SegmentBatches(mirror)) {
      for (RecordBatch batch : records.all()) {
        batch.ensureValid();
        if (batch.baseOffset() < end) {
          break;
        }
        bytes += batch.sizeInBytes();
        end = batch.nextOffset();
      }
    } catch (KafkaException | IllegalArgumentException notWhole) {
      SegmentCheck.refuseUnread(mirror, notWhole);
      return new MirrorRepair(name, mirror, bytes, true, end);
    }
    return new MirrorRepair(name, mirror, bytes, bytes < Files.size(mirror), end);
  }

  /**
   * True if nothing of the segment is missing.
   *
   * @param next the first offset of the segment after it
   */
  boolean whole(long next) {
    return !cut && (MirrorName.isWhole(mirror) || end == next);
  }

  /** Makes it the segment, durably but for the name's directory. */
  void make(LogDirChanges changes) throws IOException {
    changes.make(
        () -> {
          try (FileChannel channel = FileChannel.open(mirror, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
            channel.force(true);
          }
        });
    for (Path index : indexes(name)) {
      changes.delete(index); // it may say more; Kafka makes it anew
    }
    changes.rename(mirror, name);
  }

  /** A segment's indexes, which needn't be there. */
  static List<Path> indexes(Path name) {
    String offset = name.getFileName().toString().substring(0, DIGITS);
    return INDEXES.stream().map(index -> name.resolveSibling(offset + index)).toList();
  }
}
