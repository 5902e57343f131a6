// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.console.Units;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headpond forget-tier}: go on without a tier that is lost for good. */
@Command(
    name = "forget-tier",
    description = {
      "Go on without a tier that is lost for good.",
      "",
      "Every partition that has lost a segment is removed from this log directory as a whole, so",
      "that its followers bring it back from another replica. Without --accept-loss it only says",
      "what is lost. The cluster's metadata log is never removed."
    },
    footer = {
      "  headpond forget-tier /var/lib/kafka pmem",
      "  headpond forget-tier /var/lib/kafka pmem --accept-loss --bootstrap-server other:9092"
    })
public final class ForgetTierCommand implements Callable<Integer> {
  private static final int PARTITIONS_SHOWN_MAX = 100;

  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs; the broker must not run.")
  private Path logDir;

  @Parameters(index = "1", paramLabel = "TIER", description = "The lost tier's name.")
  private String tier;

  @Option(
      names = "--accept-loss",
      description = "Remove the partitions; without it nothing is changed.")
  private boolean acceptLoss;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "Ask the rest of the cluster which partitions have another replica.")
  private String bootstrapServer;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "Client properties for that (TLS, SASL).")
  private Path commandConfig;

  @Mixin private JsonOption json;

  record PartitionJson(
      String directory,
      String topic,
      int partition,
      String otherReplica,
      List<String> lostSegments,
      long keptSegmentsRemoved,
      long keptBytesRemoved) {}

  record ResultJson(
      boolean done,
      String tier,
      List<String> tierDirectoriesForgotten,
      List<PartitionJson> partitions) {}

  @Override
  public Integer call() throws IOException {
    Path real = LogDirState.logDir(logDir);
    HomeIdentity identity =
        HomeIdentity.read(real)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        real + " has no identity file (.headpond)",
                        "Headpond never wrote here, or it was drained; there is no tier to"
                            + " forget"));
    try (EngineLock locks = new EngineLock()) {
      locks.takeLogDir(real);
      TierLoss loss = new TierLoss(real, identity, tier);
      loss.plan();
      for (TierRef each : identity.tiers()) {
        if (!loss.forgotten().contains(each) && Files.isDirectory(each.path())) {
          locks.takeTier(each.tier(), each.path());
        }
      }
      ResultJson result = describe(loss, real);
      if (!json.given()) {
        print(result);
      }
      if (acceptLoss) {
        loss.accept();
      }
      if (json.given()) {
        Json.print(spec.commandLine().getOut(), result);
      } else {
        printEnd(result);
      }
    }
    return acceptLoss ? 0 : 1;
  }

  private ResultJson describe(TierLoss loss, Path real) throws IOException {
    OtherReplicas replicas =
        bootstrapServer == null || loss.partitions().isEmpty()
            ? null
            : OtherReplicas.ask(real, bootstrapServer, commandConfig, loss.partitions());
    List<PartitionJson> partitions = new ArrayList<>();
    for (TierLoss.Partition partition : loss.partitions()) {
      OtherReplicas.Answer answer =
          replicas == null ? OtherReplicas.Answer.UNKNOWN : replicas.of(partition);
      partitions.add(
          new PartitionJson(
              partition.directory().toString(),
              partition.topic(),
              partition.number(),
              answer.key(),
              partition.lost().stream().map(path -> path.getFileName().toString()).toList(),
              partition.kept().size(),
              partition.keptBytes()));
    }
    List<String> forgotten = loss.forgotten().stream().map(each -> each.path().toString()).toList();
    return new ResultJson(acceptLoss, tier, forgotten, partitions);
  }

  private void print(ResultJson result) {
    PrintWriter out = new Lines(spec.commandLine().getOut());
    out.println(
        "tier "
            + tier
            + " is lost"
            + (result.tierDirectoriesForgotten().isEmpty()
                ? " in part"
                : ": " + String.join(", ", result.tierDirectoriesForgotten())));
    out.println(
        Units.count(result.partitions().size(), "partition")
            + (result.done() ? " will be removed here:" : " would be removed here:"));
    int shown = 0;
    for (PartitionJson partition : result.partitions()) {
      // Those that nothing brings back are always shown.
      if (++shown > PARTITIONS_SHOWN_MAX && partition.otherReplica().equals("in_sync")) {
        continue;
      }
      out.println(
          "  "
              + partition.topic()
              + "-"
              + partition.partition()
              + ": "
              + Units.count(partition.lostSegments().size(), "segment")
              + " lost, "
              + Units.count(partition.keptSegmentsRemoved(), "other")
              + " ("
              + Units.bytes(partition.keptBytesRemoved())
              + ") removed with it; "
              + words(partition.otherReplica()));
    }
    out.flush();
  }

  private static String words(String otherReplica) {
    return switch (otherReplica) {
      case "in_sync" -> "another broker has all of it";
      case "not_in_sync" -> "OTHER REPLICAS ARE NOT IN SYNC: what only this broker had is lost";
      case "none" -> "NO OTHER REPLICA: its records are lost";
      case "deleted" -> "the cluster has deleted this topic";
      default -> "other replicas unknown (ask with --bootstrap-server)";
    };
  }

  private void printEnd(ResultJson result) {
    PrintWriter out = spec.commandLine().getOut();
    if (result.done()) {
      out.println("done; start the broker, and its followers bring the partitions back");
    } else {
      out.println("nothing was changed; to do it: run this again with --accept-loss");
    }
    out.flush();
  }
}
