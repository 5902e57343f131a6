// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.kafka.PlugIn;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.DurationConverter;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.console.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headpond demo}. */
@Command(
    name = "demo",
    description = {
      "Show it with a real Kafka broker: a burst, a kill, a restart, every record compared.",
      "",
      "The fast tier is small and in memory, home on disk. More is written than the tier holds, the",
      "broker is killed by SIGKILL in the middle and started again.",
      "",
      "With --bursts N each burst is larger than what is left of the fast tier, migration makes room",
      "between them, and beside the last one all topics are read from their beginning."
    },
    footer = {
      "  headpond demo",
      "  headpond demo --duration 20s --json demo.json",
      "  headpond demo --bursts 4 --policy heat"
    })
public final class DemoCommand implements Callable<Integer> {

  private static final long CAPACITY_MIN = 32L << 20;
  private static final long HOME_MIN = 2L << 30;

  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "25s",
      description =
          "Length of all bursts together; starting, pauses and verifying come on top (default:"
              + " ${DEFAULT-VALUE}).")
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
      converter = DurationConverter.class,
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
          "What stays in the fast tier, as headpond.migrate.policy has it: freshness, heat, age"
              + " (default: ${DEFAULT-VALUE}).")
  private String policy;

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      description = "Where the fast tier lies, in a folder of its own (default: memory, /dev/shm).")
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
          "Where Kafka's log directory lies, in a folder of its own (default: on disk, /var/tmp).")
  private Path home;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result into FILE.")
  private Path json;

  @Option(names = "--keep", description = "Keep all files at the end.")
  private boolean keep;

  @Option(names = "--vanilla", description = "The same without Headpond, for comparison.")
  private boolean vanilla;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    Optional<PlugIn> plugIn =
        vanilla ? Optional.empty() : Optional.of(PlugIn.find(PlugIn.Start.AGENT));
    PrintWriter out = spec.commandLine().getOut();
    DemoPlace place = DemoPlace.create(fast, home);
    AtomicBoolean cleaned = new AtomicBoolean();
    try {
      place.checkRoom(fastCapacity + fastCapacity / 8, HOME_MIN);
      introduce(out, place);
      String label = place.fastIsVolatile() ? "VOLATILE" : place.fastFileSystem();
      DemoSettings settings =
          new DemoSettings(duration, bursts, burstPause, fastCapacity, threshold, policy);
      DemoView view =
          new DemoView(out, Boolean.getBoolean(DemoView.TERMINAL_PROPERTY), settings, label);
      DemoResult result;
      try (DemoRun run = new DemoRun(place, view, settings, plugIn)) {
        Runtime.getRuntime()
            .addShutdownHook(new Thread(() -> interrupted(run, place, cleaned), "demo-cleanup"));
        result = run.run();
      }
      summarise(out, place, result);
      if (json != null) {
        Json.write(json, result);
      }
      return result.clean() ? 0 : 1;
    } finally {
      cleanUp(place, cleaned);
    }
  }

  private void check() {
    if (fastCapacity < CAPACITY_MIN) {
      throw new ParameterException(
          spec.commandLine(),
          "--fast-capacity is at least "
              + Units.bytes(CAPACITY_MIN)
              + ", not "
              + Units.bytes(fastCapacity));
    }
    if (duration.compareTo(Duration.ofSeconds(2)) < 0
        || duration.compareTo(Duration.ofHours(1)) > 0) {
      throw new ParameterException(spec.commandLine(), "--duration goes from 2s to 1h");
    }
    if (bursts < 1 || bursts > 100) {
      throw new ParameterException(spec.commandLine(), "--bursts goes from 1 to 100");
    }
    if (threshold != -1 && !(threshold >= 0 && threshold <= 1)) {
      throw new ParameterException(
          spec.commandLine(), "--threshold goes from 0 to 1, or is -1: nothing is moved");
    }
    if (json != null
        && json.toAbsolutePath().getParent() != null
        && !json.toAbsolutePath().getParent().toFile().isDirectory()) {
      throw new CommandFailure(
          "there is no folder " + json.toAbsolutePath().getParent(),
          "make it, or name another file by --json");
    }
  }

  private void introduce(PrintWriter out, DemoPlace place) throws IOException {
    out.println(
        "Headpond demo: an unmodified Kafka broker, its newest segments on a small fast tier");
    if (!vanilla) {
      out.printf(
          "  fast tier  %s, %s, %s%n", place.tier(), Units.bytes(fastCapacity), fastText(place));
    }
    out.printf("  home       %s (%s)%n", place.logDir(), place.homeFileSystem());
    out.flush();
  }

  private static String fastText(DemoPlace place) throws IOException {
    return place.fastIsVolatile()
        ? place.fastFileSystem()
            + ": VOLATILE, a power cut would lose it; memory stands in for persistent memory here"
        : place.fastFileSystem();
  }

  private void summarise(PrintWriter out, DemoPlace place, DemoResult r) {
    out.println();
    out.println(verdict(r));
    out.printf(
        Locale.ROOT,
        "  produced   %s, %.1f s in all, at %.1f MB/s; latency P50 %.1f ms, P99 %.1f ms%n",
        Units.count(r.bursts(), "burst"),
        r.produceSeconds(),
        r.produceMbPerS(),
        r.produceP50Ms(),
        r.produceP99Ms());
    out.printf(
        Locale.ROOT,
        "  killed     once, by SIGKILL; acknowledging again after %s; a record waited %.0f ms at most%n",
        Units.duration(Duration.ofMillis(r.restartMs())),
        r.produceMaxOverRestartMs());
    if (r.headpond()) {
      summariseTiers(out, r);
    }
    out.printf(
        Locale.ROOT,
        "  home       %s, %s%s%n",
        Units.bytes(r.homeBytes()),
        Units.count(r.homeSegments(), "segment"),
        r.headpond()
            ? "; overflowed for want of room: " + Units.count(r.overflowSegments(), "segment")
            : "");
    out.printf(
        "  headpond verify %s; Kafka's own kafka-dump-log, without Headpond, %s the log directory%n",
        r.headpondVerifyClean() ? "found nothing wrong" : "FOUND SOMETHING WRONG",
        r.vanillaReadsSegments() ? "reads" : "CAN'T READ");
    if (keep) {
      out.printf("Kept: %s and %s. Look with:%n", place.home(), place.fast());
      out.printf("  headpond verify '%s'%n  ls -l '%s'%n", home(place), home(place) + "/events-0");
    }
    out.flush();
  }

  private static void summariseTiers(PrintWriter out, DemoResult r) {
    out.printf(
        Locale.ROOT,
        "  fast tier  %s written, %s there at the end%s, %.0f %% used%s%n",
        Units.bytes(r.fastTierBytesWritten()),
        Units.count(r.fastTierSegments(), "segment"),
        r.fastTierVolatile() ? " (VOLATILE)" : "",
        100 * r.fastTierUsedRatioEnd(),
        r.fastTierThreshold() < 0
            ? "; nothing migrates"
            : String.format(Locale.ROOT, "; threshold %.0f %%", 100 * r.fastTierThreshold()));
    if (r.fastTierThreshold() >= 0) {
      out.printf(
          "  migrated   %s down in %s, %s up in %s%n",
          Units.bytes(r.migratedDownBytes()),
          Units.count(r.migratedDownSegments(), "segment"),
          Units.bytes(r.migratedUpBytes()),
          Units.count(r.migratedUpSegments(), "segment"));
      out.printf(
          "             latency P99 %s in seconds with a move, %s in the others%n",
          ms(r.appendP99MsWhileMigrating()), ms(r.appendP99MsOtherwise()));
    }
    if (r.bursts() > 1) {
      out.printf(
          "  backlog    %s read from the beginning beside the last burst, each compared%n",
          Units.count(r.backlogRecords(), "record"));
    }
  }

  private static String ms(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.1f ms", value);
  }

  private static String verdict(DemoResult r) {
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged record");
    if (r.clean()) {
      return "All " + acknowledged + " are there, each compared byte by byte.";
    }
    if (r.headpond() && r.fastTierBytesWritten() == 0) {
      return "SOMETHING IS WRONG: nothing was written to the fast tier.";
    }
    if (r.headpond() && r.bursts() > 1 && r.migratedDownBytes() == 0) {
      return "SOMETHING IS WRONG: nothing was migrated.";
    }
    return "SOMETHING IS WRONG: of "
        + acknowledged
        + " "
        + r.recordsVerified()
        + " verified, "
        + r.recordsLost()
        + " lost, "
        + r.recordsCorrupt()
        + " corrupt, "
        + r.recordsDuplicated()
        + " twice, "
        + r.recordsAbortedSeen()
        + " of aborted transactions seen.";
  }

  private static Path home(DemoPlace place) {
    return place.home().resolve("kafka-logs");
  }

  /** Ctrl-C: the broker first, so that nothing writes into what is removed. */
  private void interrupted(DemoRun run, DemoPlace place, AtomicBoolean cleaned) {
    try {
      run.close();
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
