// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.Percentile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The figures by which variants are compared; what is predicted is Headpond's alone. */
public final class BurstMetrics {

  private static final String IN_BURSTS = "in bursts";

  /** Of all variants, from one moment on. */
  private static final String OVERFLOWED = "from the forecast overflow on";

  /** All metrics, in the order of a table. */
  public static final List<Metric<BurstTurn>> ALL =
      List.of(
          bytes("burst_bytes", IN_BURSTS, BurstTurn::bursts),
          less("burst_p50", IN_BURSTS, 50, BurstTurn::bursts),
          less("burst_p99", IN_BURSTS, 99, BurstTurn::bursts),
          less("burst_max", IN_BURSTS, 100, BurstTurn::bursts),
          bytes("overflow_bytes", OVERFLOWED, BurstTurn::overflow),
          less("overflow_p50", OVERFLOWED, 50, BurstTurn::overflow),
          less("overflow_p99", OVERFLOWED, 99, BurstTurn::overflow),
          less("between_p50", 50),
          less("between_p99", 99),
          less("between_max", 100),
          cpu("burst_engine_cpu", "broker", BurstPart::engineCpu),
          cpu("burst_load_cpu", "load generator", BurstPart::loadGeneratorCpu));

  private BurstMetrics() {}

  /** Publish latencies, nanoseconds, round by round, by variant and whether it was in bursts. */
  public static Map<String, List<Histogram>> latencies(List<BurstTurn> turns) {
    Map<String, List<Histogram>> all = new LinkedHashMap<>();
    for (BurstTurn turn : turns) {
      String variant = turn.variant().key();
      all.computeIfAbsent(variant + "-in-bursts", n -> new ArrayList<>())
          .add(turn.bursts().publish());
      if (turn.overflow() != null) {
        all.computeIfAbsent(variant + "-overflowed", n -> new ArrayList<>())
            .add(turn.overflow().publish());
      }
      all.computeIfAbsent(variant + "-between-bursts", n -> new ArrayList<>()).add(turn.between());
    }
    return all;
  }

  private static Metric<BurstTurn> bytes(
      String key, String part, Function<BurstTurn, BurstPart> of) {
    return new Metric<>(
        key,
        part + ", throughput",
        "MB/s",
        true,
        turn -> value(of.apply(turn), sum -> sum.bytesPerSecond() / 1e6));
  }

  private static Metric<BurstTurn> less(
      String key, String part, double percentile, Function<BurstTurn, BurstPart> of) {
    return new Metric<>(
        key,
        part + ", publish " + name(percentile),
        "ms",
        false,
        turn -> value(of.apply(turn), sum -> sum.publishMillis(percentile)));
  }

  private static Metric<BurstTurn> less(String key, double percentile) {
    return new Metric<>(
        key,
        "between bursts, publish " + name(percentile),
        "ms",
        false,
        turn -> Percentile.millis(turn.between(), percentile));
  }

  private static Metric<BurstTurn> cpu(
      String key, String whose, ToDoubleFunction<BurstPart> share) {
    return new Metric<>(
        key,
        IN_BURSTS + ", processors used by the " + whose,
        "%",
        false,
        turn -> value(turn.bursts(), sum -> 100 * share.applyAsDouble(sum)));
  }

  private static String name(double percentile) {
    return percentile == 100 ? "max" : String.format(Locale.ROOT, "P%.0f", percentile);
  }

  private static double value(BurstPart part, ToDoubleFunction<BurstPart> value) {
    return part == null ? Double.NaN : value.applyAsDouble(part);
  }
}
