// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.failure.Bookies;
import io.headpond.lab.failure.Brokers;
import io.headpond.lab.failure.FailureEngine;
import io.headpond.lab.failure.FailureSettings;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run failure}. */
@Command(
    name = "failure",
    description = {
      "Measure what publishers feel when one of three brokers or bookies dies (SIGKILL) and comes back.",
      "",
      "Real clusters of three, one of each variant, take turns: messages come at a fixed rate, a node is "
          + "killed, started again, and does its share again. Whatever was acknowledged is read back "
          + "afterwards and compared.",
      "",
      "Brokers: acks=all, the one that dies isn't the active controller, and is back when all replicas are "
          + "in sync. How long nobody knows of the death is Kafka's own broker.session.timeout.ms, 9 s. "
          + "Bookies: one of the written ledger's dies, and is back when each of the three takes what "
          + "the client writes; what it missed would be auto-recovery's work, which doesn't run here.",
      "",
      "With the defaults it takes about four minutes, with bookies five."
    },
    footer = {
      "  headpond-lab run failure",
      "  headpond-lab run failure --rate 2000 --dead-seconds 20 --json failure.json",
      "  headpond-lab run failure --engine bookkeeper --quorum 3-3-2"
    })
public final class FailureCommand extends StandardCommand {

  @Mixin private RunPlace place;
  @Mixin private EngineHome home;

  @Mixin
  private final Baselines baselines =
      Baselines.byEngine("vanilla-disk; of bookkeeper default-fast,default-disk");

  @Mixin private final MessageSize size = new MessageSize("1KiB");

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "kafka",
      description = "kafka or bookkeeper (default: ${DEFAULT-VALUE}).")
  private ScenarioEngine engine;

  @Option(
      names = "--quorum",
      paramLabel = "E-W-A",
      description =
          "Of bookkeeper: 2-2-2, as Pulsar comes: another bookie takes the dead one's place; 3-3-2: the"
              + " client goes on with the other two (default: 2-2-2).")
  private String quorum;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "500",
      description = "Messages a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--before-seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "With all three, before one is killed (default: ${DEFAULT-VALUE}).")
  private int beforeSeconds;

  @Option(
      names = "--dead-seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "From its death to its start (default: ${DEFAULT-VALUE}).")
  private int deadSeconds;

  @Option(
      names = "--after-seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "With everything in sync again (default: ${DEFAULT-VALUE}).")
  private int afterSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Deaths in each variant's cluster (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    settings(); // refuses wrong usage before anything is set up
    return place.run(spec(), this::measure);
  }

  private int measure() throws IOException, InterruptedException {
    BenchRun measured = new BenchRun(spec());
    EngineRelease release = home.release(engine, out());
    return new FailureMeasurement(settings(), release).run(spec().commandLine(), measured, place);
  }

  private FailureSettings settings() throws IOException {
    return WrongUsage.unless(
        spec(),
        () ->
            new FailureSettings(
                failureEngine(),
                engine.variants(
                    baselines.names().isEmpty() ? defaultBaselines() : baselines.names()),
                place.fast(),
                place.home(),
                place.java(),
                rate,
                size.bytes(),
                beforeSeconds,
                deadSeconds,
                afterSeconds,
                rounds));
  }

  private FailureEngine failureEngine() {
    if (engine == ScenarioEngine.KAFKA && quorum == null) {
      return new Brokers();
    }
    if (engine == ScenarioEngine.BOOKKEEPER) {
      return new Bookies(quorum == null ? LedgerQuorum.TWO : LedgerQuorum.of(quorum));
    }
    throw new IllegalArgumentException(
        quorum == null
            ? "failure is measured with --engine kafka or bookkeeper"
            : "--quorum is for bookkeeper");
  }

  private List<String> defaultBaselines() {
    return engine == ScenarioEngine.KAFKA ? List.of("vanilla-disk") : engine.defaultBaselines();
  }
}
