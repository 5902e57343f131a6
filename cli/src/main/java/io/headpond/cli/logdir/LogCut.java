// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * A log that is cut at its first segment that is gone. What lies below stays, what lies above is
 * set aside: Kafka would serve a log with a hole as if the records had never been there.
 *
 * <p>If nothing lies below, nothing of the partition stays, and Kafka begins it anew: as a follower
 * it takes the leader's start for its own. So it is with a log whose checkpointed start lies above
 * the cut, of which Kafka would delete every segment; in the middle of a compaction's renames,
 * where old and new segments overlap; and with directories that hold no log of their own, as the
 * copy of one that Kafka was moving between log directories.
 *
 * <p>A segment below the cut whose file another tier holds that isn't there keeps its name: the
 * start is refused until that tier is back, or forgotten too and the log cut there.
 *
 * @param partition what it has lost
 * @param kept the segments that stay
 * @param repaired those that were lost and go on with their mirrors, in the log's order
 * @param above the other segments that can't stay
 * @param end one more than the last offset that stays, or {@link #WHOLE}; the first one that was
 *     there if none does
 * @param knownEnd one more than the last offset that is known to have been there
 */
record LogCut(
    TierLoss.Partition partition,
    List<LogDirScan.Entry> kept,
    List<MirrorRepair> repaired,
    List<LogDirScan.Entry> above,
    long end,
    long knownEnd) {
  /** The end of a log whose top segment stays, in a tier that isn't there to be read. */
  static final long WHOLE = Long.MAX_VALUE;

  private static final String SWAP = ".swap";
  private static final String SNAPSHOT = ".snapshot";
  private static final String EPOCHS = "leader-epoch-checkpoint";

  /** Epoch, first offset. */
  private static final int EPOCH_WORDS = 2;

  private static final int DIGITS = 20;

  /** From a segment's beginning to the first append that was acknowledged, at most. */
  private static final long ROLL_MS = 1_000;

  /** Kafka's files beside a segment, by their endings. */
  private static final Set<String> COMPANIONS =
      Set.of(".index", ".timeindex", ".txnindex", SNAPSHOT);

  /** Plans the cut. Changes nothing. */
  static LogCut of(TierLoss.Partition partition, OffsetCheckpoints checkpoints) throws IOException {
    List<LogDirScan.Entry> present =
        partition.kept().stream().filter(segment -> isData(segment.name())).toList();
    Prefix prefix = new Prefix(partition.directory().getParent());
    if (partition.isLog() && !swapping(partition.directory())) {
      prefix.follow(partition.lost(), present);
    }
    if (!prefix.isEmpty() && prefix.end() < checkpoints.logStart(partition.name())) {
      prefix = new Prefix(partition.directory().getParent());
    }
    List<LogDirScan.Entry> below = List.copyOf(prefix.kept);
    List<LogDirScan.Entry> above = present.stream().filter(s -> !below.contains(s)).toList();
    long first = partition.lost().stream().mapToLong(LogCut::offset).min().orElseThrow();
    long end =
        prefix.isEmpty()
            ? Math.min(first, present.isEmpty() ? first : offset(present.get(0).name()))
            : prefix.end();
    long knownEnd = checkpoints.highWatermark(partition.name());
    if (!above.isEmpty()) {
      LogDirScan.Entry top = above.get(above.size() - 1);
      knownEnd = Math.max(knownEnd, top.dangling() ? offset(top.name()) : end(top));
    }
    // Read before anything is changed: a damaged one must not be met half-way.
    epochs(partition.directory());
    return new LogCut(
        partition, below, List.copyOf(prefix.repaired), above, end, Math.max(end, knownEnd));
  }

  /** The segments of a log from its beginning that are there, or whose mirrors are. */
  private static final class Prefix {
    private final Path logDir;
    private final List<LogDirScan.Entry> kept = new ArrayList<>();
    private final List<MirrorRepair> repaired = new ArrayList<>();
    private MirrorRepair last;

    /** The first offset of the segment that the prefix ends before. */
    private long next = WHOLE;

    Prefix(Path logDir) {
      this.logDir = logDir;
    }

    /** Takes segments in the log's order, up to the first one that is gone, or isn't whole. */
    void follow(List<Path> lost, List<LogDirScan.Entry> present) throws IOException {
      TreeMap<Path, LogDirScan.Entry> all = new TreeMap<>();
      present.forEach(segment -> all.put(segment.name(), segment));
      Set<Path> gone = new TreeSet<>(lost);
      Set<Path> names = new TreeSet<>(all.keySet());
      names.addAll(gone);
      for (Path name : names) {
        next = offset(name);
        if (last != null && !last.whole(next)) {
          return;
        }
        Optional<MirrorRepair> repair =
            gone.contains(name) ? MirrorRepair.of(logDir, name) : Optional.empty();
        if (gone.contains(name) && repair.isEmpty()) {
          return;
        }
        last = repair.orElse(null);
        if (last == null) {
          kept.add(all.get(name));
        } else {
          repaired.add(last);
        }
      }
      next = WHOLE;
    }

    boolean isEmpty() {
      return kept.isEmpty() && repaired.isEmpty();
    }

    long end() throws IOException {
      if (last != null) {
        return last.end();
      }
      LogDirScan.Entry top = kept.get(kept.size() - 1);
      return top.dangling() ? next : LogCut.end(top);
    }
  }

  /** A half-written compaction and what Kafka was deleting hold nothing of the log. */
  private static boolean isData(Path name) {
    String file = name.getFileName().toString();
    return SegmentName.isPlain(file) || file.endsWith(SWAP);
  }

  private static boolean swapping(Path directory) throws IOException {
    return NameLook.list(directory).stream().anyMatch(file -> file.toString().endsWith(SWAP));
  }

  private static long offset(Path name) {
    return SegmentName.baseOffset(name.getFileName().toString());
  }

  /** One more than the last offset of a segment. Only the batches' headers are read. */
  private static long end(LogDirScan.Entry segment) throws IOException {
    long end = offset(segment.name());
    try (SegmentBatches records = new SegmentBatches(segment.name())) {
      for (RecordBatch batch : records.all()) {
        end = Math.max(end, batch.nextOffset());
      }
    } catch (KafkaException notWhole) {
      SegmentCheck.refuseUnread(segment.name(), notWhole);
      return end; // Kafka's recovery ends there too
    }
    return end;
  }

  private static CheckpointFile epochs(Path directory) throws IOException {
    return CheckpointFile.read(directory.resolve(EPOCHS), EPOCH_WORDS);
  }

  /** Nothing of the partition stays. */
  boolean empty() {
    return kept.isEmpty() && repaired.isEmpty();
  }

  /**
   * True if nothing is missing but what the mirrors are behind: a log that rolled since then has
   * segments at its end that they don't have.
   *
   * @param untilMs everything acknowledged up to then is in them
   */
  boolean mirrored(long untilMs) throws IOException {
    if (empty() || !above.isEmpty()) {
      return false;
    }
    TreeMap<Path, Long> writtenMs = writtenMs();
    long begunMs = Long.MIN_VALUE;
    for (Path name : partition.lost()) {
      if (!writtenMs.containsKey(name)) { // no mirror of it goes on
        begunMs = Math.max(begunMs, begunMs(name, writtenMs));
        if (begunMs < untilMs - ROLL_MS) {
          return false;
        }
      }
    }
    return true;
  }

  /** When each segment that stays, or goes on with its mirror, was written to last. */
  private TreeMap<Path, Long> writtenMs() throws IOException {
    TreeMap<Path, Long> writtenMs = new TreeMap<>();
    kept.forEach(segment -> writtenMs.put(segment.name(), segment.modifiedMs()));
    for (MirrorRepair each : repaired) {
      writtenMs.put(each.name(), Files.getLastModifiedTime(each.mirror()).toMillis());
    }
    return writtenMs;
  }

  /**
   * When a segment was begun, at the earliest: its link may have been kept ready for long, but the
   * segment before it was written to until then. A move makes the link anew, but leaves the indexes
   * alone, which Kafka makes with the segment.
   */
  private static long begunMs(Path name, TreeMap<Path, Long> writtenMs) throws IOException {
    Map.Entry<Path, Long> before = writtenMs.lowerEntry(name);
    long linkMs = Files.getLastModifiedTime(name, LinkOption.NOFOLLOW_LINKS).toMillis();
    long begunMs = before == null ? linkMs : Math.max(linkMs, before.getValue());
    for (Path index : MirrorRepair.indexes(name)) {
      if (NameLook.exists(index)) {
        begunMs = Math.min(begunMs, Files.getLastModifiedTime(index).toMillis());
      }
    }
    return begunMs;
  }

  static long bytes(List<LogDirScan.Entry> segments) {
    return there(segments).mapToLong(LogDirScan.Entry::bytes).sum();
  }

  /** Those whose files are there: a tier that isn't holds the others. */
  private static Stream<LogDirScan.Entry> there(List<LogDirScan.Entry> segments) {
    return segments.stream().filter(segment -> !segment.dangling());
  }

  /** The end; null if nothing is cut off. */
  Long endIfCut() {
    return end == WHOLE ? null : end;
  }

  /** The number of segments that are set aside. */
  long setAside() {
    return there(above).count();
  }

  /**
   * Takes everything out of the partition directory that can't stay, from the top down. The first
   * segment that is gone is the last one to go: until then the start is refused, and the next run
   * makes the same cut.
   *
   * @param tiers where the links lead
   * @param gone says of a tier directory that it isn't the one that held the segments
   */
  void make(KnownTiers tiers, Predicate<TierRef> gone, SetAside aside, LogDirChanges changes)
      throws IOException {
    Path directory = partition.directory();
    if (!empty()) {
      CheckpointFile epochs = epochs(directory);
      epochs.replace(
          epochs.entries().stream().filter(e -> CheckpointFile.offset(e) < end).toList(), changes);
    }
    Path first = firstThatGoes();
    List<Path> files = NameLook.list(directory);
    files.sort(Comparator.reverseOrder());
    // Before the segments, because these tell which companions are worth keeping.
    Set<Long> worthKeeping =
        above.stream().map(segment -> offset(segment.name())).collect(Collectors.toSet());
    for (Path file : files) {
      if (!isCompanion(file) || !isAbove(file, first)) {
        continue;
      }
      if (worthKeeping.contains(offset(file))) {
        aside.fromHome(file);
      } else {
        changes.delete(file);
      }
    }
    Set<Path> stay = kept.stream().map(LogDirScan.Entry::name).collect(Collectors.toSet());
    repaired.forEach(repair -> stay.add(repair.name()));
    if (repaired.isEmpty()) {
      stay.add(first);
    }
    for (Path file : files) {
      boolean segment = SegmentName.matches(file.getFileName().toString()) && isData(file);
      if (segment && !stay.contains(file)) {
        takeOut(file, tiers, gone, aside, changes);
      }
    }
    changes.force(directory);
    changes.force(directory.getParent());
    // From the top down: until the first one is repaired the start is refused.
    for (int i = repaired.size() - 1; i >= 0; i--) {
      repaired.get(i).make(changes);
      changes.force(directory);
      changes.force(directory.getParent());
    }
    if (repaired.isEmpty() && !empty()) {
      changes.delete(first);
      changes.force(directory);
    }
  }

  /** The first segment that doesn't stay; null: all do. */
  private Path firstThatGoes() {
    Set<Path> repairs = repaired.stream().map(MirrorRepair::name).collect(Collectors.toSet());
    return Stream.concat(
            partition.lost().stream().filter(name -> !repairs.contains(name)),
            repaired.isEmpty() ? Stream.empty() : above.stream().map(LogDirScan.Entry::name))
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static boolean isCompanion(Path file) {
    String name = file.getFileName().toString();
    return name.length() > DIGITS
        && COMPANIONS.contains(name.substring(DIGITS))
        && SegmentName.matches(name.substring(0, DIGITS) + ".log");
  }

  /** A snapshot at the cut holds the producers of what lies below it. */
  private boolean isAbove(Path file, Path first) {
    long cut = empty() ? 0 : first == null ? Long.MAX_VALUE : offset(first);
    return file.toString().endsWith(SNAPSHOT) && !empty()
        ? offset(file) > (repaired.isEmpty() ? cut : end)
        : offset(file) >= cut;
  }

  private static void takeOut(
      Path name, KnownTiers tiers, Predicate<TierRef> gone, SetAside aside, LogDirChanges changes)
      throws IOException {
    Path target = NameLook.target(name);
    if (target == null) {
      aside.fromHome(name);
      return;
    }
    Optional<TierRef> tier = tiers.tierOf(target);
    if (tier.isPresent() && !gone.test(tier.get()) && NameLook.exists(target)) {
      aside.fromTier(tier.get(), target);
    }
    changes.delete(name);
  }
}
