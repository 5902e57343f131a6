// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The demo of Kafka: bursts onto a small fast tier, with a kill in the middle. */
final class KafkaDemo implements EngineDemo {

  private static final long HOME_MIN = 2L << 30;

  private final DemoSettings settings;
  private final Optional<PlugIn> plugIn;
  private final EngineRelease release;
  private volatile DemoRun run;
  private volatile DurableComparison durable;
  private volatile ComparisonHome comparisonHome;

  /**
   * Nothing runs yet.
   *
   * @param plugIn empty: unmodified Kafka
   */
  KafkaDemo(DemoSettings settings, Optional<PlugIn> plugIn, EngineRelease release) {
    this.settings = settings;
    this.plugIn = plugIn;
    this.release = release;
  }

  @Override
  public long fastBytes() {
    return settings.fastCapacity() + settings.fastCapacity() / 8;
  }

  @Override
  public long homeBytes() {
    return HOME_MIN;
  }

  @Override
  public DemoOutcome run(DemoPlace place, PrintWriter out)
      throws IOException, InterruptedException {
    introduce(out, place);
    DemoView view = new DemoView(new LiveBlock(out), settings, place.fastLabel());
    run = new DemoRun(place, view, settings, plugIn, release);
    DemoResult result = run.run();
    summarise(out, place, result);
    if (!settings.comparison() || plugIn.isEmpty() || !result.clean()) {
      return result;
    }
    if (place.homeIsVolatile()) {
      out.println(
          "Durable records aren't compared: home is memory; name a folder on disk by --home");
      return result;
    }
    return result.with(compare(out, place));
  }

  private DurableResult compare(PrintWriter out, DemoPlace place)
      throws IOException, InterruptedException {
    LiveBlock screen = new LiveBlock(out);
    try (ComparisonHome slow = new ComparisonHome(place.home(), screen)) {
      comparisonHome = slow;
      if (settings.limitHome()) {
        slow.limit();
      }
      DurableComparison compared = turns(place, slow, screen);
      slow.measure();
      DurableResult result = compared.result(place.homeFileSystem(), slow);
      DurableComparison.print(out, result, place.home().getParent());
      return result;
    }
  }

  /** Both brokers are gone at its end: they use the home, which can be taken down then. */
  private DurableComparison turns(DemoPlace place, ComparisonHome slow, LiveBlock screen)
      throws IOException, InterruptedException {
    Path tier = place.home().resolve("durable-tier");
    try (DurableComparison compared =
        new DurableComparison(slow.folder(), tier, screen, plugIn.orElseThrow(), release)) {
      durable = compared;
      compared.run();
      return compared;
    }
  }

  private void introduce(PrintWriter out, DemoPlace place) throws IOException {
    out.println(
        "Headpond demo: an unmodified Kafka broker, its newest segments on a small fast tier");
    if (plugIn.isPresent()) {
      out.printf(
          "  fast tier  %s, %s, %s%n",
          place.tier(), Units.bytes(settings.fastCapacity()), place.fastText());
    }
    out.printf("  home       %s (%s)%n", place.logDir(), place.homeFileSystem());
    out.flush();
  }

  private void summarise(PrintWriter out, DemoPlace place, DemoResult r) {
    out.println();
    out.println(verdict(r));
    out.printf(
        Locale.ROOT,
        "  produced   %s, %.1f s in all, at %s; latency P50 %s, P99 %s%n",
        Units.count(r.bursts(), "burst"),
        r.produceSeconds(),
        Units.rate(r.produceMbPerS() * 1e6),
        Units.milliseconds(r.produceP50Ms()),
        Units.milliseconds(r.produceP99Ms()));
    out.printf(
        "  killed     once, by SIGKILL; acknowledging again after %s; a record waited %s at most%n",
        Units.milliseconds(r.restartMs()), Units.milliseconds(r.produceMaxOverRestartMs()));
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
    if (settings.keep()) {
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
    return value == null ? "-" : Units.milliseconds(value);
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

  @Override
  public void close() {
    DemoRun started = run;
    if (started != null) {
      started.close();
    }
    DurableComparison compared = durable;
    if (compared != null) {
      compared.kill();
    }
    ComparisonHome slow = comparisonHome;
    if (slow != null) {
      try {
        slow.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
