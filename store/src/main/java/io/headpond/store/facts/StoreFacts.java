// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import io.headpond.pmem.Durability;
import io.headpond.store.event.Incident;
import io.headpond.store.migrate.Pace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A snapshot of what the owner of the tiers knows about itself. Metrics and the live file are made
 * from it. Counts begin at the claim. Immutable but for the histogram's array, which is nobody
 * else's.
 *
 * @param atMs when, milliseconds since 1970
 * @param startedMs when the tiers were claimed
 * @param tiers fastest first, without home
 * @param homes the log directories that were taken over
 * @param refusedHomes those that are left out until the next start
 * @param home what lies and happens in all log directories together
 * @param appends what was appended
 * @param moves what migrates and migrated
 * @param recovery what the claim found
 * @param background how the threads fare that work beside the engine's
 * @param counts each of them
 * @param incidents how many of each kind
 * @param topics by name, the others last; none unless {@code headpond.metrics.topics} asks for them
 */
public record StoreFacts(
    long atMs,
    long startedMs,
    List<Tier> tiers,
    List<Home> homes,
    List<Path> refusedHomes,
    Contents home,
    Appends appends,
    Moves moves,
    Recovery recovery,
    Background background,
    Map<Count, Long> counts,
    Map<Incident, Long> incidents,
    List<Topic> topics) {

  /** The value of a count. */
  public long count(final Count count) {
    return counts.get(count);
  }

  /** All bytes appended, whatever protects them. */
  public long appendedBytes() {
    return Count.appendedBytes(counts);
  }

  /**
   * The content of a tier or of home, and its appends and reads.
   *
   * @param sealedSegments that are not appended to any more
   * @param activeSegments that are
   * @param appendedBytes since the claim
   * @param readBytes by the engine, since the claim
   */
  public record Contents(
      long sealedSegments, long activeSegments, long appendedBytes, long readBytes) {}

  /**
   * A tier: all its directories together.
   *
   * @param backEnd the way in which appends become durable
   * @param durability of its weakest directory
   * @param usedBytes of all files, prepared ones too
   * @param segmentBytes of its segments
   * @param heldBytes of dropped files that the device still keeps
   * @param capacityBytes what Headpond may use
   * @param threshold the used share that migration steers to; negative: it leaves the tier alone
   * @param thresholdBytes the same in bytes; negative: none
   * @param failedDirectories of which nothing more is expected
   * @param draining nothing new is put there, and all its segments leave
   * @param waits why segments are still there that have to leave it, or one of its directories;
   *     empty: they are on their way, or none has to
   * @param lastDescentMs when the last segment had left it for want of room, milliseconds since
   *     1970; 0: none has since the claim
   */
  public record Tier(
      String name,
      String backEnd,
      Durability durability,
      List<Path> paths,
      long usedBytes,
      long segmentBytes,
      long heldBytes,
      long capacityBytes,
      double threshold,
      long thresholdBytes,
      int failedDirectories,
      boolean draining,
      String waits,
      long lastDescentMs,
      Contents contents) {}

  /**
   * A log directory's own disk, as it was looked at last.
   *
   * @param freeBytes of its file system
   * @param reserveBytes what is left to the engine
   * @param reserveTouched is no more than that free?
   * @param ballastBytes what can be given back to the engine's own files when it is full
   * @param ballastWantedBytes what that is when nothing was given back
   */
  public record Home(
      UUID id,
      Path path,
      long freeBytes,
      long reserveBytes,
      boolean reserveTouched,
      long ballastBytes,
      long ballastWantedBytes) {}

  /**
   * The times of appends.
   *
   * @param sampledNanos how long one in {@link #SAMPLE} took, by bucket of {@link LatencyHistogram}
   * @param sampledAllNanos the sum of those times
   * @param evacuationStallMsMax how long an append waited at most for its segment's evacuation
   */
  public record Appends(long[] sampledNanos, long sampledAllNanos, long evacuationStallMsMax) {
    /** One append of so many is timed. */
    public static final int SAMPLE = Pace.SAMPLE;
  }

  /**
   * Migration's state.
   *
   * @param yielding slower than it was told to be, for the engine's sake
   * @param blocked why a tier that is above its threshold isn't relieved; empty if none is
   * @param running the number of moves under way
   */
  public record Moves(boolean yielding, String blocked, int running) {}

  /**
   * The work of the claim.
   *
   * @param nanos how long it took
   * @param linksChecked names that lead into a tier
   * @param orphans files that no name leads to, put into quarantine
   * @param unfinishedMoves copies that a crash left, removed
   */
  public record Recovery(long nanos, long linksChecked, long orphans, long unfinishedMoves) {}

  /**
   * The threads that work beside the engine's.
   *
   * @param failures turns of theirs that ended with an error, and were or will be tried again
   * @param deadThreads that have ended though their work isn't over
   */
  public record Background(long failures, long deadThreads) {}

  /**
   * A topic: all its partitions in this process together.
   *
   * @param name the topic's, or {@link #OTHERS}
   * @param overflowSegments created further down than where they belong
   * @param places the tiers, fastest first, then home
   */
  public record Topic(String name, long overflowSegments, List<TopicPlace> places) {
    /** All topics together that have no counts of their own; no topic can have this name. */
    public static final String OTHERS = "(other)";
  }

  /**
   * A topic's share of one place, and its appends and reads there.
   *
   * @param tier the tier's name, or {@code home}
   * @param bytes of its segments, with what active ones are grown ahead
   * @param appendedBytes since the topic is counted
   * @param readBytes by the engine, since the topic is counted
   */
  public record TopicPlace(
      String tier, long segments, long bytes, long appendedBytes, long readBytes) {}
}
