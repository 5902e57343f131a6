// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.plan;

/**
 * The arithmetic of a fast tier that takes bursts above a slower home.
 *
 * <p>All that is written goes to the fast tier first. Migration takes it home at {@code home} bytes
 * per second (what home takes, or what migration is limited to) as long as the tier is above its
 * threshold. With {@code C} the capacity, {@code t} the threshold, {@code B} the rate of a burst
 * (all that is written during it), {@code S} what is written between bursts, {@code H} what home
 * takes:
 *
 * <ul>
 *   <li>room for bursts: {@code reserved = C * (1 - t)}
 *   <li>a burst is absorbed for {@code L = reserved / (B - H)}, without end if {@code B <= H}; at
 *       least for {@code reserved / B}, if migration rests meanwhile because it yields to appends
 *       (Pafka's formula)
 *   <li>the next one may begin after a pause of {@code P = (B - H) * L / (H - S)}; at least {@code
 *       reserved / H} (Pafka's formula) if nothing went home during the burst and nothing is
 *       written in the pause. Never if {@code S >= H}
 *   <li>with bursts of length {@code L} every {@code E}: {@code A = (B * L + S * (E - L)) / E} is
 *       written on average. With bursts as soon as they may come, {@code E = L + P} and {@code A =
 *       H}
 *   <li>with retention {@code R}, {@code A * R} is kept; of it {@code C * t} stays in the fast
 *       tier, and home must hold the rest, plus its reserve
 * </ul>
 *
 * <p>Sizes are in bytes, rates in bytes per second, times in seconds; {@code double}, because they
 * are estimates, and infinity is an answer.
 */
final class CapacityPlan {
  private CapacityPlan() {}

  /** Room for bursts, bytes: {@code C * (1 - t)}. */
  static double reserved(double capacity, double threshold) {
    return capacity * (1 - threshold);
  }

  /** The time that a burst is absorbed, seconds; infinite if home takes all of it. */
  static double burstLength(double reserved, double burst, double home) {
    return burst <= home ? Double.POSITIVE_INFINITY : reserved / (burst - home);
  }

  /** The largest burst that is absorbed for that long, bytes per second. */
  static double burstRate(double reserved, double length, double home) {
    return home + reserved / length;
  }

  /** The least that home must take for that burst to be absorbed, bytes per second; at least 0. */
  static double homeRateForBurst(double reserved, double burst, double length) {
    return Math.max(0, burst - reserved / length);
  }

  /** The capacity that absorbs that burst, bytes. */
  static double capacity(double burst, double length, double home, double threshold) {
    return Math.max(0, burst - home) * length / (1 - threshold);
  }

  /** The highest threshold that absorbs that burst; negative if the capacity is too small. */
  static double threshold(double capacity, double burst, double length, double home) {
    return 1 - Math.max(0, burst - home) * length / capacity;
  }

  /** The bytes that a burst leaves above the threshold, if the tier doesn't overflow before. */
  static double left(double burst, double length, double home) {
    return Math.max(0, burst - home) * length;
  }

  /**
   * The wait after a burst until the next may begin, seconds; infinite if that never comes.
   *
   * @param left bytes above the threshold at the burst's end
   */
  static double pause(double left, double home, double sustained) {
    if (left <= 0) {
      return 0;
    }
    return sustained >= home ? Double.POSITIVE_INFINITY : left / (home - sustained);
  }

  /** The average rate, bytes per second, with a burst every {@code every} seconds. */
  static double average(double burst, double length, double sustained, double every) {
    return (burst * length + sustained * (every - length)) / every;
  }

  /**
   * The bytes that home must hold.
   *
   * @param average bytes per second that are written
   * @param retention seconds
   * @param stays bytes that stay in the fast tier: {@code C * t}
   */
  static double atHome(double average, double retention, double stays) {
    return Math.max(0, average * retention - stays);
  }
}
