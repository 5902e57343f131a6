// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/**
 * The recovery of a broker's log directories from the loss of ephemeral tiers. A broker can't ask
 * its cluster before it has loaded its logs, so this runs before it.
 */
final class Recovery {
  /** Two lines for each recovery, for whoever looks for it later: before it and after it. */
  private static final String RECORD = ".headpond.recovered";

  private final StoreConfig config;
  private final Path mounts;
  private final LogDirChanges changes;

  /**
   * @param mounts the kernel's table, {@code /proc/self/mountinfo}
   */
  Recovery(StoreConfig config, Path mounts, LogDirChanges changes) {
    this.config = config;
    this.mounts = mounts;
    this.changes = changes;
  }

  /**
   * One log directory that goes on without what a tier held; for JSON.
   *
   * @param done false: what is about to be done
   * @param bytesKept in the partitions that were cut
   */
  record Result(
      boolean done,
      String time,
      String logDir,
      String tier,
      List<String> directories,
      int partitions,
      long segmentsKept,
      long bytesKept,
      List<String> setAside) {
    String text() {
      return StartCodes.TIER_RECOVERED.text(
          tier, String.join(", ", directories), partitions, logDir, bytesKept, setAside.size());
    }
  }

  /** A tier that a log directory knows, and that isn't there any more. */
  private record Lost(Path logDir, String tier) {
    TierLoss plan() throws IOException {
      TierLoss loss = new TierLoss(logDir, identity(), tier, true);
      loss.plan();
      return loss;
    }

    HomeIdentity identity() throws IOException {
      return HomeIdentity.read(logDir).orElseThrow();
    }
  }

  /** Asks a cluster for the other replicas of a log directory's partitions. */
  interface Replicas {
    Function<TierLoss.Partition, OtherReplicas.Answer> of(
        Path logDir, List<TierLoss.Partition> partitions) throws IOException;
  }

  /** Recovers all log directories, or none. */
  List<Result> run(Replicas replicas) throws IOException {
    Set<Lost> lost = lost();
    List<Result> done = new ArrayList<>();
    if (lost.isEmpty()) {
      return done;
    }
    try (EngineLock locks = new EngineLock()) {
      lock(lost, locks);
      for (Lost each : lost) {
        refuseUnsafe(each, replicas);
        HomeRoom.make(each.logDir(), changes);
      }
      for (Lost each : lost) {
        done.add(recover(each));
      }
    }
    return done;
  }

  /** In the order of the configuration; refuses a directory that isn't an empty device. */
  private Set<Lost> lost() throws IOException {
    Set<Lost> lost = new LinkedHashSet<>();
    for (Path given : config.logDirs()) {
      if (!Files.isDirectory(given)) {
        continue; // Kafka will say so
      }
      Path logDir = given.toRealPath();
      for (TierRef ref : tiers(logDir)) {
        Optional<TierConfig> tier =
            config.tiers().stream().filter(each -> each.paths().contains(ref.path())).findAny();
        if (tier.isPresent() && KnownTiers.wrong(ref).isPresent()) {
          refuseUnlessEmpty(tier.get(), ref, logDir);
          lost.add(new Lost(logDir, ref.tier()));
        }
      }
    }
    for (Lost each : lost) {
      refuseOthers(each);
    }
    return lost;
  }

  /** A tier is forgotten with all its directories that aren't there, be it elsewhere they are. */
  private void refuseOthers(Lost lost) throws IOException {
    for (TierRef ref : tiers(lost.logDir())) {
      if (ref.tier().equals(lost.tier())
          && config.tiers().stream().noneMatch(tier -> tier.paths().contains(ref.path()))
          && KnownTiers.wrong(ref).isPresent()) {
        throw StartCodes.TIER_NOT_RECOVERED.refusal(
            ref.tier(),
            ref.path(),
            "the configuration doesn't name it; its device may be elsewhere",
            lost.logDir(),
            ref.tier());
      }
    }
  }

  private static List<TierRef> tiers(Path logDir) throws IOException {
    try {
      return HomeIdentity.read(logDir).map(HomeIdentity::tiers).orElse(List.of());
    } catch (StoreRefusedException damaged) {
      return List.of(); // the start leaves this log directory out, and says so
    }
  }

  private void refuseUnlessEmpty(TierConfig tier, TierRef ref, Path logDir) throws IOException {
    Optional<String> objection =
        tier.ephemeral()
            ? EmptyDevice.objection(ref.path(), mounts)
            : Optional.of("the tier isn't declared ephemeral");
    if (objection.isPresent()) {
      throw StartCodes.TIER_NOT_RECOVERED.refusal(
          ref.tier(), ref.path(), objection.get(), logDir, ref.tier());
    }
  }

  private static void lock(Set<Lost> lost, EngineLock locks) throws IOException {
    Set<Path> logDirs = new LinkedHashSet<>();
    Set<Path> tiers = new LinkedHashSet<>();
    for (Lost each : lost) {
      if (logDirs.add(each.logDir())) {
        locks.takeLogDir(each.logDir());
      }
      for (TierRef ref : each.identity().tiers()) {
        if (KnownTiers.wrong(ref).isEmpty() && tiers.add(ref.path())) {
          locks.takeTier(ref.tier(), ref.path());
        }
      }
    }
  }

  private static void refuseUnsafe(Lost lost, Replicas replicas) throws IOException {
    List<TierLoss.Partition> partitions = lost.plan().partitions();
    if (partitions.isEmpty()) {
      return;
    }
    Function<TierLoss.Partition, OtherReplicas.Answer> answers =
        replicas.of(lost.logDir(), partitions);
    Map<TopicPartition, OtherReplicas.Answer> unsafe = new HashMap<>();
    for (TierLoss.Partition partition : partitions) {
      OtherReplicas.Answer answer = answers.apply(partition);
      if (!answer.safe()) {
        unsafe.put(partition.id(), answer);
      }
    }
    if (!unsafe.isEmpty()) {
      throw StartCodes.RECOVERY_UNSAFE.refusal(
          lost.tier(),
          unsafe.size(),
          lost.logDir(),
          TopicWords.byAnswer(unsafe),
          lost.logDir(),
          lost.tier());
    }
  }

  /**
   * The record comes first: a run that follows on one that was killed doesn't find any more what
   * that one has cut.
   */
  private Result recover(Lost lost) throws IOException {
    TierLoss loss = lost.plan();
    record(result(lost, loss, Optional.empty()));
    List<Path> aside = loss.accept(changes, System.currentTimeMillis());
    Result result = result(lost, loss, Optional.of(aside));
    record(result);
    return result;
  }

  private void record(Result result) throws IOException {
    Path logDir = Path.of(result.logDir());
    Path file = logDir.resolve(RECORD);
    changes.append(file, logDir, Json.compact(result) + "\n");
    changes.force(file);
    changes.force(logDir);
  }

  /**
   * Describes a recovery.
   *
   * @param aside what was set aside; empty: nothing is done yet
   */
  private static Result result(Lost lost, TierLoss loss, Optional<List<Path>> aside) {
    return new Result(
        aside.isPresent(),
        Instant.now().toString(),
        lost.logDir().toString(),
        lost.tier(),
        loss.forgotten().stream().map(ref -> ref.path().toString()).toList(),
        loss.partitions().size(),
        loss.cuts().stream().mapToLong(cut -> cut.kept().size()).sum(),
        loss.cuts().stream().mapToLong(cut -> LogCut.bytes(cut.kept())).sum(),
        aside.orElse(List.of()).stream().map(Path::toString).toList());
  }
}
