// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.migrate.ForwardDecay;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.SegmentFacts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What migration knows of the segments: where each one lies and how hot it is, ordered by rank, so
 * that the coldest of a tier directory and the hottest below it are found in O(log n).
 *
 * <p>It is a memory of what the file system says, never an authority: a segment is looked at again
 * before it moves. Built by the scan at the claim, kept by {@link Namespace} and {@link
 * NameChanges}. Its monitor is taken under any other lock, and no other under it.
 */
final class Catalogue {
  /** Segments that are not sealed, or are being moved, are in no order. */
  private static final Comparator<Entry> BY_RANK =
      Comparator.<Entry>comparingDouble(entry -> entry.rank).thenComparingLong(entry -> entry.id);

  /** One segment of a log. All fields are guarded by the catalogue's monitor. */
  static final class Entry {
    private final long id;
    private Path partition;
    private final String fileName;

    /** Null at home. */
    private TierDirectory directory;

    private long bytes;
    private long lastAppendMs;

    /** The time of its newest record: 0 or less if nobody knows; empty if it wasn't looked up. */
    private OptionalLong newestMs = OptionalLong.empty();

    private double readBytesLog2 = Double.NEGATIVE_INFINITY;
    private double rank;
    private boolean active;
    private boolean moving;
    private long notBeforeNanos;
    private int failures;

    private Entry(final long id, final Path partition, final String fileName) {
      this.id = id;
      this.partition = partition;
      this.fileName = fileName;
    }
  }

  /** What is to be moved; immutable. */
  record Candidate(Entry entry, Path name, TierDirectory directory, long bytes, boolean active) {}

  private final MigrationPolicy policy;
  private final long halfLifeMs;

  /** Topics that stay home: of them only what lies in a tier is known, until it is home. */
  private final Set<String> homeOnly;

  /** Segments by file name, which is the order in which they come in a log. */
  private final Map<Path, NavigableMap<String, Entry>> partitions = new HashMap<>();

  /** By tier directory; the key null is home. */
  private final Map<TierDirectory, TreeSet<Entry>> sealed = new HashMap<>();

  private final Map<TierDirectory, TreeSet<Entry>> active = new HashMap<>();
  private long lastId;
  private long segments;
  private boolean policyFailed;

  /** Log directories of which nothing moves now. */
  private Set<Path> passedOver = Set.of();

  Catalogue(final MigrationPolicy policy, final long halfLifeMs) {
    this(policy, halfLifeMs, Set.of());
  }

  Catalogue(final MigrationPolicy policy, final long halfLifeMs, final Set<String> homeOnly) {
    this.policy = policy;
    this.halfLifeMs = halfLifeMs;
    this.homeOnly = homeOnly;
  }

  private boolean isHomeOnly(final Entry entry) {
    return isHomeOnly(entry.partition);
  }

  private boolean isHomeOnly(final Path partition) {
    return !homeOnly.isEmpty()
        && homeOnly.contains(SegmentName.topic(partition.getFileName().toString()));
  }

  /** From now on nothing of these log directories may move; of others it may again. */
  synchronized void passOver(final Set<Path> homes) {
    passedOver = homes;
  }

  private boolean mayMove(final Entry entry, final long nowNanos) {
    return (entry.failures == 0 || entry.notBeforeNanos - nowNanos <= 0) && !isPassedOver(entry);
  }

  private boolean isPassedOver(final Entry entry) {
    return !passedOver.isEmpty() && passedOver.contains(entry.partition.getParent());
  }

  /** How many segments are known. */
  synchronized long segments() {
    return segments;
  }

  /**
   * How many segments of a directory are sealed, or active; without those that are being moved.
   *
   * @param directory null is home
   */
  synchronized int segments(final TierDirectory directory, final boolean isActive) {
    final TreeSet<Entry> entries = (isActive ? active : sealed).get(directory);
    return entries == null ? 0 : entries.size();
  }

  /** A segment was created or found. */
  synchronized void add(
      final Path partition,
      final String fileName,
      final TierDirectory directory,
      final long bytes,
      final long lastAppendMs,
      final boolean isActive) {
    if (!SegmentName.isPlain(fileName) || isBeingDeleted(partition)) {
      return;
    }
    remove(partition, fileName);
    if (directory == null && isHomeOnly(partition)) {
      return;
    }
    final Entry entry = new Entry(++lastId, partition, fileName);
    entry.directory = directory;
    entry.bytes = bytes;
    entry.lastAppendMs = lastAppendMs;
    entry.active = isActive;
    partitions.computeIfAbsent(partition, path -> new TreeMap<>()).put(fileName, entry);
    segments++;
    order(entry);
  }

  /**
   * What the segments of a log became lately, bytes: the larger of the two before a name, wherever
   * they lie; 0 if there are none.
   */
  synchronized long bytesBefore(final Path partition, final String fileName) {
    final NavigableMap<String, Entry> inPartition = inOrder(partition);
    final Map.Entry<String, Entry> last = inPartition.lowerEntry(fileName);
    final Map.Entry<String, Entry> before =
        last == null ? null : inPartition.lowerEntry(last.getKey());
    return Math.max(
        last == null ? 0 : last.getValue().bytes, before == null ? 0 : before.getValue().bytes);
  }

  /** Every segment of a log but the last is sealed; other files of a log say nothing about it. */
  synchronized void sealAllBut(final Path partition, final String fileName) {
    if (!SegmentName.isPlain(fileName)) {
      return;
    }
    for (final Entry entry : inOrder(partition).values()) {
      if (!entry.fileName.equals(fileName) && entry.active) {
        unorder(entry);
        entry.active = false;
        order(entry);
      }
    }
  }

  /** A segment that was taken for sealed is appended to: what came after it was deleted. */
  synchronized void grows(final Path partition, final String fileName) {
    final Entry entry = find(partition, fileName);
    if (entry != null && !entry.active) {
      unorder(entry);
      entry.active = true;
      entry.newestMs = OptionalLong.empty();
      order(entry);
    }
  }

  /**
   * What a segment became.
   *
   * @param lastAppendMs milliseconds since 1970; negative: it wasn't appended to
   */
  synchronized void sized(
      final Path partition, final String fileName, final long bytes, final long lastAppendMs) {
    final Entry entry = find(partition, fileName);
    if (entry != null) {
      unorder(entry);
      entry.bytes = bytes;
      if (lastAppendMs >= 0) {
        entry.lastAppendMs = lastAppendMs;
        entry.newestMs = OptionalLong.empty();
      }
      order(entry);
    }
  }

  /** It lies elsewhere now. */
  synchronized void moved(
      final Path partition, final String fileName, final TierDirectory directory) {
    final Entry entry = find(partition, fileName);
    if (entry != null && directory == null && isHomeOnly(entry)) {
      remove(partition, fileName);
    } else if (entry != null) {
      unorder(entry);
      entry.directory = directory;
      entry.failures = 0;
      order(entry);
    }
  }

  /** Some of it was read. */
  synchronized void read(
      final Path partition, final String fileName, final long bytes, final long nowMs) {
    final Entry entry = find(partition, fileName);
    if (entry != null && bytes > 0) {
      unorder(entry);
      final double now = ForwardDecay.log2(bytes) + (double) nowMs / halfLifeMs;
      entry.readBytesLog2 = ForwardDecay.add(now, entry.readBytesLog2);
      order(entry);
    }
  }

  /** Its name is gone. */
  synchronized void remove(final Path partition, final String fileName) {
    final NavigableMap<String, Entry> inPartition = partitions.get(partition);
    final Entry entry = inPartition == null ? null : inPartition.remove(fileName);
    if (entry != null) {
      unorder(entry);
      entry.moving = true; // in no order any more, whatever comes
      segments--;
      if (inPartition.isEmpty()) {
        partitions.remove(partition);
      }
    }
  }

  /** A partition directory has another name; null: it is gone, or about to go. */
  synchronized void renamed(final Path from, final Path to) {
    final NavigableMap<String, Entry> moving = partitions.remove(from);
    if (moving == null) {
      return;
    }
    final Collection<Entry> entries = moving.values();
    entries.forEach(this::unorder);
    if (to == null || isBeingDeleted(to)) {
      entries.forEach(entry -> entry.moving = true);
      segments -= entries.size();
      return;
    }
    partitions.put(to, moving);
    for (final Entry entry : entries) {
      entry.partition = to;
      order(entry);
    }
  }

  /** The coldest segment of a tier directory that may move now; null if there is none. */
  synchronized Candidate coldest(final TierDirectory directory, final long nowNanos) {
    return coldest(directory, nowNanos, Long.MIN_VALUE);
  }

  /**
   * As {@link #coldest(TierDirectory, long)}, but for what will be deleted soon.
   *
   * @param spareBeforeMs what was last appended to before this will be deleted soon: it isn't worth
   *     a move
   */
  synchronized Candidate coldest(
      final TierDirectory directory, final long nowNanos, final long spareBeforeMs) {
    return first(sealed.get(directory), nowNanos, spareBeforeMs);
  }

  /** The coldest one that is still appended to. */
  synchronized Candidate coldestActive(final TierDirectory directory, final long nowNanos) {
    return first(active.get(directory), nowNanos, Long.MIN_VALUE);
  }

  private Candidate first(
      final TreeSet<Entry> entries, final long nowNanos, final long spareBeforeMs) {
    if (entries != null) {
      for (final Entry entry : entries) {
        if (entry.rank == MigrationPolicy.ALWAYS_UP) {
          return null;
        }
        if (mayMove(entry, nowNanos) && entry.lastAppendMs >= spareBeforeMs) {
          return candidate(entry);
        }
      }
    }
    return null;
  }

  /** What lies in a tier of a topic that stays home, sealed segments first; null: nothing. */
  synchronized Candidate homeward(final TierDirectory directory, final long nowNanos) {
    if (homeOnly.isEmpty()) {
      return null;
    }
    final Candidate first = homeward(sealed.get(directory), nowNanos);
    return first != null ? first : homeward(active.get(directory), nowNanos);
  }

  private Candidate homeward(final TreeSet<Entry> entries, final long nowNanos) {
    if (entries != null) {
      for (final Entry entry : entries) {
        if (entry.rank != MigrationPolicy.NEVER_UP) {
          return null;
        }
        if (isHomeOnly(entry) && mayMove(entry, nowNanos)) {
          return candidate(entry);
        }
      }
    }
    return null;
  }

  /** Any segment of a directory, pinned or not: active ones first, the hottest of them first. */
  synchronized Candidate any(final TierDirectory directory, final long nowNanos) {
    final Candidate growing = anyActive(directory, nowNanos, partition -> true);
    return growing != null ? growing : first(sealed, directory, nowNanos, partition -> true);
  }

  /**
   * The hottest segment of a directory, pinned or not, that is still appended to.
   *
   * @param of which partition directories
   */
  synchronized Candidate anyActive(
      final TierDirectory directory, final long nowNanos, final Predicate<Path> of) {
    return first(active, directory, nowNanos, of);
  }

  private Candidate first(
      final Map<TierDirectory, TreeSet<Entry>> order,
      final TierDirectory directory,
      final long nowNanos,
      final Predicate<Path> of) {
    final TreeSet<Entry> entries = order.get(directory);
    if (entries != null) {
      for (final Entry entry : entries.descendingSet()) {
        if (mayMove(entry, nowNanos) && of.test(entry.partition)) {
          return candidate(entry);
        }
      }
    }
    return null;
  }

  /**
   * The hottest sealed segment of some directories that may move up now.
   *
   * @param directories null in it is home
   * @param bytesMax what there is room for
   */
  synchronized Candidate hottest(
      final Collection<TierDirectory> directories, final long bytesMax, final long nowNanos) {
    Entry best = null;
    for (final TierDirectory directory : directories) {
      final TreeSet<Entry> entries = sealed.get(directory);
      if (entries == null) {
        continue;
      }
      int looked = 0;
      for (final Entry entry : entries.descendingSet()) {
        if (entry.rank == MigrationPolicy.NEVER_UP
            || best != null && entry.rank <= best.rank
            || !isPassedOver(entry) && ++looked > LOOKED_AT_MAX) {
          break;
        }
        if (entry.bytes <= bytesMax && mayMove(entry, nowNanos)) {
          best = entry;
          break;
        }
      }
    }
    return best == null ? null : candidate(best);
  }

  /** What is too large or failed lately is passed over; not for ever. */
  private static final int LOOKED_AT_MAX = 64;

  private static Candidate candidate(final Entry entry) {
    return new Candidate(
        entry, entry.partition.resolve(entry.fileName), entry.directory, entry.bytes, entry.active);
  }

  /** How the age of a segment's data compares with when the segment was appended to. */
  enum Age {
    /** They are as new, as far as anybody knows. */
    AS_APPENDED,
    /** They are old: from now on the segment counts as appended at their time. */
    OLDER,
    /** It has to be looked up first: {@link #dated}. */
    UNKNOWN
  }

  /** Tells, and applies, the age of a sealed segment's data. */
  synchronized Age age(final Candidate candidate, final DataAge ages) {
    final Entry entry = candidate.entry();
    if (!ages.matters(entry.lastAppendMs)) {
      return Age.AS_APPENDED;
    }
    if (entry.newestMs.isEmpty()) {
      return Age.UNKNOWN;
    }
    final long newestMs = entry.newestMs.getAsLong();
    if (newestMs <= 0 || !ages.isOld(newestMs)) {
      return Age.AS_APPENDED;
    }
    unorder(entry);
    entry.lastAppendMs = newestMs;
    order(entry);
    return Age.OLDER;
  }

  /**
   * The time of its newest record was looked up.
   *
   * @param newestMs milliseconds since 1970; 0 or less: nobody knows
   */
  synchronized void dated(final Candidate candidate, final long newestMs) {
    candidate.entry().newestMs = OptionalLong.of(newestMs);
  }

  synchronized double rank(final Candidate candidate) {
    return candidate.entry().rank;
  }

  /** From when on it is to go down, milliseconds since 1970. */
  synchronized long downAtMs(final Candidate candidate) {
    try {
      return policy.downAtMs(facts(candidate.entry()));
    } catch (final RuntimeException | LinkageError e) {
      policyFailed(e);
      return Long.MAX_VALUE;
    }
  }

  /**
   * Takes a segment out of the order while it moves; false if somebody was faster, or it is gone.
   */
  synchronized boolean begin(final Candidate candidate) {
    final Entry entry = candidate.entry();
    if (entry.moving) {
      return false;
    }
    unorder(entry);
    entry.moving = true;
    return true;
  }

  /**
   * The move has ended.
   *
   * @param retryNanos zero if it went well; otherwise it is left alone for this long, and twice as
   *     long after each further failure
   */
  synchronized void end(final Candidate candidate, final long retryNanos, final long nowNanos) {
    final Entry entry = candidate.entry();
    if (find(entry.partition, entry.fileName) != entry) {
      return;
    }
    if (retryNanos > 0) {
      entry.notBeforeNanos = nowNanos + (retryNanos << Math.min(entry.failures, 8));
      entry.failures++;
    }
    entry.moving = false;
    order(entry);
  }

  private static boolean isBeingDeleted(final Path partition) {
    return SegmentName.isBeingDeleted(partition.getFileName().toString());
  }

  private NavigableMap<String, Entry> inOrder(final Path partition) {
    final NavigableMap<String, Entry> known = partitions.get(partition);
    return known == null ? Collections.emptyNavigableMap() : known;
  }

  private Entry find(final Path partition, final String fileName) {
    return inOrder(partition).get(fileName);
  }

  private void order(final Entry entry) {
    entry.rank = rank(entry);
    if (!entry.moving) {
      orderOf(entry).add(entry);
    }
  }

  private void unorder(final Entry entry) {
    if (!entry.moving) {
      orderOf(entry).remove(entry);
    }
  }

  private TreeSet<Entry> orderOf(final Entry entry) {
    return (entry.active ? active : sealed)
        .computeIfAbsent(entry.directory, directory -> new TreeSet<>(BY_RANK));
  }

  private double rank(final Entry entry) {
    if (isHomeOnly(entry)) {
      return MigrationPolicy.NEVER_UP;
    }
    try {
      final double rank = policy.rank(facts(entry));
      return Double.isNaN(rank) ? 0 : rank;
    } catch (final RuntimeException | LinkageError e) {
      policyFailed(e);
      return 0;
    }
  }

  private void policyFailed(final Throwable e) {
    if (!policyFailed) {
      policyFailed = true;
      StoreCodes.POLICY_FAILED.log(policy, e);
    }
  }

  private SegmentFacts facts(final Entry entry) {
    final String partition = entry.partition.getFileName().toString();
    return new SegmentFacts(
        SegmentName.topic(partition),
        partition,
        SegmentName.baseOffset(entry.fileName),
        entry.bytes,
        entry.lastAppendMs,
        entry.readBytesLog2,
        halfLifeMs);
  }

  /** Does the topic's policy keep a new segment out of the tiers above home? */
  boolean staysHome(final Path name) {
    final Entry entry = new Entry(0, name.getParent(), name.getFileName().toString());
    entry.lastAppendMs = System.currentTimeMillis();
    synchronized (this) {
      return rank(entry) == MigrationPolicy.NEVER_UP;
    }
  }

  /** What is told of each segment of a partition. */
  interface Visitor {
    /** One segment; {@code directory} null is home. */
    void segment(String fileName, TierDirectory directory, long bytes, boolean active);
  }

  /** The partition directories that have segments. */
  synchronized List<Path> partitions() {
    return List.copyOf(partitions.keySet());
  }

  /** Tells of every segment of a partition directory, those that are being moved too. */
  synchronized void each(final Path partition, final Visitor visitor) {
    for (final Entry entry : inOrder(partition).values()) {
      visitor.segment(entry.fileName, entry.directory, entry.bytes, entry.active);
    }
  }

  /** For tests: where segments are believed to lie. */
  synchronized List<Candidate> all() {
    final List<Candidate> found = new ArrayList<>();
    partitions.values().forEach(map -> map.values().forEach(e -> found.add(candidate(e))));
    return found;
  }
}
