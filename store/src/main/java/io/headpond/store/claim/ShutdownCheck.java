// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.config.TierConfig;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.layout.ShutdownCounts;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The check of segments in persistent memory that lost something when its power went. Each module
 * counts such shutdowns, and a log directory remembers the counts of its tiers' modules. Where one
 * has changed, nothing that was durable there can be trusted: every record is compared with its
 * checksum before the engine sees the segments.
 *
 * <p>Design note: the counts are remembered by each log directory and not by the tier, because each
 * is claimed by itself, and only its own segments were verified then. One thread at a time.
 */
final class ShutdownCheck {
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int NAMES_SHOWN_MAX = 5;
  private static final int BUFFER_BYTES = 1 << 16;

  private final SegmentProof proof;
  private final TimeSource time;

  /**
   * Looks at nothing yet.
   *
   * @param proof null: nobody can tell; the shutdown is said, and nothing verified
   */
  ShutdownCheck(final SegmentProof proof, final TimeSource time) {
    this.proof = proof;
    this.time = time;
  }

  /**
   * Verifies what must be, and notes the present counts in the identity.
   *
   * @param identity the log directory's; not written here
   * @param segments all of the log directory, partition by partition, in the order of their names
   * @return true if the identity has changed
   * @throws StoreRefusedException if a segment isn't whole, and the engine wouldn't cut it by
   *     itself
   */
  boolean check(
      final Path logDir,
      final HomeIdentity identity,
      final List<TierDirectory> directories,
      final List<LogDirScan.Entry> segments)
      throws IOException {
    boolean changed = false;
    for (final TierDirectory directory : directories) {
      final ShutdownCounts now = ShutdownCounts.of(directory.device);
      final String grown = now.changesSince(identity.shutdowns(directory.ref.id()));
      if (!grown.isEmpty()) {
        verify(logDir, directory, grown, segments);
      }
      changed |= identity.noteShutdowns(directory.ref.id(), now);
    }
    return changed;
  }

  private void verify(
      final Path logDir,
      final TierDirectory directory,
      final String grown,
      final List<LogDirScan.Entry> segments)
      throws IOException {
    final Map<String, List<LogDirScan.Entry>> logs = new LinkedHashMap<>();
    segments.stream()
        .filter(ShutdownCheck::isData)
        .forEach(each -> logs.computeIfAbsent(each.partition(), p -> new ArrayList<>()).add(each));
    final List<LogDirScan.Entry> there = dataIn(directory.ref.path(), segments);
    words(directory.tier, directory.ref.path(), grown, there, logDir).log();
    if (proof == null) {
      return;
    }
    final Progress progress = new Progress(logDir, there.size(), bytes(there));
    final boolean recovers = proof.recovers(logDir);
    final List<String> torn = new ArrayList<>();
    for (final LogDirScan.Entry segment : there) {
      final long whole = proof.wholeBytes(segment.name(), Long.MAX_VALUE);
      if (whole < segment.bytes()) {
        if (recovers && endsLog(segment, logs.get(segment.partition()))) {
          sayCut(segment, whole);
        } else {
          torn.add(segment.name() + " -> " + segment.target() + " from byte " + whole + " on");
        }
      }
      progress.verified(segment.bytes());
    }
    if (!torn.isEmpty()) {
      final String shown = PlainText.first(NAMES_SHOWN_MAX, torn);
      final String tier = directory.tier.name();
      throw StartCodes.SEGMENTS_TORN.refusal(logDir, tier, shown, "FILE", tier, logDir);
    }
  }

  /**
   * What is said before segments are verified.
   *
   * @param grown the counts that have changed
   * @param there what {@link #dataIn} gives
   */
  static EventCode.Words words(
      final TierConfig tier,
      final Path path,
      final String grown,
      final List<LogDirScan.Entry> there,
      final Path logDir) {
    return StartCodes.UNCLEAN_SHUTDOWN.words(
        tier.name(), path, grown, there.size(), bytes(there), logDir);
  }

  /** The segments that lie in a tier directory. */
  static List<LogDirScan.Entry> dataIn(final Path tier, final List<LogDirScan.Entry> segments) {
    return segments.stream()
        .filter(each -> isData(each) && each.linked() && each.target().startsWith(tier))
        .toList();
  }

  private static long bytes(final List<LogDirScan.Entry> segments) {
    return segments.stream().mapToLong(LogDirScan.Entry::bytes).sum();
  }

  /** True if it may hold records of a log: not what the engine deletes or had not finished. */
  private static boolean isData(final LogDirScan.Entry segment) {
    final String fileName = segment.name().getFileName().toString();
    return !segment.dangling() && !SegmentName.mayDangle(segment.partition(), fileName);
  }

  /** True if no record stands in a later segment of the log. */
  private boolean endsLog(final LogDirScan.Entry segment, final List<LogDirScan.Entry> log)
      throws IOException {
    for (final LogDirScan.Entry later : log.subList(log.indexOf(segment) + 1, log.size())) {
      if (proof.wholeBytes(later.name(), Long.MAX_VALUE) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Zeros at a log's end are space that was grown ahead; anything else was a record once. */
  private static void sayCut(final LogDirScan.Entry segment, final long whole) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    try (FileChannel channel = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
      long position = whole;
      while (channel.read(buffer.clear(), position) > 0) {
        position += buffer.flip().remaining();
        while (buffer.hasRemaining()) {
          if (buffer.get() != 0) {
            StartCodes.SEGMENT_CUT.log(segment.name(), whole, segment.bytes());
            return;
          }
        }
      }
    }
  }

  /** Says in the engine's log how far it is. */
  private final class Progress {
    private final Path logDir;
    private final int segments;
    private final long bytes;
    private int segmentsDone;
    private long bytesDone;
    private long saidNanos = time.nanos();

    Progress(final Path logDir, final int segments, final long bytes) {
      this.logDir = logDir;
      this.segments = segments;
      this.bytes = bytes;
    }

    void verified(final long segmentBytes) {
      segmentsDone++;
      bytesDone += segmentBytes;
      if (time.nanos() - saidNanos >= PROGRESS_NANOS || segmentsDone == segments) {
        saidNanos = time.nanos();
        Events.LOG.info(
            "{}: {} of {} segments verified, {} of {} B",
            logDir,
            segmentsDone,
            segments,
            bytesDone,
            bytes);
      }
    }
  }
}
