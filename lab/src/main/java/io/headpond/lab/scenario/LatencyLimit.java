// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of a percentile of the publish latencies.
 *
 * @param percentile 50 to below 100
 * @param belowUs microseconds
 */
public record LatencyLimit(double percentile, double belowUs) {

  private static final Pattern TEXT =
      Pattern.compile("p(\\d{2}(?:\\.\\d{1,3})?)<(\\d+(?:\\.\\d+)?)(us|ms|s)");

  private static final Map<String, Double> MICROS = Map.of("us", 1.0, "ms", 1e3, "s", 1e6);

  /** Reads a limit like {@code p99<5ms}. */
  public static LatencyLimit of(String text) {
    Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no limit; write one like p99<5ms or p99.9<800us");
    }
    LatencyLimit limit =
        new LatencyLimit(
            Double.parseDouble(matcher.group(1)),
            Double.parseDouble(matcher.group(2)) * MICROS.get(matcher.group(3)));
    if (limit.percentile < 50 || limit.belowUs <= 0) {
      throw new IllegalArgumentException(
          "a limit is for P50 to P99.999, above zero, not '" + text + "'");
    }
    return limit;
  }

  /** True if the engine kept it, and took as much as was due. */
  public boolean kept(Point point, PointFigures figures) {
    return figures.achieved(point) && figures.publishUs(percentile) < belowUs;
  }

  @Override
  public String toString() {
    String number = String.format(Locale.ROOT, "%.3f", percentile).replaceAll("\\.?0+$", "");
    return belowUs < 1e3
        ? String.format(Locale.ROOT, "P%s < %.0f µs", number, belowUs)
        : String.format(Locale.ROOT, "P%s < %s ms", number, plain(belowUs / 1e3));
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
