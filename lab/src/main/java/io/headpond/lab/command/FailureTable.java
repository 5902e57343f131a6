// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.TextTable;
import io.headpond.lab.failure.FailureMetrics;
import io.headpond.lab.failure.FailurePhase;
import io.headpond.lab.failure.FailureSettings;
import io.headpond.lab.failure.FailureTurn;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The text of {@code headpond-lab run failure}. */
final class FailureTable {

  private final PrintWriter out;
  private final FailureSettings settings;

  FailureTable(PrintWriter out, FailureSettings settings) {
    this.out = out;
    this.settings = settings;
  }

  /**
   * Prints what is going to be measured, and where.
   *
   * @param places by variant, where it writes
   */
  void introduce(EngineRelease release, Map<String, String> places) throws IOException {
    out.printf(
        "%s %s: %s; all %ss and the load generator share %s%n",
        settings.engine().engine().title(),
        release.version(),
        settings.text(),
        settings.engine().node(),
        Units.count(Runtime.getRuntime().availableProcessors(), "processor"));
    out.print(
        TextTable.places(
            places, Device.detect(settings.fast()).durability() == Durability.VOLATILE));
    out.println();
    out.flush();
  }

  /** One finished turn in one line. */
  static String line(FailureTurn turn) {
    return String.format(
        Locale.ROOT,
        "round %d, %s: publish P99 before %.2f, dead %.2f, returning %.2f, after %.2f ms; longest gap"
            + " %.2f s; back in sync after %.1f s; %,d messages, all read back%s",
        turn.round(),
        turn.variant(),
        FailureMetrics.millis(turn, FailurePhase.BEFORE, 99),
        FailureMetrics.millis(turn, FailurePhase.DEAD, 99),
        FailureMetrics.millis(turn, FailurePhase.RETURNING, 99),
        FailureMetrics.millis(turn, FailurePhase.AFTER, 99),
        turn.gapSeconds().values().stream().mapToDouble(gap -> gap).max().orElse(0),
        turn.returnSeconds(),
        turn.acknowledged(),
        turn.resent() == 0 ? "" : String.format(Locale.ROOT, "; %,d sent again", turn.resent()));
  }

  /** The variants beside one another. */
  void print(List<FailureTurn> turns, List<Comparison<String, ComparedVariant>> comparisons) {
    out.printf("%n%s, %s%n", settings.text(), Units.count(settings.rounds(), "round"));
    ComparisonTable<ComparedVariant> table = new ComparisonTable<>(out, settings.variants());
    table.print(settings.text(), FailureMetrics.ALL, comparisons);
    table.warnOfNoise(turns.stream().mapToDouble(FailureTurn::othersShare).max().orElse(0));
    table.explain("Latency counts from when a message was due.");
  }
}
