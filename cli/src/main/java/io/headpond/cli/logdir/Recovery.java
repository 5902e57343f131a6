// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.logdir.OtherReplicas.Answer;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.PlainText;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The recovery of a broker's log directories from the loss of tiers, in all of them or in none. A
 * broker can't ask its cluster before it has loaded its logs, so this runs before it.
 */
final class Recovery implements AutoCloseable {
  /** Two lines for each recovery, for whoever looks for it later: before it and after it. */
  private static final String RECORD = ".headpond.recovered";

  private final StoreConfig config;
  private final String tier;
  private final Path mounts;
  private final DeviceCounts counts;
  private final EngineLock locks = new EngineLock();
  private final Set<Path> lockedTiers = new HashSet<>();
  private final Map<LogDirLoss, Map<LogDirLoss.Partition, Answer>> losses = new LinkedHashMap<>();

  /**
   * Looks at nothing yet.
   *
   * @param tier the one that an operator calls lost; null: only ephemeral ones that are empty
   * @param mounts the kernel's table, {@code /proc/self/mountinfo}
   * @param counts of a tier's devices
   */
  Recovery(StoreConfig config, String tier, Path mounts, DeviceCounts counts) {
    this.config = config;
    this.tier = tier;
    this.mounts = mounts;
    this.counts = counts;
  }

  /**
   * One partition; for JSON.
   *
   * @param endOffset the offset that it is cut at: records from there on go
   * @param setAside segments from there on that weren't lost
   */
  record PartitionJson(
      String topic,
      int partition,
      String directory,
      long endOffset,
      List<String> lostSegments,
      List<String> setAside,
      String otherReplica) {
    TopicPartition id() {
      return new TopicPartition(topic, partition);
    }
  }

  /**
   * One log directory that goes on without what tiers held; for JSON.
   *
   * @param done false: it is about to be done, or would be
   * @param lostDirectories those of tiers that the log directory no longer names
   */
  record LogDirJson(
      boolean done,
      String time,
      String logDir,
      List<String> lostDirectories,
      List<PartitionJson> partitions,
      List<String> setAside) {}

  /**
   * Finds what is lost, and who else has it. Changes nothing.
   *
   * @param replicas answers who else has a log directory's partitions; no answer: nobody knows
   * @return what would be done; empty if nothing is lost
   */
  List<LogDirJson> plan(Replicas replicas) throws IOException {
    Set<String> known = new HashSet<>();
    for (Path given : config.logDirs()) {
      if (Files.isDirectory(given)) { // else Kafka will say so
        look(given.toRealPath(), known);
      }
    }
    if (tier != null && losses.isEmpty()) {
      throw known.contains(tier)
          ? new CommandFailure(
              "tier " + tier + " is there, and no segment in it is lost",
              "bring it home instead: headpond drain LOGDIR --tier " + tier)
          : new CommandFailure(
              "no log directory knows a tier " + tier,
              "one that was given up isn't known any more; they know: " + String.join(", ", known));
    }
    for (Map.Entry<LogDirLoss, Map<LogDirLoss.Partition, Answer>> loss : losses.entrySet()) {
      List<LogDirLoss.Partition> partitions = loss.getKey().partitions();
      if (!partitions.isEmpty()) {
        loss.setValue(replicas.ask(loss.getKey().logDir(), partitions));
      }
    }
    return losses.keySet().stream().map(loss -> json(loss, Optional.empty())).toList();
  }

  /** Answers who else has partitions. */
  interface Replicas {
    Map<LogDirLoss.Partition, Answer> ask(Path logDir, List<LogDirLoss.Partition> partitions)
        throws IOException;
  }

  private void look(Path logDir, Set<String> known) throws IOException {
    Optional<HomeIdentity> identity;
    try {
      identity = HomeIdentity.read(logDir);
    } catch (StoreRefusedException damaged) {
      return; // the start leaves this log directory out, and says so
    }
    if (identity.isEmpty()) {
      return;
    }
    List<TierRef> gone = new ArrayList<>();
    for (TierRef ref : identity.get().tiers()) {
      known.add(ref.tier());
      if (tier == null ? cameBackEmpty(ref) : ref.tier().equals(tier) && isGone(ref)) {
        gone.add(ref);
      }
    }
    if (gone.isEmpty() && identity.get().tiers().stream().noneMatch(r -> r.tier().equals(tier))) {
      return;
    }
    locks.takeLogDir(logDir);
    for (TierRef ref : identity.get().tiers()) {
      if (KnownTiers.fault(ref).isEmpty() && lockedTiers.add(ref.path())) {
        locks.takeTier(ref.tier(), ref.path());
      }
    }
    LogDirLoss loss = LogDirLoss.of(logDir, identity.get(), gone, tier, counts);
    if (!loss.isEmpty()) {
      losses.put(loss, Map.of());
    }
  }

  /** One that can't be read isn't gone: some of its segments may be saved. */
  private static boolean isGone(TierRef ref) {
    try {
      return KnownTiers.wrong(ref).isPresent();
    } catch (IOException e) {
      throw new CommandFailure(
          "tier " + ref.tier() + " can't be read: " + PlainText.reason(e),
          KnownTiers.MOUNT_AGAIN
              + " and bring home what can be read: headpond drain LOGDIR --tier "
              + ref.tier()
              + "; when it isn't mounted, the tier counts as lost (nothing was changed)",
          e);
    }
  }

  /** Refuses a configured tier directory that is gone, unless it is an empty ephemeral device. */
  private boolean cameBackEmpty(TierRef ref) throws IOException {
    Optional<TierConfig> configured =
        config.tiers().stream().filter(each -> each.paths().contains(ref.path())).findAny();
    if (configured.isEmpty() || KnownTiers.wrong(ref).isEmpty()) {
      return false; // the start refuses one that isn't configured
    }
    Optional<String> objection =
        configured.get().ephemeral()
            ? EmptyDevice.objection(ref.path(), mounts)
            : Optional.of("the tier isn't declared ephemeral");
    if (objection.isPresent()) {
      throw StartCodes.TIER_NOT_RECOVERED.refusal(
          ref.tier(), ref.path(), objection.get(), config.source(), ref.tier());
    }
    return true;
  }

  /**
   * Checks that other brokers have all that is lost.
   *
   * @throws StoreRefusedException if they haven't, with the partitions' names
   */
  void refuseUnsafe() {
    Map<TopicPartition, Answer> unsafe = new HashMap<>();
    for (LogDirLoss loss : losses.keySet()) {
      for (LogDirLoss.Partition partition : loss.partitions()) {
        Answer answer = answer(loss, partition);
        if (!answer.safe()) {
          unsafe.put(partition.id(), answer);
        }
      }
    }
    if (!unsafe.isEmpty()) {
      throw StartCodes.RECOVERY_UNSAFE.refusal(unsafe.size(), TopicWords.byAnswer(unsafe));
    }
  }

  /** Does what was planned. */
  List<LogDirJson> make(LogDirChanges changes) throws IOException {
    for (LogDirLoss loss : losses.keySet()) {
      HomeRoom.make(loss.logDir(), changes);
    }
    List<LogDirJson> done = new ArrayList<>();
    for (LogDirLoss loss : losses.keySet()) {
      // First: a run that follows on one that was killed doesn't find what that one has cut.
      record(loss, json(loss, Optional.empty()), changes);
      LogDirJson result = json(loss, Optional.of(loss.cut(changes, System.currentTimeMillis())));
      record(loss, result, changes);
      done.add(result);
    }
    return done;
  }

  private static void record(LogDirLoss loss, LogDirJson line, LogDirChanges changes)
      throws IOException {
    Path file = loss.logDir().resolve(RECORD);
    changes.append(file, loss.logDir(), Json.compact(line) + "\n");
    changes.force(file);
    changes.force(loss.logDir());
  }

  /**
   * Describes a log directory's recovery.
   *
   * @param aside what was set aside; empty: nothing is done yet
   */
  private LogDirJson json(LogDirLoss loss, Optional<List<Path>> aside) {
    return new LogDirJson(
        aside.isPresent(),
        Instant.now().toString(),
        loss.logDir().toString(),
        loss.gone().stream().map(Path::toString).toList(),
        loss.partitions().stream().map(each -> json(each, answer(loss, each))).toList(),
        aside.orElse(List.of()).stream().map(Path::toString).toList());
  }

  private Answer answer(LogDirLoss loss, LogDirLoss.Partition partition) {
    return losses.get(loss).getOrDefault(partition, Answer.UNKNOWN);
  }

  private static PartitionJson json(LogDirLoss.Partition partition, Answer answer) {
    return new PartitionJson(
        partition.topic(),
        partition.number(),
        partition.directory().toString(),
        partition.end(),
        partition.lost().stream().map(each -> each.name().getFileName().toString()).toList(),
        partition.above().stream().map(each -> each.name().getFileName().toString()).toList(),
        answer.key());
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
