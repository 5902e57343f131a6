// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.load.Pace;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.kafka.rig.KafkaRigs;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.Starts;
import io.headpond.lab.scenario.Turns;
import io.headpond.store.config.DurabilityMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The measurement of {@code headpond-lab run kafka}.
 *
 * @param variants Headpond's, then its baselines
 * @param loads each is measured with brokers of its own
 * @param starts how often all brokers are started afresh under each load: compilers decide anew
 * @param rounds turns of each variant for each start
 * @param seconds measured in each phase
 * @param warmUpSeconds at full speed and at the rate before the first phase of each broker
 * @param ratePerSecond records per second of the measures of latency; 0: that of the load
 * @param partitions of each topic
 * @param producers of the phase at full speed, each with a thread and a connection
 * @param window records that may wait for their answer there; 0: as many as the producers hold
 * @param durability of Headpond's appends
 */
record KafkaPlan(
    List<Variant> variants,
    List<KafkaTurn.Load> loads,
    Set<KafkaMeasure> measures,
    int starts,
    int rounds,
    double seconds,
    double warmUpSeconds,
    double ratePerSecond,
    int partitions,
    int producers,
    int window,
    DurabilityMode durability) {

  private static final int ROUNDS_MAX = 100;
  private static final int SECONDS_MAX = 600;
  private static final int WINDOW_MAX = 10_000;

  /** Bytes of a record beside its value: its key, and its part of a batch. */
  private static final int RECORD_OVERHEAD_BYTES = 100;

  /** Refuses what can't be measured. */
  KafkaPlan {
    variants = List.copyOf(variants);
    loads = List.copyOf(loads);
    measures = Set.copyOf(measures);
    check(variants.size() > 1, "at least one variant to compare with is needed");
    check(!loads.isEmpty(), "at least one size, acks and compression is needed");
    check(!measures.isEmpty(), "at least one measure is needed");
    inRange(starts, ROUNDS_MAX, "starts");
    inRange(rounds, ROUNDS_MAX, "rounds");
    inRange((int) seconds, SECONDS_MAX, "seconds");
    inRange((int) warmUpSeconds, SECONDS_MAX, "seconds of warm-up");
    inRange(partitions, 1_000, "partitions");
    inRange(producers, 64, "producers");
    check(
        window >= 0 && window <= WINDOW_MAX && window % producers == 0,
        "a window is a multiple of the producers, up to " + WINDOW_MAX + " records, not " + window);
    check(
        Set.copyOf(variants).size() == variants.size(),
        "Headpond is compared with other variants, each named once, not with "
            + variants.subList(1, variants.size()));
    check(
        !measures.contains(KafkaMeasure.CONSUME) || measures.contains(KafkaMeasure.PRODUCE),
        "consume needs the records that produce writes");
    check(
        ratePerSecond >= 0 && ratePerSecond <= 1e6,
        "a rate goes from 1 to 1,000,000 records/s, not " + ratePerSecond);
    loads.forEach(KafkaTurn.Load::producers);
    loads.forEach(load -> point(load.recordBytes(), partitions, seconds));
  }

  private static void check(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static void inRange(int value, int max, String what) {
    check(value >= 1 && value <= max, what + " go from 1 to " + max + ", not " + value);
  }

  /** Records per second of the measures of latency under {@code load}. */
  double rate(KafkaTurn.Load load) {
    return ratePerSecond > 0 ? ratePerSecond : load.defaultRate();
  }

  /** Figures to be had: turns of all variants under all loads. */
  int runs() {
    return loads.size() * starts * rounds * variants.size();
  }

  /** The bytes of the largest measure of latency, which must have room. */
  long pacedBytesMax() {
    return loads.stream()
        .map(this::paced)
        .mapToLong(
            point ->
                (long)
                    (point.pace().meanPerSecond()
                        * (point.messageBytes() + RECORD_OVERHEAD_BYTES)
                        * (point.rampSeconds() + point.seconds())))
        .max()
        .orElseThrow();
  }

  private static Point point(int recordBytes, int partitions, double seconds) {
    return Point.of(recordBytes, seconds).on(1, partitions);
  }

  /** The measures of latency. */
  Point paced(KafkaTurn.Load load) {
    return point(load.recordBytes(), partitions, seconds)
        .at(Pace.constant(rate(load)))
        .lasting(Math.max(1, seconds / 5.0), seconds);
  }

  /** The measures at full speed. */
  Point fullSpeed(KafkaTurn.Load load) {
    return point(load.recordBytes(), partitions, seconds)
        .clients(producers, 0)
        .window(window)
        .lasting(seconds / 5.0, seconds);
  }

  /**
   * Measures it.
   *
   * @param listener gets each turn
   */
  void run(Starts all, RigSettings place, BenchListener<KafkaTurn> listener)
      throws IOException, InterruptedException {
    for (KafkaTurn.Load load : loads) {
      all.run(
          starts,
          start ->
              new KafkaRigs(
                  place,
                  variants,
                  load.producers(),
                  KafkaTier.keeps(partitions).durability(durability),
                  null,
                  listener::progress),
          (start, rigs) -> measure(load, start, rigs, place.fast(), listener));
    }
  }

  private void measure(
      KafkaTurn.Load load, int start, List<Rig> rigs, Path fast, BenchListener<KafkaTurn> listener)
      throws IOException, InterruptedException {
    for (Rig rig : rigs) {
      new KafkaPhases(this, load, (KafkaRig) rig, 0, listener::progress).warmUp();
    }
    for (int round = start * rounds + 1; round <= (start + 1) * rounds; round++) {
      Map<Rig, KafkaPhases> phases = new LinkedHashMap<>();
      for (Rig rig : rigs) {
        phases.put(rig, new KafkaPhases(this, load, (KafkaRig) rig, round, listener::progress));
      }
      for (KafkaMeasure measure : KafkaMeasure.values()) {
        // Consuming follows producing at once, in the same phase.
        if (measures.contains(measure) && measure != KafkaMeasure.CONSUME) {
          Turns.round(rigs, round, rig -> phases.get(rig).take(measure));
        }
      }
      Double bareForceUs =
          hasLeastTime()
              ? BareForce.micros(fast, load.recordBytes() + RECORD_OVERHEAD_BYTES)
              : null;
      phases.forEach(
          (rig, each) ->
              listener.finished(
                  each.turn(((KafkaRig) rig).variant() == Variant.HEADPOND ? bareForceUs : null)));
    }
  }

  /** True if there is a {@link LeastTime}: each record is durable, and waits for no other one. */
  private boolean hasLeastTime() {
    return durability == DurabilityMode.APPEND
        && window == 1
        && measures.contains(KafkaMeasure.PRODUCE)
        && variants.contains(Variant.VANILLA_DISK);
  }
}
