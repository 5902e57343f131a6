// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * @param above the other segments that can't stay
 * @param end one more than the last offset that stays; the first one that was there if none does
 * @param knownEnd one more than the last offset that is known to have been there
 */
record LogCut(
    TierLoss.Partition partition,
    List<LogDirScan.Entry> kept,
    List<LogDirScan.Entry> above,
    long end,
    long knownEnd) {
  private static final String SWAP = ".swap";
  private static final String SNAPSHOT = ".snapshot";
  private static final String EPOCHS = "leader-epoch-checkpoint";

  /** Epoch, first offset. */
  private static final int EPOCH_WORDS = 2;

  private static final int DIGITS = 20;

  /** Kafka's files beside a segment, by their endings. */
  private static final Set<String> COMPANIONS =
      Set.of(".index", ".timeindex", ".txnindex", SNAPSHOT);

  /** Plans the cut. Changes nothing. */
  static LogCut of(TierLoss.Partition partition, OffsetCheckpoints checkpoints) throws IOException {
    List<LogDirScan.Entry> present =
        partition.kept().stream().filter(segment -> isData(segment.name())).toList();
    Path first = first(partition);
    List<LogDirScan.Entry> below = new ArrayList<>();
    if (partition.isLog() && !swapping(partition.directory())) {
      present.stream().filter(s -> s.name().compareTo(first) < 0).forEach(below::add);
    }
    if (!below.isEmpty() && end(below, first) < checkpoints.logStart(partition.name())) {
      below.clear();
    }
    List<LogDirScan.Entry> above = present.stream().filter(s -> !below.contains(s)).toList();
    long end =
        below.isEmpty()
            ? Math.min(offset(first), present.isEmpty() ? offset(first) : offset(present.get(0).name()))
            : end(below, first);
    long knownEnd = checkpoints.highWatermark(partition.name());
    if (!above.isEmpty()) {
      LogDirScan.Entry top = above.get(above.size() - 1);
      knownEnd = Math.max(knownEnd, top.dangling() ? offset(top.name()) : end(top));
    }
    // Read before anything is changed: a damaged one must not be met half-way.
    epochs(partition.directory());
    return new LogCut(partition, List.copyOf(below), above, end, Math.max(end, knownEnd));
  }

  /** The first segment that is gone. */
  private static Path first(TierLoss.Partition partition) {
    return partition.lost().stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  /** The end of what lies below the first segment that is gone. */
  private static long end(List<LogDirScan.Entry> below, Path first) throws IOException {
    LogDirScan.Entry top = below.get(below.size() - 1);
    return top.dangling() ? offset(first) : end(top);
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
    return kept.isEmpty();
  }

  static long bytes(List<LogDirScan.Entry> segments) {
    return there(segments).mapToLong(LogDirScan.Entry::bytes).sum();
  }

  /** Those whose files are there: a tier that isn't holds the others. */
  private static Stream<LogDirScan.Entry> there(List<LogDirScan.Entry> segments) {
    return segments.stream().filter(segment -> !segment.dangling());
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
    Path first = first(partition);
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
    stay.add(first);
    for (Path file : files) {
      boolean segment = SegmentName.matches(file.getFileName().toString()) && isData(file);
      if (segment && !stay.contains(file)) {
        takeOut(file, tiers, gone, aside, changes);
      }
    }
    changes.force(directory);
    changes.force(directory.getParent());
    if (!empty()) {
      changes.delete(first);
      changes.force(directory);
    }
  }

  private static boolean isCompanion(Path file) {
    String name = file.getFileName().toString();
    return name.length() > DIGITS
        && COMPANIONS.contains(name.substring(DIGITS))
        && SegmentName.matches(name.substring(0, DIGITS) + ".log");
  }

  /** A snapshot at the cut holds the producers of what lies below it. */
  private boolean isAbove(Path file, Path first) {
    long cut = empty() ? 0 : offset(first);
    return file.toString().endsWith(SNAPSHOT) && !empty()
        ? offset(file) > cut
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
