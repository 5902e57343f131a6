// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond forget-tier}: go on without a tier that is lost for good. */
@Command(
    name = "forget-tier",
    description = {
      "Go on without a tier that is lost for good.",
      "",
      "Every partition that has lost a segment is removed from this log directory as a whole, or",
      "with --keep-prefix cut at its first segment that is gone, so that this broker, as a",
      "follower, brings the rest back from another replica. Segments above a cut are set aside.",
      "Without --accept-loss or --if-in-sync it only says what is lost. The cluster's metadata log",
      "is never removed or cut.",
      "",
      "Of a bookie, with --bookkeeper: the entry logs and journals that a lost device had are given",
      "up, and the bookie's cookie with them, so that it starts only with BookKeeper's data",
      "integrity check, which brings them back from the other bookies, or as a new bookie."
    },
    footer = {
      "  headpond forget-tier /var/lib/kafka pmem --keep-prefix",
      "  headpond forget-tier /var/lib/kafka pmem --keep-prefix --if-in-sync \\",
      "      --bootstrap-server other:9092",
      "  headpond forget-tier /var/lib/kafka pmem --accept-loss --bootstrap-server other:9092",
      "  headpond forget-tier --bookkeeper conf/bk_server.conf --accept-loss"
    })
public final class ForgetTierCommand extends StandardCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs; the broker must not run.")
  private Path logDir;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TIER",
      description = "The lost tier's name.")
  private String tier;

  @Option(
      names = "--bookkeeper",
      paramLabel = "FILE",
      description = "Instead: a bookie's bk_server.conf; the bookie must not run.")
  private Path bookkeeper;

  @Option(
      names = "--keep-prefix",
      description = "Keep of each partition what lies below its first segment that is gone.")
  private boolean keepPrefix;

  @Option(
      names = "--if-in-sync",
      description =
          "Do it, if for each partition another broker leads and this one no longer counts as in"
              + " sync; else name those of which this isn't so, and change nothing.")
  private boolean ifInSync;

  @Option(
      names = "--accept-loss",
      description = "Do it, whatever no other replica has; without it nothing is changed.")
  private boolean acceptLoss;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "Ask the rest of the cluster which partitions have another replica.")
  private String bootstrapServer;

  @Mixin private ReplicaOptions cluster;

  @Option(
      names = "--verbose",
      description = "Show each partition, and where it is cut; else one line for each topic.")
  private boolean verbose;

  @Mixin private JsonOption json;

  /**
   * One partition; for JSON.
   *
   * @param fromOffset the first offset that goes; null if none does
   * @param knownToOffset the last offset that is known to go; null if none is
   * @param keptSegments those that stay
   */
  record PartitionJson(
      String directory,
      String topic,
      int partition,
      String otherReplica,
      List<String> lostSegments,
      long keptSegmentsRemoved,
      long keptBytesRemoved,
      Long fromOffset,
      Long knownToOffset,
      long keptSegments,
      long keptBytes,
      long setAsideSegments,
      long setAsideBytes) {
    TopicPartition id() {
      return new TopicPartition(topic, partition);
    }

    boolean safe() {
      return OtherReplicas.Answer.of(otherReplica).safe();
    }
  }

  record ResultJson(
      boolean done,
      String tier,
      List<String> tierDirectoriesForgotten,
      List<PartitionJson> partitions,
      List<String> setAside) {}

  @Override
  public Integer call() throws IOException {
    if (bookkeeper != null) {
      return forgetLedgers();
    }
    if (tier == null) {
      throw wrongUsage("give LOGDIR and TIER, or --bookkeeper FILE, and not both");
    }
    if (ifInSync && (acceptLoss || bootstrapServer == null)) {
      throw wrongUsage(
          "--if-in-sync needs --bootstrap-server, and can't be given with --accept-loss");
    }
    Path real = LogDirState.logDir(logDir);
    boolean doIt = acceptLoss || ifInSync;
    try (EngineLock locks = new EngineLock()) {
      locks.takeLogDir(real);
      HomeIdentity identity = LogDirState.identity(real, "forget");
      TierLoss loss = new TierLoss(real, identity, tier, keepPrefix);
      loss.plan();
      locks.takeTiers(
          identity.tiers().stream().filter(each -> !loss.forgotten().contains(each)).toList());
      List<PartitionJson> partitions = describe(loss, real);
      List<String> forgotten =
          loss.forgotten().stream().map(each -> each.path().toString()).toList();
      ForgetTierText text = new ForgetTierText(out(), keepPrefix, verbose);
      if (!json.given()) {
        text.plan(tier, forgotten, partitions, doIt);
      }
      List<String> aside = List.of();
      if (doIt) {
        refuseUnsafe(partitions);
        aside =
            loss.accept(new LogDirChanges(), System.currentTimeMillis()).stream()
                .map(Path::toString)
                .toList();
      }
      if (json.given()) {
        Json.print(out(), new ResultJson(doIt, tier, forgotten, partitions, aside));
      } else {
        text.end(doIt, partitions, aside);
      }
    }
    return doIt ? 0 : 1;
  }

  private int forgetLedgers() throws IOException {
    if (logDir != null || keepPrefix || ifInSync || bootstrapServer != null) {
      throw wrongUsage("with --bookkeeper only --accept-loss and --json can be given");
    }
    new ForgottenLedgers(bookkeeper, out(), json.given()).run(acceptLoss);
    return acceptLoss ? 0 : 1;
  }

  /** By name: what no other broker has must be accepted, not found out later. */
  private void refuseUnsafe(List<PartitionJson> partitions) {
    Map<TopicPartition, OtherReplicas.Answer> unsafe = new HashMap<>();
    for (PartitionJson each : partitions) {
      if (!each.safe()) {
        unsafe.put(each.id(), OtherReplicas.Answer.of(each.otherReplica()));
      }
    }
    if (ifInSync && !unsafe.isEmpty()) {
      throw new CommandFailure(
          Units.count(unsafe.size(), "partition")
              + " can't be brought back as a whole: "
              + TopicWords.byAnswer(unsafe),
          "start the brokers that have them and try again, or give --accept-loss instead of"
              + " --if-in-sync (nothing was changed)");
    }
  }

  private List<PartitionJson> describe(TierLoss loss, Path real) throws IOException {
    OtherReplicas replicas =
        bootstrapServer == null || loss.partitions().isEmpty()
            ? null
            : OtherReplicas.ask(real, bootstrapServer, cluster.commandConfig(), loss.partitions());
    List<PartitionJson> partitions = new ArrayList<>();
    for (int i = 0; i < loss.partitions().size(); i++) {
      TierLoss.Partition partition = loss.partitions().get(i);
      OtherReplicas.Answer answer =
          replicas == null ? OtherReplicas.Answer.UNKNOWN : replicas.of(partition);
      partitions.add(keepPrefix ? cut(loss.cuts().get(i), answer) : removed(partition, answer));
    }
    return partitions;
  }

  private static PartitionJson removed(TierLoss.Partition partition, OtherReplicas.Answer answer) {
    return new PartitionJson(
        partition.directory().toString(),
        partition.topic(),
        partition.number(),
        answer.key(),
        lost(partition),
        partition.kept().size(),
        LogCut.bytes(partition.kept()),
        null,
        null,
        0,
        0,
        0,
        0);
  }

  private static PartitionJson cut(LogCut cut, OtherReplicas.Answer answer) {
    return new PartitionJson(
        cut.partition().directory().toString(),
        cut.partition().topic(),
        cut.partition().number(),
        answer.key(),
        lost(cut.partition()),
        0,
        0,
        cut.end(),
        cut.knownEnd() > cut.end() ? cut.knownEnd() - 1 : null,
        cut.kept().size(),
        LogCut.bytes(cut.kept()),
        cut.setAside(),
        LogCut.bytes(cut.above()));
  }

  private static List<String> lost(TierLoss.Partition partition) {
    return partition.lost().stream().map(path -> path.getFileName().toString()).toList();
  }
}
