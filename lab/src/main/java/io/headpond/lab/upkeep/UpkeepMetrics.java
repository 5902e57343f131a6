// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.Percentile;
import io.headpond.lab.upkeep.UpkeepTurn.FirstReads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The figures by which variants are compared, chore by chore. */
public final class UpkeepMetrics {

  /** All metrics, in the order of a table. */
  public static final List<Metric<UpkeepTurn>> ALL =
      List.of(
          less("done", "until it is done, or serves", "s", UpkeepTurn::doneSeconds),
          less("first_read", "first record of a cold topic", "s", read(FirstReads::firstSeconds)),
          new Metric<>(
              "cold_reads",
              "cold topic read",
              "MB/s",
              true,
              read(reads -> reads.bytesPerSecond() / 1e6)),
          less("quiet_p99", "before it, publish P99", "ms", t -> Percentile.millis(t.quiet(), 99)),
          less(
              "beside_p50",
              "from it on, publish P50",
              "ms",
              t -> Percentile.millis(t.beside(), 50)),
          less(
              "beside_p99",
              "from it on, publish P99",
              "ms",
              t -> Percentile.millis(t.beside(), 99)),
          less(
              "beside_max",
              "from it on, publish max",
              "ms",
              t -> Percentile.millis(t.beside(), 100)),
          less(
              "growth_p99",
              "publish P99, from it on / before",
              "times",
              t -> Percentile.millis(t.beside(), 99) / Percentile.millis(t.quiet(), 99)),
          count("home_writes", "home, writes", "times", 1, DeviceIo::writes),
          count("home_written", "home, written", "MB", 1e6, DeviceIo::writtenBytes),
          count("home_read", "home, read", "MB", 1e6, DeviceIo::readBytes),
          count("home_flushes", "home, flushes", "times", 1, DeviceIo::flushes),
          count("home_commits", "home, journal commits", "times", 1, DeviceIo::commits),
          less(
              "engine_cpu",
              "processors used by the broker",
              "%",
              t -> 100 * t.cpu().engine().toNanos() / (available(t) * 1e9)),
          less(
              "load_cpu",
              "processors used by the load generator",
              "%",
              t -> 100 * t.cpu().loadGenerator().toNanos() / (available(t) * 1e9)));

  private UpkeepMetrics() {}

  /** Publish latencies, nanoseconds, round by round, by chore and variant. */
  public static Map<String, List<Histogram>> latencies(List<UpkeepTurn> turns) {
    Map<String, List<Histogram>> all = new LinkedHashMap<>();
    for (UpkeepTurn turn : turns) {
      String name = turn.chore().key() + "-" + turn.variant().key();
      all.computeIfAbsent(name + "-quiet", n -> new ArrayList<>()).add(turn.quiet());
      all.computeIfAbsent(name + "-beside", n -> new ArrayList<>()).add(turn.beside());
    }
    return all;
  }

  private static Metric<UpkeepTurn> less(
      String key, String title, String unit, ToDoubleFunction<UpkeepTurn> value) {
    return new Metric<>(key, title, unit, false, value);
  }

  private static Metric<UpkeepTurn> count(
      String key, String title, String unit, double divisor, ToLongFunction<DeviceIo> value) {
    return less(
        key,
        title,
        unit,
        turn -> {
          long counted = value.applyAsLong(turn.io());
          return counted < 0 ? Double.NaN : counted / divisor;
        });
  }

  private static ToDoubleFunction<UpkeepTurn> read(ToDoubleFunction<FirstReads> value) {
    return turn -> turn.firstReads() == null ? Double.NaN : value.applyAsDouble(turn.firstReads());
  }

  private static double available(UpkeepTurn turn) {
    return turn.seconds() * Runtime.getRuntime().availableProcessors();
  }
}
