// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.event.PlainText;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One log directory as {@code status} shows it; for JSON.
 *
 * @param path the directory
 * @param state whether a broker runs there, or how it was left
 * @param pid the broker, if it runs and can be seen
 * @param home the identifier; null if Headpond never wrote there
 * @param partitions partition directories
 * @param segments all segments
 * @param segmentBytes their physical length
 * @param active last segments of a partition: those that are, or will be, appended to
 * @param activeAtHome those of them that lie at home
 * @param atHome segments at home
 * @param atHomeBytes their physical length
 * @param inTiers segments by the name of their tier
 * @param unknownTarget links that lead into no tier of this log directory
 * @param dangling links whose file is missing
 * @param unreadable partitions that aren't counted, because a file of theirs can't be looked at
 * @param unreadableReason what the first of them met; null if there are none
 */
record LogDirUse(
    String path,
    String state,
    Long pid,
    String home,
    long partitions,
    long segments,
    long segmentBytes,
    long active,
    long activeAtHome,
    long atHome,
    long atHomeBytes,
    Map<String, Share> inTiers,
    long unknownTarget,
    long dangling,
    long unreadable,
    String unreadableReason) {

  /** Segments in one tier. */
  record Share(long segments, long bytes) {
    Share plus(long more) {
      return plus(new Share(1, more));
    }

    Share plus(Share more) {
      return new Share(segments + more.segments, bytes + more.bytes);
    }
  }

  /** True if every segment's file is where it must be. */
  boolean intact() {
    return unknownTarget == 0 && dangling == 0 && unreadable == 0;
  }

  static LogDirUse of(Path logDir, KnownTiers tiers) throws IOException {
    LogDirState state = LogDirState.of(logDir);
    Long pid = null;
    var holder = EngineLock.holder(logDir.resolve(EngineLock.ENGINE_FILE));
    if (holder.isPresent() && holder.get().pid().isPresent()) {
      pid = holder.get().pid().getAsLong();
    }
    Counting counting = new Counting(tiers);
    List<Path> partitions = LogDirScan.partitions(logDir);
    for (Path partition : partitions) {
      try {
        counting.partition(LogDirScan.segments(partition));
      } catch (IOException e) { // as where its tier's device fails; the others are to be seen
        counting.unreadable(e);
      }
    }
    return new LogDirUse(
        logDir.toString(),
        state.key(),
        pid,
        tiers.home().map(Object::toString).orElse(null),
        partitions.size(),
        counting.segments,
        counting.bytes,
        counting.active,
        counting.activeAtHome,
        counting.atHome,
        counting.atHomeBytes,
        counting.inTiers,
        counting.unknownTarget,
        counting.dangling,
        counting.unreadable,
        counting.unreadableReason);
  }

  private static final class Counting {
    private final KnownTiers tiers;
    private final Map<String, Share> inTiers = new TreeMap<>();
    private long segments;
    private long bytes;
    private long active;
    private long activeAtHome;
    private long atHome;
    private long atHomeBytes;
    private long unknownTarget;
    private long dangling;
    private long unreadable;
    private String unreadableReason;

    Counting(KnownTiers tiers) {
      this.tiers = tiers;
      for (TierRef tier : tiers.tiers()) {
        inTiers.put(tier.tier(), new Share(0, 0));
      }
    }

    void unreadable(IOException e) {
      unreadable++;
      if (unreadableReason == null) {
        unreadableReason = PlainText.reason(e);
      }
    }

    void partition(List<LogDirScan.Entry> entries) {
      LogDirScan.Entry last = null;
      for (LogDirScan.Entry entry : entries) {
        segment(entry);
        if (SegmentName.isPlain(entry.name().getFileName().toString())) {
          last = entry;
        }
      }
      if (last != null) {
        active++;
        activeAtHome += last.linked() ? 0 : 1;
      }
    }

    private void segment(LogDirScan.Entry entry) {
      long length = Math.max(0, entry.bytes());
      segments++;
      bytes += length;
      if (!entry.linked()) {
        atHome++;
        atHomeBytes += length;
        return;
      }
      dangling += entry.dangling() ? 1 : 0;
      tiers
          .tierOf(entry.target())
          .ifPresentOrElse(
              tier -> inTiers.compute(tier.tier(), (name, share) -> share.plus(length)),
              () -> unknownTarget++);
    }
  }
}
