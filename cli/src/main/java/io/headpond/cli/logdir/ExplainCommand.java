// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code headpond explain}: the place of each segment of a partition, the reason, the next move.
 */
@Command(
    name = "explain",
    description = {
      "Show where each segment of a partition is stored, why, and its next move.",
      "",
      "The broker's own rules choose, with the policy and the thresholds that its configuration"
          + " file has now. Works beside a running broker or without one; only reads. The output ends"
          + " with what can't be known from outside."
    },
    footer = {
      "  headpond explain /var/lib/kafka orders-3",
      "  headpond explain /var/lib/kafka orders-3 --config /etc/kafka/server.properties --json"
    })
public final class ExplainCommand extends StandardCommand {
  @Parameters(
      index = "0",
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs.")
  private Path logDir;

  @Parameters(
      index = "1",
      paramLabel = "TOPIC-PARTITION",
      description = "A partition directory's name.")
  private String partition;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The broker's configuration; default: the file that it named when it ran last.")
  private Path configFile;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    Path real = LogDirState.logDir(logDir);
    Path directory = real.resolve(partition);
    if (!LogDirScan.partitions(real).contains(directory)) {
      throw new CommandFailure(
          real + " has no partition directory " + partition,
          "give one as Kafka names it, as orders-3; it may lie in another directory of log.dirs");
    }
    StatusReport status = new StatusReport(List.of(real));
    Optional<OwnerCounters> owner = status.counters();
    StoreConfig config = BrokerConfiguration.of(real, configFile, owner);
    Explanation explanation = new Explanation(real, config, owner, status.ownerRuns());
    Explanation.ResultJson result = explanation.of(directory);
    if (json.given()) {
      Json.print(out(), result);
    } else {
      print(result);
    }
    return result.ok() ? 0 : 1;
  }

  private void print(Explanation.ResultJson result) {
    PrintWriter out = new Lines(out());
    out.println(
        result.partition()
            + " in "
            + result.logDir()
            + " (broker "
            + result.state().replace('_', ' ')
            + "), policy "
            + result.policy()
            + " of "
            + result.configuration());
    result
        .tiers()
        .forEach(tier -> out.println("tier " + tier.summary() + " (" + tier.path() + ")"));
    if (result.migrationBlocked() != null) {
      out.println("PROBLEM: migration is blocked: " + result.migrationBlocked());
    }
    for (Explanation.SegmentJson segment : result.segments()) {
      out.println();
      out.println(
          segment.name()
              + "  "
              + Units.bytes(segment.bytes())
              + (segment.tier().equals(TopicMove.HOME) ? " at home" : " in " + segment.tier())
              + ", last append "
              + ago(segment.lastAppendAgeMs())
              + (segment.newestRecordAgeMs() == null
                  ? ""
                  : ", newest record of " + ago(segment.newestRecordAgeMs())));
      out.println("  " + next(segment) + ": " + segment.explanation());
    }
    out.println();
    result.notKnown().forEach(line -> out.println("not known: " + line));
    out.flush();
  }

  private static String next(Explanation.SegmentJson segment) {
    return switch (segment.next()) {
      case "up" -> "comes up";
      case "down" -> "goes down";
      default -> "stays";
    };
  }

  private static String ago(long ms) {
    return Units.duration(Duration.ofMillis(Math.max(0, ms))) + " ago";
  }
}
