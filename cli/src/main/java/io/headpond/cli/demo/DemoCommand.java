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
      "broker is killed by SIGKILL in the middle and started again."
    },
    footer = {"  headpond demo", "  headpond demo --duration 20s --json demo.json"})
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
          "Length of the burst; starting and verifying come on top (default: ${DEFAULT-VALUE}).")
  private Duration duration;

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
      DemoView view =
          new DemoView(out, Boolean.getBoolean(DemoView.TERMINAL_PROPERTY), fastCapacity, label);
      DemoResult result;
      try (DemoRun run = new DemoRun(place, view, duration, fastCapacity, plugIn)) {
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
        "  produced   %.1f s at %.1f MB/s; latency P50 %.1f ms, P99 %.1f ms%n",
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
      out.printf(
          "  fast tier  %s written, %s there at the end%s%n",
          Units.bytes(r.fastTierBytesWritten()),
          Units.count(r.fastTierSegments(), "segment"),
          r.fastTierVolatile() ? " (VOLATILE)" : "");
    }
    out.printf(
        "  home       %s, %s%s%n",
        Units.bytes(r.homeBytes()),
        Units.count(r.overflowSegments(), "segment"),
        r.headpond() ? " overflowed" : "");
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

  private static String verdict(DemoResult r) {
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged record");
    if (r.clean()) {
      return "All " + acknowledged + " are there, each compared byte by byte.";
    }
    if (r.headpond() && r.fastTierBytesWritten() == 0) {
      return "SOMETHING IS WRONG: nothing was written to the fast tier.";
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
