// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Age;
import io.headpond.store.migrate.GuardedPolicy;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.RankOrder;
import io.headpond.store.migrate.TopicPatterns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * The segments that migration knows: the place and the heat of each one. They are ordered by rank,
 * so that the coldest of a tier directory and the hottest below it are found in O(log n).
 *
 * <p>It is a memory of what the file system says, never an authority: a segment is looked at again
 * before it moves. Built by the scan at the claim, kept by {@code Namespace} and {@link
 * NameChanges}. Its monitor is taken under any other lock, and no other under it.
 */
public final class Catalogue {
  /** Of a log of which nothing is known; nothing is put into it. */
  private static final LogEntries NONE = new LogEntries();

  private final MigrationPolicy policy;
  private final long halfLifeMs;

  /** Topics that stay home: of them only what lies in a tier is known, until it is home. */
  private final TopicPatterns homeOnly;

  private final Map<Path, LogEntries> partitions = new HashMap<>();

  /** All but those that are being moved. */
  private final RankOrder<TierDirectory, CatalogueEntry> ranks = new RankOrder<>(this::isHomeOnly);

  /** When Headpond came to a log directory, as far as that counts: milliseconds since 1970. */
  private final Map<Path, Long> joinedMs = new HashMap<>();

  private long segments;
  private boolean policyFailed;

  /** Log directories of which nothing moves now. */
  private Set<Path> passedOver = Set.of();

  private final UnloadedLogs unloaded = new UnloadedLogs();

  Catalogue(final MigrationPolicy policy, final long halfLifeMs) {
    this(policy, halfLifeMs, new TopicPatterns(List.of()));
  }

  public Catalogue(
      final MigrationPolicy policy, final long halfLifeMs, final TopicPatterns homeOnly) {
    this.policy = new GuardedPolicy(policy, failure -> policyFailed(policy, failure));
    this.halfLifeMs = halfLifeMs;
    this.homeOnly = homeOnly;
  }

  /** True if there are topics that stay home. */
  boolean keepsTopicsHome() {
    return !homeOnly.isEmpty();
  }

  private boolean isHomeOnly(final CatalogueEntry entry) {
    return isHomeOnly(entry.partition());
  }

  private boolean isHomeOnly(final Path partition) {
    return !homeOnly.isEmpty()
        && homeOnly.match(SegmentName.topic(partition.getFileName().toString()));
  }

  /**
   * What was written in a log directory before a time doesn't come up by itself.
   *
   * @param home its real path
   * @param ms milliseconds since 1970
   */
  public synchronized void joined(final Path home, final long ms) {
    joinedMs.put(home, ms);
  }

  /** True if a log directory may have segments that were there before Headpond. */
  public synchronized boolean mayHaveExisting(final Path home) {
    return joinedMs.containsKey(home);
  }

  private boolean existing(final Path partition, final long writtenMs) {
    return writtenMs < joinedMs.getOrDefault(partition.getParent(), Long.MIN_VALUE);
  }

  /**
   * An engine's start is about to list a partition directory: nothing of it moves before that is
   * done.
   */
  public synchronized void loads(final Path partition) {
    unloaded.add(partition);
  }

  /** The engine has loaded all logs of a log directory, given by its real path. */
  public synchronized void loaded(final Path home) {
    unloaded.loaded(home);
  }

  /** From now on nothing of these log directories may move; of others it may again. */
  public synchronized void passOver(final Set<Path> homes) {
    passedOver = homes;
  }

  /** True if nothing of a log directory may move now. */
  public synchronized boolean passesOver(final Path home) {
    return passedOver.contains(home);
  }

  /** The segments that may move at a time, by the clock that ends of moves are told of. */
  public MovableSegments movable(final long nowNanos) {
    return new MovableSegments(this, nowNanos, Set.of());
  }

  /** True if nothing of its log may move now. */
  synchronized boolean isHeldUp(final CatalogueEntry entry) {
    return passesOver(entry.partition().getParent()) || unloaded.has(entry.partition());
  }

  /** What a search in the order of the ranks finds; null: nothing. */
  synchronized SegmentCandidate find(
      final Function<RankOrder<TierDirectory, CatalogueEntry>, CatalogueEntry> search) {
    return candidate(search.apply(ranks));
  }

  /** The number of known segments. */
  synchronized long segments() {
    return segments;
  }

  /**
   * The number of sealed, or of active, segments of a directory, without those that are being
   * moved.
   *
   * @param directory null is home
   */
  public synchronized int segments(final TierDirectory directory, final boolean isActive) {
    return ranks.size(directory, isActive);
  }

  /** A segment was created or found, and its file was last written when it was appended to. */
  public void add(
      final Path partition,
      final String fileName,
      final TierDirectory directory,
      final long bytes,
      final long lastAppendMs,
      final boolean isActive) {
    add(partition, fileName, directory, bytes, lastAppendMs, isActive, lastAppendMs);
  }

  /**
   * A segment was created or found.
   *
   * @param writtenMs the time of its file, milliseconds since 1970
   */
  public synchronized void add(
      final Path partition,
      final String fileName,
      final TierDirectory directory,
      final long bytes,
      final long lastAppendMs,
      final boolean isActive,
      final long writtenMs) {
    if (!SegmentName.isPlain(fileName) || isBeingDeleted(partition)) {
      return;
    }
    remove(partition, fileName);
    if (directory == null && isHomeOnly(partition)) {
      return;
    }
    final CatalogueEntry entry = new CatalogueEntry(partition, fileName);
    entry.found(directory, bytes, lastAppendMs, isActive, existing(partition, writtenMs));
    partitions.computeIfAbsent(partition, path -> new LogEntries()).put(entry);
    segments++;
    order(entry);
  }

  /**
   * A segment that was there before is opened. It may have got its name around the store.
   *
   * @param directory null is home
   * @param writtenMs the time of its file, milliseconds since 1970
   */
  public synchronized void opened(
      final Path partition,
      final String fileName,
      final TierDirectory directory,
      final long bytes,
      final long writtenMs) {
    final CatalogueEntry known = find(partition, fileName);
    if (known == null || known.directory() != directory) {
      final boolean isActive = of(partition).isLast(fileName);
      add(partition, fileName, directory, bytes, writtenMs, isActive, writtenMs);
    }
  }

  /** True if no known segment of the log comes after this name. */
  public synchronized boolean isLast(final Path partition, final String fileName) {
    return of(partition).isLast(fileName);
  }

  /** True for a segment that was there at the claim, or that the store has made or opened. */
  public synchronized boolean knows(final Path partition, final String fileName) {
    return find(partition, fileName) != null;
  }

  /**
   * The recent size of a log's segments, bytes: the larger of the two before a name, wherever they
   * lie; 0 if there are none.
   */
  public synchronized long bytesBefore(final Path partition, final String fileName) {
    return of(partition).bytesBefore(fileName);
  }

  /** Every segment of a log but the last is sealed; other files of a log say nothing about it. */
  public synchronized void sealAllBut(
      final Path partition, final String fileName, final long nowMs) {
    if (!SegmentName.isPlain(fileName)) {
      return;
    }
    unloaded.rolls(partition);
    final LogEntries log = of(partition);
    for (final CatalogueEntry entry : log.active()) {
      if (!entry.fileName().equals(fileName)) {
        unorder(entry);
        entry.sealed(nowMs);
        log.activity(entry);
        order(entry);
      }
    }
  }

  /** A segment that was taken for sealed is appended to: what came after it was deleted. */
  public synchronized void grows(final Path partition, final String fileName) {
    final CatalogueEntry entry = find(partition, fileName);
    if (entry != null && !entry.active()) {
      unorder(entry);
      entry.grows();
      of(partition).activity(entry);
      order(entry);
    }
  }

  /**
   * Sets a segment's length.
   *
   * @param lastAppendMs milliseconds since 1970; negative: it wasn't appended to
   * @param newestMs as {@link #dated}, if it was looked up
   */
  public synchronized void sized(
      final Path partition,
      final String fileName,
      final long bytes,
      final long lastAppendMs,
      final OptionalLong newestMs) {
    final CatalogueEntry entry = find(partition, fileName);
    if (entry != null) {
      unorder(entry);
      entry.sized(bytes);
      if (lastAppendMs >= 0) {
        entry.appended(lastAppendMs);
        newestMs.ifPresent(entry::dated);
      }
      order(entry);
    }
  }

  /** It lies elsewhere now. */
  public synchronized void moved(
      final Path partition, final String fileName, final TierDirectory directory) {
    final CatalogueEntry entry = find(partition, fileName);
    if (entry != null && directory == null && isHomeOnly(entry)) {
      remove(partition, fileName);
    } else if (entry != null) {
      unorder(entry);
      entry.moved(directory);
      order(entry);
    }
  }

  /** Some of it was read. */
  public synchronized void read(
      final Path partition, final String fileName, final long bytes, final long nowMs) {
    final CatalogueEntry entry = find(partition, fileName);
    if (entry != null && bytes > 0) {
      unorder(entry);
      entry.read(bytes, nowMs, halfLifeMs);
      order(entry);
    }
  }

  /** True if somebody has lately read segments of the log that were sealed long before. */
  public synchronized boolean readBehind(final Path partition, final long nowMs) {
    return of(partition).all().stream().anyMatch(entry -> entry.readBehind(nowMs));
  }

  /** Its name is gone. */
  public synchronized void remove(final Path partition, final String fileName) {
    final LogEntries log = partitions.get(partition);
    final CatalogueEntry entry = log == null ? null : log.remove(fileName);
    if (entry != null) {
      unorder(entry);
      entry.begin(); // in no order any more, whatever comes
      segments--;
      if (log.isEmpty()) {
        partitions.remove(partition);
      }
    }
  }

  /** A partition directory has another name; null: it is gone, or about to go. */
  public synchronized void renamed(final Path from, final Path to) {
    final boolean goes = to == null || isBeingDeleted(to);
    unloaded.renamed(from, goes ? null : to);
    final LogEntries moving = partitions.remove(from);
    if (moving == null) {
      return;
    }
    final Collection<CatalogueEntry> entries = moving.all();
    entries.forEach(this::unorder);
    if (goes) {
      entries.forEach(CatalogueEntry::begin);
      segments -= entries.size();
      return;
    }
    List.copyOf(of(to).all()).forEach(displaced -> remove(to, displaced.fileName()));
    partitions.put(to, moving);
    for (final CatalogueEntry entry : entries) {
      entry.renamed(to);
      order(entry);
    }
  }

  /** As {@link MigrationPolicy#swapMargin}. */
  public synchronized double swapMargin() {
    return policy.swapMargin();
  }

  private SegmentCandidate candidate(final CatalogueEntry entry) {
    return entry == null
        ? null
        : new SegmentCandidate(
            entry,
            entry.partition().resolve(entry.fileName()),
            entry.directory(),
            entry.bytes(),
            entry.active(),
            entry.existing(),
            entry.rank(),
            policy.downAtMs(entry.facts(halfLifeMs)),
            entry.lastAppendMs(),
            entry.newestMs());
  }

  /** Tells, and applies, the age of a sealed segment's data. */
  public synchronized Age age(final SegmentCandidate candidate, final long oldBeforeMs) {
    final CatalogueEntry entry = candidate.entry();
    final Age age = entry.age(oldBeforeMs);
    if (age == Age.OLDER) {
      unorder(entry);
      entry.countsByNewest();
      order(entry);
    }
    return age;
  }

  /**
   * Tells whether all data of a segment are older than a time.
   *
   * @return empty: the time of its newest record has to be looked up first, or it isn't known
   */
  public synchronized Optional<Boolean> older(
      final Path partition, final String fileName, final long oldBeforeMs) {
    final CatalogueEntry entry = find(partition, fileName);
    final Age age = entry == null ? Age.UNKNOWN : entry.age(oldBeforeMs);
    return age == Age.UNKNOWN
        ? Optional.empty()
        : Optional.of(age == Age.OLDER || entry.lastAppendMs() < oldBeforeMs);
  }

  /**
   * The time of its newest record was looked up.
   *
   * @param newestMs milliseconds since 1970; 0 or less: nobody knows
   */
  public synchronized void dated(final SegmentCandidate candidate, final long newestMs) {
    candidate.entry().dated(newestMs);
  }

  /**
   * Takes a segment out of the order while it moves; false if somebody was faster, or it is gone.
   */
  public synchronized boolean begin(final SegmentCandidate candidate) {
    final CatalogueEntry entry = candidate.entry();
    if (entry.moving()) {
      return false;
    }
    unorder(entry);
    entry.begin();
    return true;
  }

  /** The move has ended; as {@link CatalogueEntry#end}. */
  public synchronized void end(
      final SegmentCandidate candidate, final long retryNanos, final long nowNanos) {
    final CatalogueEntry entry = candidate.entry();
    if (find(entry.partition(), entry.fileName()) != entry) {
      return;
    }
    entry.end(retryNanos, nowNanos);
    order(entry);
  }

  /** The move has failed; {@link #end} follows. */
  public synchronized void stuck(final SegmentCandidate candidate, final String why) {
    candidate.entry().stuck(why);
  }

  /**
   * The segments of a tier directory that couldn't be moved out of it, in words; empty if there are
   * none. Looks at all that are there.
   */
  public synchronized String stuckIn(final TierDirectory directory) {
    final List<CatalogueEntry> stuck = ranks.of(directory, entry -> entry.stuck() != null);
    if (stuck.isEmpty()) {
      return "";
    }
    final CatalogueEntry first = stuck.get(0);
    final String name = first.partition().resolve(first.fileName()).toString();
    final String why = first.stuck().startsWith(name) ? first.stuck() : name + ": " + first.stuck();
    return stuck.size() == 1
        ? "a segment couldn't be moved, and is tried again: " + why
        : stuck.size() + " segments couldn't be moved, and are tried again; one of them: " + why;
  }

  private static boolean isBeingDeleted(final Path partition) {
    return SegmentName.isBeingDeleted(partition.getFileName().toString());
  }

  /** The known segments of a log; to be changed only if there are any. */
  private LogEntries of(final Path partition) {
    return partitions.getOrDefault(partition, NONE);
  }

  private CatalogueEntry find(final Path partition, final String fileName) {
    return of(partition).get(fileName);
  }

  private void order(final CatalogueEntry entry) {
    entry.ranked(rank(entry));
    if (!entry.moving()) {
      ranks.add(entry);
    }
  }

  private void unorder(final CatalogueEntry entry) {
    if (!entry.moving()) {
      ranks.remove(entry);
    }
  }

  private double rank(final CatalogueEntry entry) {
    return isHomeOnly(entry) ? MigrationPolicy.NEVER_UP : policy.rank(entry.facts(halfLifeMs));
  }

  private void policyFailed(final MigrationPolicy failing, final Throwable e) {
    if (!policyFailed) {
      policyFailed = true;
      BackgroundCodes.POLICY_FAILED.log(failing, e);
    }
  }

  /** True if the topic's policy keeps a new segment out of the tiers above home. */
  public boolean staysHome(final Path name, final long nowMs) {
    final CatalogueEntry entry =
        new CatalogueEntry(name.getParent(), name.getFileName().toString());
    entry.appended(nowMs);
    synchronized (this) {
      return rank(entry) == MigrationPolicy.NEVER_UP;
    }
  }

  /** Takes each segment of a partition. */
  public interface Visitor {
    /** One segment; {@code directory} null is home. */
    void segment(String fileName, TierDirectory directory, long bytes, boolean active);
  }

  /** The partition directories that have segments. */
  public synchronized List<Path> partitions() {
    return List.copyOf(partitions.keySet());
  }

  /** Bytes of a log directory's segments that lie at home; looks at all of them. */
  public synchronized long bytesAtHome(final Path home) {
    long bytes = 0;
    for (final Map.Entry<Path, LogEntries> each : partitions.entrySet()) {
      if (each.getKey().getParent().equals(home)) {
        for (final CatalogueEntry entry : each.getValue().all()) {
          bytes += entry.directory() == null ? entry.bytes() : 0;
        }
      }
    }
    return bytes;
  }

  /** Tells of every segment of a partition directory, those that are being moved too. */
  public synchronized void each(final Path partition, final Visitor visitor) {
    for (final CatalogueEntry entry : of(partition).all()) {
      visitor.segment(entry.fileName(), entry.directory(), entry.bytes(), entry.active());
    }
  }

  /** For tests: where segments are believed to lie. */
  public synchronized List<SegmentCandidate> all() {
    final List<SegmentCandidate> found = new ArrayList<>();
    partitions.values().forEach(log -> log.all().forEach(e -> found.add(candidate(e))));
    return found;
  }
}
