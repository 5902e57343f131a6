// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.comparison.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a {@link MigrationBench}; what wasn't asked for is null.
 *
 * @param fast the fast tier's device
 * @param fastDurability what a power cut does to it
 * @param home the home's device
 */
public record MigrationReport(
    String fast, String fastDurability, String home, Rate rate, Appends appends, Bursts bursts)
    implements Report {

  /**
   * Sealed segments going home.
   *
   * @param ratioToDd {@link Spread#ofRatios}; null: none
   */
  public record Rate(Spread bytesPerSecond, Spread ddBytesPerSecond, Spread ratioToDd) {}

  /**
   * Appends of one writer at a fixed rate.
   *
   * @param p99Ratio {@link Spread#ofRatios} of while migrating to otherwise; null: none
   */
  public record Appends(
      int appendBytes,
      Spread p99MicrosOtherwise,
      Spread p99MicrosWhileMigrating,
      Spread p99Ratio) {}

  /**
   * Bursts until the first segment overflowed.
   *
   * @param capacityBytes of the fast tier, which was at its threshold
   * @param threshold the share that migration steers to
   * @param migratedBytesPerSecond what migration was limited to
   * @param ratioToPredicted {@link Spread#ofRatios} of measured to predicted; null: none
   */
  public record Bursts(
      long capacityBytes,
      double threshold,
      long burstBytesPerSecond,
      long migratedBytesPerSecond,
      double predictedSeconds,
      Spread seconds,
      Spread ratioToPredicted) {}

  private static final Figure.Kind RATE = new Figure.Kind("migration_rate", "rate", "MB/s", true);
  private static final Figure.Kind APPEND_P99 =
      new Figure.Kind("append_p99", "append P99", "µs", false);
  private static final Figure.Kind BURST =
      new Figure.Kind("burst", "burst until overflow", "s", true);

  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    if (rate != null) {
      figures.add(RATE.of("sealed segments", "migration", rate.bytesPerSecond.in(1e6), "dd"));
      figures.add(RATE.of("sealed segments", "dd", rate.ddBytesPerSecond.in(1e6)));
    }
    if (appends != null) {
      String load = "appends of " + appends.appendBytes + " B";
      figures.add(
          APPEND_P99.of(load, "while migrating", appends.p99MicrosWhileMigrating, "otherwise"));
      figures.add(APPEND_P99.of(load, "otherwise", appends.p99MicrosOtherwise));
    }
    if (bursts != null) {
      Spread predicted =
          Spread.of(bursts.seconds.values().stream().map(s -> bursts.predictedSeconds).toList());
      figures.add(BURST.of("bursts", "measured", bursts.seconds, "predicted"));
      figures.add(BURST.of("bursts", "predicted", predicted));
    }
    return figures;
  }

  @Override
  public String table() {
    TextTable text = new TextTable().left("").left("");
    text.row("fast tier", fast + ", " + fastDurability);
    text.row("home", home);
    if (rate != null) {
      text.row("migration, MB/s", mega(rate.bytesPerSecond));
      text.row("dd oflag=direct bs=1M, MB/s", mega(rate.ddBytesPerSecond));
      text.row("migration / dd", Spread.ratioText(rate.ratioToDd, 2));
    }
    if (appends != null) {
      text.row("append P99 otherwise, µs", appends.p99MicrosOtherwise.text(1));
      text.row("append P99 while migrating, µs", appends.p99MicrosWhileMigrating.text(1));
      text.row("while migrating / otherwise", Spread.ratioText(appends.p99Ratio, 2));
    }
    if (bursts != null) {
      text.row("burst until overflow, s", bursts.seconds.text(2));
      text.row("measured / predicted", Spread.ratioText(bursts.ratioToPredicted, 3));
    }
    return text.text();
  }

  private static String mega(Spread bytes) {
    return bytes.in(1e6).text(0);
  }
}
