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
 *       written on average; it must not be above {@code H}, and {@code E >= L + P}. With bursts as
 *       soon as they may come, {@code A = H}
 *   <li>with retention {@code R}, {@code A * R} is kept; of it {@code C * t} stays in the fast
 *       tier, and home must hold the rest, plus its reserve
 *   <li>during an outage of a remote store nothing is deleted: {@code A * O} is kept too, more if
 *       {@code O} isn't a multiple of {@code E} and begins with a burst
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

  /** The most that may be written between bursts that come every {@code every} seconds. */
  static double sustained(double left, double length, double every, double home) {
    return home - left / (every - length);
  }

  /** The average rate, bytes per second, with a burst every {@code every} seconds. */
  static double average(double burst, double length, double sustained, double every) {
    return cycle(burst, length, sustained, every) / every;
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

  /** The retention that a home of that size allows, seconds. */
  static double retention(double home, double stays, double average) {
    return (home + stays) / average;
  }

  /**
   * The most that is written in {@code time} seconds, bytes: they begin with a burst.
   *
   * @param every seconds between the begins of two bursts; may be infinite, as {@code length}
   */
  static double written(double time, double burst, double length, double sustained, double every) {
    if (time > every) {
      double whole = Math.floor(time / every);
      return whole * cycle(burst, length, sustained, every)
          + written(time - whole * every, burst, length, sustained, every);
    }
    return burst * Math.min(time, length) + sustained * Math.max(0, time - length);
  }

  /** The shortest time in which {@code bytes} may be written, seconds; the inverse of written. */
  static double lasts(double bytes, double burst, double length, double sustained, double every) {
    double cycle = cycle(burst, length, sustained, every);
    if (bytes > cycle) {
      double whole = Math.floor(bytes / cycle);
      return whole * every + lasts(bytes - whole * cycle, burst, length, sustained, every);
    }
    return bytes <= burst * length ? bytes / burst : length + (bytes - burst * length) / sustained;
  }

  /** Bytes written between the beginnings of two bursts; a longer burst is one without a pause. */
  private static double cycle(double burst, double length, double sustained, double every) {
    double within = Math.min(length, every);
    return Double.isInfinite(every)
        ? Double.POSITIVE_INFINITY
        : burst * within + sustained * (every - within);
  }
}
