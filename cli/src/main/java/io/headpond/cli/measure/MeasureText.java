// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.util.Locale;

/** The measured figures of a device, as a table. */
public final class MeasureText {
  private static final String ROW = "         %-42s %8s %8s %7s %18s %9s%n";

  private MeasureText() {}

  /** Prints it. */
  public static void print(PrintWriter out, DeviceFigures figures) {
    out.printf(
        "measured %s: %s%s, %s; sequential writes %s/s%n",
        figures.path(),
        figures.fileSystem(),
        figures.blockDevice() == null ? "" : " on " + figures.blockDevice(),
        figures.durability().toUpperCase(Locale.ROOT),
        Units.bytes(figures.writeBytesPerSecond()));
    int bytes = 0;
    for (DeviceFigures.Appends each : figures.appends()) {
      if (each.appendBytes() != bytes) {
        bytes = each.appendBytes();
        out.printf(
            ROW,
            "durable appends of " + Units.bytes(bytes) + ", one writer",
            "P50",
            "P99",
            "P50 x",
            "(min..max)",
            "written x");
      }
      DeviceFigures.Ratio ratio = each.p50OfGrowing();
      out.printf(
          ROW,
          AppendWay.valueOf(each.way().toUpperCase(Locale.ROOT)).words,
          micros(each.p50Micros()),
          micros(each.p99Micros()),
          ratio == null ? "1.00" : number(ratio.median()),
          ratio == null ? "" : "(" + number(ratio.min()) + ".." + number(ratio.max()) + ")",
          each.deviceBytesPerByte() == null ? "-" : number(each.deviceBytesPerByte()));
    }
    out.printf(
        "         P50 x: of a growing file's in the same round, median of %d; written x: bytes that"
            + " the%n         device wrote for each byte, zeros and what others write to it included%n",
        figures.rounds());
  }

  private static String micros(double micros) {
    return String.format(Locale.ROOT, "%.0f µs", micros);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
