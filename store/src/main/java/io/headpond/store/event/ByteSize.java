// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.util.Locale;

/** A number of bytes as an operator reads it. */
public final class ByteSize {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteSize() {}

  /** Short, and never without a unit: {@code 512 B}, {@code 64.0 MiB}, {@code 1.50 GiB}. */
  public static String text(final long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = 0;
    // 1023.95 would be printed as 1024.0 of the smaller unit.
    while (value >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    final String format = value < 10 ? "%.2f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }
}
