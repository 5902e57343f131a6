// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.OtherReplicas.Answer;
import io.headpond.cli.logdir.Recovery.LogDirJson;
import io.headpond.cli.logdir.Recovery.PartitionJson;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond recover}: go on without what lost tiers held. */
@Command(
    name = "recover",
    description = {
      "Go on without what lost tiers held.",
      "",
      "Each log is cut at its first lost segment, so that this broker, as a follower, brings the",
      "rest back from the others. Segments above a cut are set aside. This happens only if another",
      "broker leads each of these partitions and this one no longer counts as in sync, or with",
      "--accept-loss, and in all log directories or in none. Otherwise the command names what would",
      "be lost, changes nothing, and ends with exit code 1. The cluster's metadata log is never cut.",
      "",
      "Without --tier only tiers with headpond.tier.NAME.ephemeral=true whose device came back empty",
      "count as lost, so it can run before each start. With --tier the tier NAME is lost as far as",
      "it isn't there, or is damaged after its device has lost writes in a power failure.",
      "",
      "Of a bookie the entry logs and journals of a lost device are given up, and its cookie with",
      "them. It then starts only with BookKeeper's data integrity check, which brings them back",
      "from the other bookies, or as a new bookie."
    },
    footer = {
      "  headpond recover /etc/kafka/server.properties --bootstrap-server other1:9092,other2:9092",
      "  headpond recover /etc/kafka/server.properties --tier nvme --bootstrap-server other1:9092",
      "  headpond recover /etc/kafka/server.properties --tier nvme --accept-loss",
      "  headpond recover conf/bk_server.conf --accept-loss"
    })
public final class RecoverCommand extends StandardCommand {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The broker's configuration, or a bookie's; it must not run.")
  private Path file;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Give this tier up: its device won't come back.")
  private String tier;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "Other brokers; they are asked only if something is lost.")
  private String bootstrapServer;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "Client properties for that (TLS, SASL).")
  private Path commandConfig;

  @Option(
      names = "--accept-loss",
      description = "Ask nobody: what only this broker or bookie had is lost.")
  private boolean acceptLoss;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    if (Files.isRegularFile(file) && BookieConfiguration.isOne(file)) {
      if (tier != null || bootstrapServer != null) {
        throw wrongUsage("for a bookie only --accept-loss and --json can be given");
      }
      return new LedgerRecovery(file, out(), json.given()).run(acceptLoss);
    }
    StoreConfig config;
    try {
      config = StoreConfig.load(file.toAbsolutePath());
    } catch (ConfigException e) {
      throw new CommandFailure(e.getMessage(), "docs/configuration.md has all keys", e);
    }
    try (Recovery recovery = new Recovery(config, tier, EmptyDevice.MOUNTS, DeviceCounts.KERNEL)) {
      recover(recovery, missing(config));
    }
    return 0;
  }

  /** The configured directories that a start would miss; no log directory knows them any more. */
  private static List<Path> missing(StoreConfig config) {
    return config.tierPaths().filter(path -> !Files.isDirectory(path)).toList();
  }

  private void recover(Recovery recovery, List<Path> missing) throws IOException {
    List<LogDirJson> plan =
        recovery.plan(
            (logDir, partitions) ->
                acceptLoss || bootstrapServer == null
                    ? Map.of()
                    : OtherReplicas.ask(logDir, bootstrapServer, commandConfig, partitions));
    PrintWriter lines = new Lines(out());
    if (!json.given()) {
      plan.forEach(each -> print(each, lines));
      lines.flush();
    }
    List<LogDirJson> result = plan;
    try {
      if (!acceptLoss) {
        recovery.refuseUnsafe();
      }
      result = recovery.make(new LogDirChanges());
    } finally {
      if (json.given()) {
        Json.print(out(), result);
      }
    }
    if (!json.given()) {
      lines.println(
          plan.isEmpty()
              ? "nothing to do: every tier is there"
              : "done; start the broker: it brings back what other brokers have");
      if (!plan.isEmpty()) {
        missing.forEach(
            path ->
                lines.println(
                    "before that mount a new device at "
                        + path
                        + ", or make that directory, or take it out of "
                        + file));
      }
      result.forEach(
          each -> each.setAside().forEach(aside -> lines.println("set aside: " + aside)));
      lines.flush();
    }
  }

  /** Each topic has one line; a topic of one partition says where that is cut. */
  private static void print(LogDirJson logDir, PrintWriter lines) {
    String lost = String.join(", ", logDir.lostDirectories());
    lines.println(logDir.logDir() + (lost.isEmpty() ? " has lost segments" : " has lost " + lost));
    Map<List<String>, List<PartitionJson>> alike = new LinkedHashMap<>();
    for (PartitionJson each : logDir.partitions()) {
      alike
          .computeIfAbsent(List.of(each.topic(), each.otherReplica()), key -> new ArrayList<>())
          .add(each);
    }
    for (List<PartitionJson> each : alike.values()) {
      PartitionJson first = each.get(0);
      lines.println(
          "  "
              + TopicWords.of(each.stream().map(PartitionJson::id).toList())
              + (each.size() == 1 ? ": cut at offset " + first.endOffset() : ": cut")
              + ", "
              + Units.count(each.stream().mapToLong(p -> p.lostSegments().size()).sum(), "segment")
              + " lost, "
              + each.stream().mapToLong(p -> p.setAside().size()).sum()
              + " set aside; "
              + words(Answer.of(first.otherReplica())));
    }
  }

  private static String words(Answer answer) {
    return switch (answer) {
      case IN_SYNC -> "another broker leads and has all of it";
      case STILL_COUNTED ->
          "THE CLUSTER STILL COUNTS THIS BROKER AS IN SYNC: it may lead without them";
      case NOT_IN_SYNC ->
          "NO OTHER REPLICA IN SYNC IS UP: what only this broker had is lost, and if it leads, the"
              + " others cut their logs to its";
      case NONE -> "NO OTHER REPLICA: its records are lost";
      case DELETED -> "the cluster has deleted this topic";
      case UNKNOWN -> "other replicas unknown";
    };
  }
}
