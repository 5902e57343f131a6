// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The orders in which bursts follow one another. */
public enum BurstProfile {
  /** All bursts alike. */
  CONSTANT,
  /** Each burst at a higher rate than the one before; the last at the full rate. */
  STEP,
  /** Bursts with rates, lengths and pauses of their own, from a seed. */
  RANDOM;

  /**
   * One burst.
   *
   * @param begin seconds from the first's beginning
   * @param seconds how long
   * @param bytesPerSecond written during it
   */
  public record Burst(double begin, double seconds, double bytesPerSecond) {

    /** The end, seconds from the beginning of the first burst. */
    public double end() {
      return begin + seconds;
    }
  }

  /** Its name on the command line and in results. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Bursts, none above {@code bytesPerSecond}.
   *
   * @param count how many
   * @param seconds length of each; of random ones half to one and a half of it
   * @param pause seconds from a burst's end to the next one's beginning; of random ones three
   *     quarters to one and a quarter of it
   * @param seed of random ones
   */
  List<Burst> bursts(int count, double bytesPerSecond, double seconds, double pause, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Burst> bursts = new ArrayList<>();
    double begin = 0;
    for (int i = 1; i <= count; i++) {
      double rate =
          switch (this) {
            case CONSTANT -> bytesPerSecond;
            case STEP -> bytesPerSecond * (0.5 + 0.5 * i / count);
            case RANDOM -> bytesPerSecond * random.nextDouble(0.5, 1);
          };
      Burst burst = new Burst(begin, seconds * varied(random, 0.5), rate);
      bursts.add(burst);
      begin = burst.end() + pause * varied(random, 0.25);
    }
    return bursts;
  }

  private double varied(SplittableRandom random, double by) {
    return this == RANDOM ? random.nextDouble(1 - by, 1 + by) : 1;
  }
}
