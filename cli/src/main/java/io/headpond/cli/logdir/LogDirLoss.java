// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.layout.ShutdownCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * The segments that a log directory has lost with its tiers, and the cut of each log at its first
 * lost segment. Kafka would serve a log with a hole as if the records had never been there.
 *
 * <p>Kafka repairs the rest of such a log when it loads it: it deletes indexes without a segment,
 * drops leader epochs and producer snapshots above the end, and begins a log without segments at
 * its checkpointed start.
 *
 * <p>A log's first lost name goes last, and the lost directories leave the identity after all cuts.
 * A start in between is refused, and the next run makes the same cuts. The caller holds the log
 * directory's lock.
 */
final class LogDirLoss {
  private static final String METADATA = "__cluster_metadata-";
  private static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";
  private static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";

  /** Begins the names of segments that were taken out of their log; Kafka passes over them. */
  private static final String ASIDE = "headpond-aside.";

  // Kafka's names: topic-0, topic-0.HEX-delete, topic-0.HEX-future, topic-0.HEX-stray.
  private static final Pattern PARTITION =
      Pattern.compile("(.+)-(\\d+)(?:\\.[^.]+-(?:delete|future|stray))?");

  private static final Pattern CHECKPOINT = Pattern.compile("(\\S+) (\\d+) (\\d{1,18})");

  private final Path logDir;
  private final HomeIdentity identity;
  private final List<TierRef> gone;
  private final List<Partition> partitions = new ArrayList<>();
  private final Map<TierRef, String> lostWrites = new HashMap<>();
  // Links of segments that the engine was deleting: nothing is lost with them.
  private final List<Path> deletedLinks = new ArrayList<>();

  private LogDirLoss(Path logDir, HomeIdentity identity, List<TierRef> gone) {
    this.logDir = logDir;
    this.identity = identity;
    this.gone = gone;
  }

  /**
   * A partition directory that has lost something.
   *
   * @param directory its path
   * @param topic the topic's name
   * @param number the partition's number
   * @param lost segments whose files are lost or damaged, in the order of their offsets; at least
   *     one
   * @param above the other segments from the first lost one on
   */
  record Partition(
      Path directory,
      String topic,
      int number,
      List<LogDirScan.Entry> lost,
      List<LogDirScan.Entry> above) {
    TopicPartition id() {
      return new TopicPartition(topic, number);
    }

    /** The offset that the log is cut at. */
    long end() {
      return offset(lost.get(0));
    }
  }

  /**
   * Finds the loss. Changes nothing.
   *
   * @param gone tier directories that aren't there any more, or are others
   * @param tier a tier whose single files may be lost or damaged, too; null: only whole directories
   *     are lost
   * @param counts of its devices
   * @throws CommandFailure if it can't be cut
   */
  static LogDirLoss of(
      Path logDir, HomeIdentity identity, List<TierRef> gone, String tier, DeviceCounts counts)
      throws IOException {
    LogDirState.refuseHidden(logDir);
    LogDirLoss loss = new LogDirLoss(logDir, identity, gone);
    for (TierRef ref : identity.tiers()) {
      if (ref.tier().equals(tier) && !gone.contains(ref)) {
        String now = counts.of(ref.path());
        if (ShutdownCounts.changed(identity.shutdowns(ref.id()), now)) {
          loss.lostWrites.put(ref, now);
        }
      }
    }
    KnownTiers tiers = KnownTiers.of(logDir);
    for (Path directory : LogDirScan.partitions(logDir)) {
      loss.look(directory, tiers, tier);
    }
    return loss;
  }

  private void look(Path directory, KnownTiers tiers, String tier) throws IOException {
    String name = directory.getFileName().toString();
    Matcher matcher = PARTITION.matcher(name);
    if (!matcher.matches()) {
      return;
    }
    List<LogDirScan.Entry> lost = new ArrayList<>();
    List<LogDirScan.Entry> present = new ArrayList<>();
    List<LogDirScan.Entry> segments = LogDirScan.segments(directory);
    for (LogDirScan.Entry segment : segments) {
      boolean isData = !SegmentName.mayDangle(name, segment.name().getFileName().toString());
      Optional<TierRef> in = segment.linked() ? tiers.tierOf(segment.target()) : Optional.empty();
      if (in.isPresent() && isLost(segment, in.get(), tier)) {
        if (isData) {
          lost.add(segment);
        } else {
          deletedLinks.add(segment.name());
        }
      } else if (isData
          && in.filter(lostWrites::containsKey).isPresent()
          && isDamaged(segment, segments)) {
        lost.add(segment);
      } else if (isData) {
        present.add(segment);
      }
    }
    if (lost.isEmpty()) {
      return;
    }
    long end = offset(lost.get(0));
    if (name.startsWith(METADATA)) {
      throw new CommandFailure(
          directory
              + " has lost its segments from "
              + lost.get(0).name().getFileName()
              + " on: the cluster's metadata log is never cut",
          "restore the tier or the log directory from a backup, or reformat this node as Kafka's"
              + " documentation says for a lost controller disk");
    }
    present.removeIf(segment -> offset(segment) < end);
    int number = Integer.parseInt(matcher.group(2));
    partitions.add(new Partition(directory, matcher.group(1), number, lost, present));
  }

  /** A directory that isn't the right one holds none of them, whatever a file there is named. */
  private boolean isLost(LogDirScan.Entry segment, TierRef in, String tier) {
    return gone.contains(in) || in.tier().equals(tier) && segment.dangling();
  }

  private static boolean isDamaged(LogDirScan.Entry segment, List<LogDirScan.Entry> segments)
      throws IOException {
    boolean last = segment.equals(segments.get(segments.size() - 1));
    return SegmentCheck.run(segment.name(), offset(segment)).damaged(last);
  }

  private static long offset(LogDirScan.Entry segment) {
    return SegmentName.baseOffset(segment.name().getFileName().toString());
  }

  /** The log directory's real path. */
  Path logDir() {
    return logDir;
  }

  /** True if nothing is lost. */
  boolean isEmpty() {
    return gone.isEmpty() && partitions.isEmpty() && lostWrites.isEmpty();
  }

  /** The tier directories that the log directory will no longer name. */
  List<Path> gone() {
    return gone.stream().map(TierRef::path).toList();
  }

  /** The partitions that have lost a segment. */
  List<Partition> partitions() {
    return partitions;
  }

  /**
   * Cuts the logs, and removes the lost directories from the identity.
   *
   * @param nowMs milliseconds since 1970
   * @return the files that were set aside; the next start moves those in tiers to quarantine
   */
  List<Path> cut(LogDirChanges changes, long nowMs) throws IOException {
    if (!partitions.isEmpty()) {
      // With it the broker would register as one that has all it had when it stopped.
      changes.delete(logDir.resolve(CLEAN_SHUTDOWN_FILE));
      lowerRecoveryPoints(changes);
      changes.force(logDir);
    }
    for (Path link : deletedLinks) {
      changes.delete(link);
    }
    List<Path> aside = new ArrayList<>();
    for (Partition partition : partitions) {
      for (LogDirScan.Entry segment : partition.above()) {
        aside.add(takeOut(segment, changes, nowMs));
      }
      List<LogDirScan.Entry> lost = partition.lost();
      for (LogDirScan.Entry segment : lost.subList(1, lost.size())) {
        changes.delete(segment.name());
      }
      changes.force(partition.directory());
      changes.delete(lost.get(0).name());
      changes.force(partition.directory());
      // Damaged ones: the next start puts them into quarantine.
      lost.stream().filter(each -> !each.dangling()).forEach(each -> aside.add(each.target()));
    }
    lostWrites.forEach((ref, now) -> identity.noteShutdowns(ref.id(), now));
    List<TierRef> rest = identity.tiers().stream().filter(tier -> !gone.contains(tier)).toList();
    if (rest.isEmpty()) {
      changes.make(identity::remove);
    } else {
      changes.make(() -> identity.writeTiers(rest));
    }
    return aside;
  }

  /** Removes a segment's name, but no byte of it; returns what its file is called now. */
  private static Path takeOut(LogDirScan.Entry segment, LogDirChanges changes, long nowMs)
      throws IOException {
    if (segment.linked()) {
      changes.delete(segment.name());
      return segment.target();
    }
    Path file = segment.name();
    Path aside = file.resolveSibling(ASIDE + nowMs + "." + file.getFileName());
    changes.rename(file, aside);
    return aside;
  }

  /** The segments in a partition directory that a former command set aside. */
  static List<Path> aside(Path partition) throws IOException {
    return NameLook.list(partition).stream()
        .filter(file -> file.getFileName().toString().startsWith(ASIDE))
        .sorted()
        .toList();
  }

  /**
   * Lowers the recovery points to the ends of the logs. Kafka does so in memory, and writes it down
   * a minute later: after a power failure in between it would not examine what it has fetched.
   */
  private void lowerRecoveryPoints(LogDirChanges changes) throws IOException {
    Path file = logDir.resolve(RECOVERY_POINTS);
    if (!Files.exists(file)) {
      return;
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    partitions.forEach(partition -> ends.merge(partition.id(), partition.end(), Math::min));
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    List<String> lowered = lines.stream().map(line -> lowered(line, ends)).toList();
    if (!lowered.equals(lines)) {
      changes.replace(file, String.join("\n", lowered) + "\n");
    }
  }

  private static String lowered(String line, Map<TopicPartition, Long> ends) {
    Matcher entry = CHECKPOINT.matcher(line);
    if (!entry.matches() || entry.group(2).length() > 9) {
      return line;
    }
    String topic = entry.group(1);
    int number = Integer.parseInt(entry.group(2));
    long offset = Long.parseLong(entry.group(3));
    long end = ends.getOrDefault(new TopicPartition(topic, number), Long.MAX_VALUE);
    return topic + " " + number + " " + Math.min(offset, end);
  }
}
