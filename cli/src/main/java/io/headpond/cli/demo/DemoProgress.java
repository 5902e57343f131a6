// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import java.util.Locale;

/**
 * One look at a running demo.
 *
 * @param seconds since the start
 * @param phase what happens now, at most 40 characters
 * @param work how far it is; null: that isn't counted
 */
record DemoProgress(long seconds, String phase, Work work) {

  /** The work of a phase, in words. */
  interface Work {
    String text();
  }

  /**
   * Records are written.
   *
   * @param acknowledged so far
   * @param bytesPerSecond since the last look
   * @param p99Ms since the last look
   */
  record Writing(long acknowledged, double bytesPerSecond, double p99Ms) implements Work {
    @Override
    public String text() {
      return String.format(
          Locale.ROOT,
          "%,d acknowledged, %s, P99 %s",
          acknowledged,
          Units.rate(bytesPerSecond),
          Double.isNaN(p99Ms) ? "-" : Units.milliseconds(p99Ms));
    }
  }

  /**
   * Records are read back and compared.
   *
   * @param read so far, also those whose acknowledgement didn't arrive
   * @param acknowledged to be compared
   */
  record Comparing(long read, long acknowledged) implements Work {
    @Override
    public String text() {
      return String.format(
          Locale.ROOT, "%,d of %,d compared", Math.min(read, acknowledged), acknowledged);
    }
  }

  /** Returns the look as a line of at most 100 characters. */
  String line() {
    return String.format(
        Locale.ROOT, "%4d s  %s%s", seconds, phase, work == null ? "" : ": " + work.text());
  }
}
