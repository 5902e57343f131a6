// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond demo}. */
@Command(
    name = "demo",
    description = {
      "Show Headpond with a real engine: load, a kill, a restart, every record compared.",
      "",
      "With Kafka the fast tier is small and in memory, home on disk. More is written than the tier",
      "holds, the broker is killed by SIGKILL in the middle and started again. In the end two brokers",
      "on that disk make each record durable, one with Headpond, one without.",
      "",
      "With BookKeeper two bookies take turns under the same load: an unmodified one with its journal",
      "on disk, one with its journal on the fast device. The latter is killed and started again.",
      "With Pulsar the same, through brokers, with a stream and a queue of messages.",
      "",
      "With Kafka and --bursts N each burst is larger than what is left of the fast tier, migration",
      "makes room between them, and beside the last one all topics are read from their beginning."
    },
    footer = {
      "  headpond demo",
      "  headpond demo --duration 20s --json demo.json",
      "  headpond demo --bursts 4 --policy heat",
      "  headpond demo --engine bookkeeper",
      "  headpond demo --engine pulsar"
    })
public final class DemoCommand extends StandardCommand {

  private static final long CAPACITY_MIN = 32L << 20;

  /** Options that only the demo of Kafka knows. */
  private static final List<String> OF_KAFKA =
      List.of(
          "--bursts",
          "--burst-pause",
          "--threshold",
          "--policy",
          "--fast-capacity",
          "--vanilla",
          "--no-comparison",
          "--no-home-limit");

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      defaultValue = "kafka",
      description = "kafka, bookkeeper or pulsar (default: ${DEFAULT-VALUE}).")
  private Engine engine;

  @Option(
      names = "--engine-home",
      paramLabel = "DIR",
      description =
          "An unpacked release of the engine (default: in a source tree Headpond's own, fetched from"
              + " Maven Central; in an unpacked archive there is none).")
  private Path engineHome;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "25s",
      description =
          "Length of all bursts, or turns, together; starting, pauses and verifying come on top"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Option(
      names = "--bursts",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of bursts, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int bursts;

  @Option(
      names = "--burst-pause",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "After a burst wait until the fast tier is down at its threshold, but no longer than this"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration burstPause;

  @Option(
      names = "--threshold",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description =
          "Share of the fast tier that migration steers to, 0 to 1, or -1: nothing is moved"
              + " (default: ${DEFAULT-VALUE}).")
  private double threshold;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "freshness",
      description =
          "Policy of the fast tier: a value of headpond.migrate.policy (default: ${DEFAULT-VALUE}).")
  private String policy;

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      description =
          "Place for the folder of the fast tier, or journal (default: memory, /dev/shm).")
  private Path fast;

  @Option(
      names = "--fast-capacity",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "256MiB",
      description = "Size of the fast tier (default: ${DEFAULT-VALUE}).")
  private long fastCapacity;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description =
          "Place for the folder of Kafka's log directory, or of the bookies' ledgers (default: on"
              + " disk, /var/tmp).")
  private Path home;

  @Mixin private JsonFile json;

  @Option(names = "--keep", description = "Keep all files at the end.")
  private boolean keep;

  @Option(names = "--vanilla", description = "The same without Headpond, for comparison.")
  private boolean vanilla;

  @Option(
      names = "--no-comparison",
      description =
          "Leave out the comparison at the end: durable records with Headpond and without.")
  private boolean noComparison;

  @Option(
      names = "--no-home-limit",
      description =
          "Compare on the disk of --home itself. Else root compares on a slow one of 50 MB/s and"
              + " 3,000 IOPS, which the kernel makes of it by a limit until the demo's end.")
  private boolean noHomeLimit;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    PrintWriter out = out();
    EngineDemo demo = demo(out);
    DemoPlace place = DemoPlace.create("demo", fast, home);
    AtomicBoolean cleaned = new AtomicBoolean();
    try {
      place.checkRoom(demo.fastBytes(), demo.homeBytes());
      place.sharedDisk().ifPresent(warning -> warn(out, warning));
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> interrupted(demo, place, cleaned), "demo-cleanup"));
      DemoOutcome outcome = demo.run(place, out);
      json.write(outcome);
      return outcome.clean() ? 0 : 1;
    } finally {
      demo.close();
      cleanUp(place, cleaned);
    }
  }

  private static void warn(PrintWriter out, String warning) {
    out.println("WARNING: " + warning);
    out.flush();
  }

  private EngineDemo demo(PrintWriter out) throws IOException, InterruptedException {
    EngineRelease release = EngineJars.of(engine, engineHome, out);
    return switch (engine) {
      case KAFKA -> {
        Optional<PlugIn> plugIn =
            vanilla ? Optional.empty() : Optional.of(PlugIn.find(PlugIn.Start.AGENT));
        yield new KafkaDemo(
            new DemoSettings(
                duration,
                bursts,
                burstPause,
                fastCapacity,
                threshold,
                policy,
                keep,
                !noComparison,
                !noHomeLimit),
            plugIn,
            release);
      }
      case BOOKKEEPER -> new JournalDemo<>(new BookKeeperJournals(), release, duration, keep);
      case PULSAR -> new JournalDemo<>(new PulsarJournals(), release, duration, keep);
    };
  }

  private void check() {
    for (String option : engine == Engine.KAFKA ? List.<String>of() : OF_KAFKA) {
      if (spec().commandLine().getParseResult().hasMatchedOption(option)) {
        throw wrongUsage(option + " doesn't go with --engine " + engine.id());
      }
    }
    DemoPlace.refuseMissing(fast, home);
    if (fastCapacity < CAPACITY_MIN) {
      throw wrongUsage(
          "--fast-capacity is at least "
              + Units.bytes(CAPACITY_MIN)
              + ", not "
              + Units.bytes(fastCapacity));
    }
    if (duration.compareTo(Duration.ofSeconds(2)) < 0
        || duration.compareTo(Duration.ofHours(1)) > 0) {
      throw wrongUsage("--duration goes from 2s to 1h");
    }
    if (bursts < 1 || bursts > 100) {
      throw wrongUsage("--bursts goes from 1 to 100");
    }
    if (threshold != -1 && !(threshold >= 0 && threshold <= 1)) {
      throw wrongUsage("--threshold goes from 0 to 1, or is -1: nothing is moved");
    }
    json.requireFolder();
  }

  /** Ctrl-C: the engine first, so that nothing writes into what is removed. */
  private void interrupted(EngineDemo demo, DemoPlace place, AtomicBoolean cleaned) {
    try {
      demo.close();
      cleanUp(place, cleaned);
    } catch (IOException e) {
      System.err.println("headpond: not everything could be removed: " + e);
    }
  }

  private void cleanUp(DemoPlace place, AtomicBoolean cleaned) throws IOException {
    if (!keep && cleaned.compareAndSet(false, true)) {
      place.remove();
    }
  }
}
