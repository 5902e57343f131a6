// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.lab.burst.BurstMetrics;
import io.headpond.lab.burst.BurstOutcome;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.burst.BurstTurn;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.TextTable;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.Label;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of {@code headpond-lab run burst}. */
final class BurstTable {

  private final PrintWriter out;
  private final BurstSettings settings;

  BurstTable(PrintWriter out, BurstSettings settings) {
    this.out = out;
    this.settings = settings;
  }

  /** Prints what is going to be measured, and where. */
  void introduce(String kafka) throws IOException {
    out.printf("Kafka %s: %s%n", kafka, settings.text());
    Device fast = Device.detect(settings.fast());
    if (fast.durability() != Durability.DURABLE) {
      out.println("  " + fast.durability() + ": " + fast.explanation());
    }
    TightTier.label(settings.homeRate()).ifPresent(label -> out.println("  " + label));
    out.printf(
        "%s, each of %s%n%n",
        Units.count((long) settings.rounds() * settings.variants().size(), "turn"),
        Units.duration(Duration.ofSeconds(Math.round(settings.seconds()))));
    out.flush();
  }

  /** The labels of all figures. */
  static List<Label> labels(BurstSettings settings, List<BurstTurn> turns) {
    List<Label> labels = new ArrayList<>(TightTier.label(settings.homeRate()).stream().toList());
    List<String> behind =
        turns.stream()
            .filter(BurstTurn::fellBehind)
            // That a baseline can't keep up on a slow disk is a result.
            .filter(t -> settings.homeRate().throttled() || t.variant() == Variant.HEADPOND)
            .map(t -> t.variant().key())
            .distinct()
            .toList();
    if (!behind.isEmpty()) {
      labels.add(
          new Label(
              "NOT COMPARABLE",
              String.join(" and ", behind)
                  + " fell behind the bursts' rate, so its bursts were lower and longer"));
    }
    return labels;
  }

  /** One finished turn in one line. */
  static String line(BurstTurn turn) {
    return String.format(
        Locale.ROOT,
        "round %d, %s: in bursts %.1f MB/s%s, P99 %.2f ms; between them P99 %.2f ms",
        turn.round(),
        turn.variant(),
        turn.bursts().bytesPerSecond() / 1e6,
        turn.fellBehind() ? ", FELL BEHIND" : "",
        turn.bursts().publish().getValueAtPercentile(99) / 1e6,
        turn.between().getValueAtPercentile(99) / 1e6);
  }

  /** Prints each burst's prediction beside what happened, then the variants. */
  void print(
      List<BurstTurn> turns,
      List<BurstOutcome> outcomes,
      List<Comparison<String, Variant>> comparisons) {
    TextTable bursts =
        new TextTable()
            .left("round")
            .left("burst")
            .left("")
            .left("until overflow, predicted")
            .left("next may come, predicted");
    for (BurstOutcome o : outcomes) {
      bursts.row(
          o.round(),
          o.burst(),
          Units.bytes(Math.round(o.bytesPerSecond())) + "/s, " + seconds(o.seconds(), ""),
          seconds(o.absorbed(), "none") + ", " + seconds(o.absorbedPredicted(), "none"),
          seconds(o.recovered(), "not seen") + ", " + seconds(o.recoveredPredicted(), "too late"));
    }
    out.printf("%n%s", bursts);
    out.printf("%n%s, %s%n", settings.text(), Units.count(settings.rounds(), "round"));
    ComparisonTable<Variant> table = new ComparisonTable<>(out, settings.variants());
    table.print(settings.text(), BurstMetrics.ALL, comparisons);
    for (Label label : labels(settings, turns)) {
      out.println(label);
    }
    table.warnOfNoise(turns.stream().mapToDouble(BurstTurn::othersShare).max().orElse(0));
    table.explain("Latency counts from when a message was due.");
  }

  private static String seconds(Double seconds, String none) {
    return seconds == null ? none : Units.duration(Duration.ofMillis(Math.round(seconds * 1e3)));
  }
}
