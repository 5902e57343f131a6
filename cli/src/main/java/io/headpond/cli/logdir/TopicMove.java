// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Moves a topic's or a partition's segments to one tier, or home. The caller holds all locks. */
final class TopicMove {
  /** The value of {@code --to} for the log directory itself. */
  static final String HOME = "home";

  private final Path logDir;
  private final HomeIdentity identity;
  private final String to;
  private final List<TierRef> targets;
  private final OfflineMoves moves;
  private final List<Path> partitions;
  private long segmentsThere;

  /**
   * Nothing is touched yet.
   *
   * @param what a topic or a partition directory's name
   * @param to a tier's name, or {@link #HOME}
   */
  TopicMove(Path logDir, HomeIdentity identity, String what, String to, Progress progress)
      throws IOException {
    this.logDir = logDir;
    this.identity = identity;
    this.to = to;
    targets = to.equals(HOME) ? List.of() : Drain.concerned(identity, Optional.of(to));
    moves = new OfflineMoves(logDir, identity.id(), "migrate", "segment", progress);
    partitions = partitions(logDir, what);
  }

  /** The partition directories that a name means: one partition, or all of a topic. */
  static List<Path> partitions(Path logDir, String what) throws IOException {
    List<Path> exact = new ArrayList<>();
    List<Path> ofTopic = new ArrayList<>();
    Set<String> topics = new LinkedHashSet<>();
    for (Path partition : LogDirScan.partitions(logDir)) {
      String name = partition.getFileName().toString();
      if (SegmentName.isBeingDeleted(name) || !name.matches(".+-\\d+")) {
        continue;
      }
      topics.add(SegmentName.topic(name));
      if (name.equals(what)) {
        exact.add(partition);
      } else if (SegmentName.topic(name).equals(what)) {
        ofTopic.add(partition);
      }
    }
    if (!exact.isEmpty() && !ofTopic.isEmpty()) {
      throw new CommandFailure(
          what + " is a partition of topic " + SegmentName.topic(what) + ", and a topic as well",
          "name that topic's partitions one by one: "
              + what
              + "-0 and so on; the partition can be moved with its whole topic");
    }
    if (exact.isEmpty() && ofTopic.isEmpty()) {
      throw new CommandFailure(
          logDir + " has no topic or partition " + what,
          topics.isEmpty()
              ? "it has no topics at all"
              : "it has: " + String.join(", ", topics.stream().limit(20).toList()));
    }
    return exact.isEmpty() ? ofTopic : exact;
  }

  /**
   * Finds what has to be moved, and that it can be: all files there, and room for them.
   *
   * @throws CommandFailure if not; nothing was changed then
   */
  void plan() throws IOException {
    refuseTheMetadataLog();
    for (TierRef target : targets) {
      refuseWrong(target);
    }
    KnownTiers tiers = KnownTiers.of(logDir);
    List<LogDirScan.Entry> leaving = new ArrayList<>();
    for (Path partition : partitions) {
      for (LogDirScan.Entry segment : LogDirScan.segments(partition)) {
        if (!SegmentName.isPlain(segment.name().getFileName().toString())) {
          continue; // the engine is about to delete or to replace it
        }
        if (isThere(from(segment, tiers))) {
          segmentsThere++;
        } else {
          leaving.add(segment);
        }
      }
    }
    assign(leaving);
    moves.refuseShared();
  }

  /** Another device that is mounted at the tier's path may have a directory for this home, too. */
  static void refuseWrong(TierRef target) throws IOException {
    Optional<Finding> wrong = KnownTiers.wrong(target);
    if (wrong.isPresent()) {
      throw new CommandFailure(target.path() + ": " + wrong.get().detail(), "nothing was changed");
    }
  }

  /** The plug-in leaves it alone, so in a tier nobody would count it, or drop it when it goes. */
  private void refuseTheMetadataLog() {
    String metadata = ConfigKey.HOME_ONLY.standard();
    for (Path partition : partitions) {
      if (!targets.isEmpty()
          && SegmentName.topic(partition.getFileName().toString()).equals(metadata)) {
        throw new CommandFailure(
            metadata + " belongs at home: Headpond leaves it to Kafka (headpond.home.only)",
            "nothing was changed");
      }
    }
  }

  private boolean isThere(Optional<TierRef> from) {
    return targets.isEmpty() ? from.isEmpty() : from.isPresent() && targets.contains(from.get());
  }

  /** Each segment goes to the directory with the most room then. */
  private void assign(List<LogDirScan.Entry> leaving) throws IOException {
    Map<Optional<TierRef>, Long> room = room();
    for (LogDirScan.Entry segment : leaving) {
      Map.Entry<Optional<TierRef>, Long> emptiest =
          Collections.max(room.entrySet(), Map.Entry.comparingByValue());
      if (emptiest.getValue() < segment.bytes()) {
        long wanted = leaving.stream().mapToLong(LogDirScan.Entry::bytes).sum();
        throw new CommandFailure(
            (targets.isEmpty() ? logDir.toString() : "tier " + to)
                + " has room for "
                + Units.bytes(room().values().stream().mapToLong(Long::longValue).sum())
                + ", but "
                + Units.bytes(wanted)
                + " have to go there",
            "make room, or move partition by partition (nothing was changed)");
      }
      room.put(emptiest.getKey(), emptiest.getValue() - segment.bytes());
      moves.add(segment, emptiest.getKey());
    }
  }

  private static Optional<TierRef> from(LogDirScan.Entry segment, KnownTiers tiers) {
    if (!segment.linked()) {
      return Optional.empty();
    }
    TierRef tier = tiers.tierOf(segment);
    if (segment.dangling()) {
      throw KnownTiers.lost(segment, tier);
    }
    return Optional.of(tier);
  }

  /**
   * The bytes that may go to each directory of the target tier, or home. A tier's capacity is known
   * if an owner published it, and its directories share it alike; beyond that their file systems
   * decide.
   */
  private Map<Optional<TierRef>, Long> room() throws IOException {
    Map<Optional<TierRef>, Long> room = new LinkedHashMap<>();
    OptionalLong capacity = published("tier." + to + ".capacity.bytes");
    for (TierRef target : targets) {
      TierUse use = TierUse.of(target);
      long left = use.fileSystemFreeBytes();
      if (capacity.isPresent()) {
        left = Math.min(left, capacity.getAsLong() / targets.size() - use.usedBytes());
      }
      room.put(Optional.of(target), Math.max(0, left));
    }
    if (targets.isEmpty()) {
      long reserve = published("home." + identity.id() + ".reserve.bytes").orElse(0);
      room.put(
          Optional.empty(), Math.max(0, Files.getFileStore(logDir).getUsableSpace() - reserve));
    }
    return room;
  }

  private Optional<OwnerCounters> counters() throws IOException {
    return OwnerCounters.newest(identity.tiers().stream().map(TierRef::path).toList());
  }

  private OptionalLong published(String key) throws IOException {
    Optional<OwnerCounters> counters = counters();
    return counters.isEmpty() ? OptionalLong.empty() : counters.get().find(key);
  }

  OfflineMoves moves() {
    return moves;
  }

  /** Segments that were where they belong already. */
  long segmentsThere() {
    return segmentsThere;
  }

  /** True if migration may move it again: the last owner didn't leave the tier alone. */
  boolean mayMoveAgain() throws IOException {
    Optional<OwnerCounters> counters = counters();
    return targets.isEmpty()
        || counters.isEmpty()
        || counters.get().share("tier." + to + ".threshold").orElse(0) >= 0;
  }
}
