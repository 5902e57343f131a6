// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.process.JavaHome;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.variant.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What to measure, and where.
 *
 * @param baselines what Headpond is compared with, in the order of their turns after it
 * @param loads each is measured with brokers of its own
 * @param starts how often all brokers are started afresh under each load: compilers decide anew
 * @param rounds turns of each variant for each start
 * @param seconds measured in each phase
 * @param warmUpSeconds at full speed and at the rate before the first phase of each broker
 * @param ratePerSecond records per second of the measures of latency; 0: {@link Load#defaultRate}
 * @param partitions of each topic
 * @param producers of the phase at full speed, each with a thread and a connection
 * @param fast folder on the fast device
 * @param home folder on disk
 * @param java that runs the brokers
 */
public record KafkaBenchSettings(
    List<Variant> baselines,
    List<Load> loads,
    Set<Measure> measures,
    int starts,
    int rounds,
    int seconds,
    int warmUpSeconds,
    double ratePerSecond,
    int partitions,
    int producers,
    Path fast,
    Path home,
    JavaHome java) {

  private static final int ROUNDS_MAX = 100;
  private static final int SECONDS_MAX = 600;

  public KafkaBenchSettings {
    baselines = List.copyOf(baselines);
    loads = List.copyOf(loads);
    measures = Set.copyOf(measures);
    atLeastOne(baselines.isEmpty(), "variant to compare with");
    atLeastOne(loads.isEmpty(), "size, acks and compression");
    atLeastOne(measures.isEmpty(), "measure");
    inRange(starts, 1, ROUNDS_MAX, "starts");
    inRange(rounds, 1, ROUNDS_MAX, "rounds");
    inRange(seconds, 1, SECONDS_MAX, "seconds");
    inRange(warmUpSeconds, 1, SECONDS_MAX, "seconds of warm-up");
    inRange(partitions, 1, 1_000, "partitions");
    inRange(producers, 1, 64, "producers");
    if (baselines.contains(Variant.HEADPOND) || Set.copyOf(baselines).size() != baselines.size()) {
      throw new IllegalArgumentException(
          "Headpond is compared with other variants, each named once, not with " + baselines);
    }
    if (measures.contains(Measure.CONSUME) && !measures.contains(Measure.PRODUCE)) {
      throw new IllegalArgumentException("consume needs the records that produce writes");
    }
    if (!(ratePerSecond >= 0 && ratePerSecond <= 1e6)) {
      throw new IllegalArgumentException(
          "a rate goes from 1 to 1,000,000 records/s, not " + ratePerSecond);
    }
  }

  private static void atLeastOne(boolean none, String what) {
    if (none) {
      throw new IllegalArgumentException("at least one " + what + " is needed");
    }
  }

  private static void inRange(int value, int min, int max, String what) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " go from " + min + " to " + max + ", not " + value);
    }
  }

  /** Records per second of the measures of latency under {@code load}. */
  public double rate(Load load) {
    return ratePerSecond > 0 ? ratePerSecond : load.defaultRate();
  }

  /** {@link Variant#HEADPOND} and its baselines. */
  public List<Variant> variants() {
    return ComparedVariant.withBaselines(Variant.HEADPOND, baselines);
  }

  /** Figures to be had: turns of all variants under all loads. */
  public int runs() {
    return loads.size() * starts * rounds * variants().size();
  }
}
