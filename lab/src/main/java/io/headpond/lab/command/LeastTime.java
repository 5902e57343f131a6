// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A durable record's time through Headpond's broker beside the least that it can take on this
 * machine: the time of a broker that forces nothing, and one bare force on the fast device, both of
 * the same round. One record at a time is under way.
 *
 * @param recordUs with Headpond, microseconds
 * @param unforcedUs with {@link Variant#VANILLA_DISK}, microseconds
 * @param forceUs {@link BareForce}, microseconds
 * @param leastUs the sum of the two, microseconds
 * @param ratio {@code recordUs / leastUs}
 */
record LeastTime(
    KafkaTurn.Load load,
    Spread recordUs,
    Spread unforcedUs,
    Spread forceUs,
    Spread leastUs,
    Spread ratio) {

  private static final String VARIANT = "least";
  private static final Figure.Kind KIND =
      new Figure.Kind("produce_time", "produce, time for a record", "µs", false);

  /** Of each load whose turns have all of it. */
  static List<LeastTime> of(List<KafkaTurn> turns) {
    return turns.stream().map(KafkaTurn::load).distinct().flatMap(load -> of(load, turns)).toList();
  }

  private static Stream<LeastTime> of(KafkaTurn.Load load, List<KafkaTurn> turns) {
    List<Double> record = new ArrayList<>();
    List<Double> unforced = new ArrayList<>();
    List<Double> force = new ArrayList<>();
    List<Double> least = new ArrayList<>();
    for (KafkaTurn own : turns) {
      if (own.load().equals(load) && own.bareForceUs() != null) {
        unforced(own, turns)
            .ifPresent(
                micros -> {
                  record.add(micros(own));
                  unforced.add(micros);
                  force.add(own.bareForceUs());
                  least.add(micros + own.bareForceUs());
                });
      }
    }
    return Spread.ofRatios(record, least).stream()
        .map(
            ratio ->
                new LeastTime(
                    load,
                    Spread.of(record),
                    Spread.of(unforced),
                    Spread.of(force),
                    Spread.of(least),
                    ratio));
  }

  private static Optional<Double> unforced(KafkaTurn own, List<KafkaTurn> turns) {
    return turns.stream()
        .filter(
            each ->
                each.variant() == Variant.VANILLA_DISK
                    && each.load().equals(own.load())
                    && each.round() == own.round()
                    && each.produce() != null)
        .findFirst()
        .map(LeastTime::micros);
  }

  private static double micros(KafkaTurn turn) {
    return 1e6 / turn.produce().recordsPerSecond();
  }

  /** As {@link Figure}s have it. */
  List<Figure> figures() {
    String words = KafkaBenchTable.text(load);
    return List.of(
        KIND.of(words, Variant.HEADPOND.toString(), recordUs, VARIANT),
        KIND.of(words, VARIANT, leastUs));
  }

  /** In a line. */
  String text() {
    return String.format(
        Locale.ROOT,
        "time for a record %.0f µs; at least %.0f µs: %.0f µs where nothing is forced and %.0f µs"
            + " of a bare force into written blocks; %.2fx (%.2f to %.2f)",
        recordUs.median(),
        leastUs.median(),
        unforcedUs.median(),
        forceUs.median(),
        ratio.median(),
        ratio.min(),
        ratio.max());
  }
}
