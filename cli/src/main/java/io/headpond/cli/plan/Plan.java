// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.plan;

import io.headpond.cli.console.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan: the given figures, those that follow from them, and whether it holds. {@link
 * CapacityPlan} has the formulas. Units as there; what is infinite never happens.
 */
final class Plan {
  /** {@code headpond.tier.NAME.migrate.threshold}'s default. */
  static final double THRESHOLD_STANDARD = 0.5;

  /** {@code headpond.home.reserve}'s default. */
  static final double HOME_RESERVE_STANDARD = 0.05;

  /** Rounding of what an operator typed isn't a problem. */
  private static final double TOLERANCE = 1e-6;

  /** The known figures; null stands for an unknown one. */
  static final class Given {
    Double capacity;
    Double threshold;
    Double burstRate;
    Double burstLength;
    Double homeRate;
    Double sustainedRate;
    Double retention;
  }

  final double capacity;
  final double threshold;
  final double burstRate;
  final double burstLength;
  final double homeRate;
  final double sustainedRate;
  final double burstEvery;
  final double pause;
  final double averageRate;

  /** The longest burst of that rate, with migration and without, seconds. */
  final double absorbed;

  final double absorbedWithoutMigration;

  /** Not a number if it isn't known. */
  final double retention;

  final double atHome;

  /** The option that was calculated; null if all were given. */
  final String calculated;

  final List<String> problems = new ArrayList<>();

  private Plan(Given given) {
    String unknown = unknown(given);
    threshold = threshold(given, unknown);
    homeRate = homeRate(given, unknown);
    double b = value(given.burstRate);
    double l = value(given.burstLength);
    capacity =
        unknown.equals("--capacity")
            ? CapacityPlan.capacity(b, l, homeRate, threshold)
            : given.capacity;
    double reserved = reserved();
    burstRate = unknown.equals("--burst-rate") ? CapacityPlan.burstRate(reserved, l, homeRate) : b;
    absorbed = CapacityPlan.burstLength(reserved, burstRate, homeRate);
    absorbedWithoutMigration = reserved / burstRate;
    burstLength = unknown.equals("--burst-length") ? absorbed : l;
    calculated = unknown.isEmpty() ? null : unknown;
    double left = Math.min(reserved, left());
    sustainedRate = given.sustainedRate == null ? 0 : given.sustainedRate;
    pause = CapacityPlan.pause(left, homeRate, sustainedRate);
    burstEvery = burstLength + pause;
    averageRate =
        Double.isInfinite(burstEvery)
            ? Double.isInfinite(burstLength) ? burstRate : sustainedRate
            : CapacityPlan.average(burstRate, burstLength, sustainedRate, burstEvery);
    retention = value(given.retention);
    atHome = CapacityPlan.atHome(averageRate, retention, stays());
    check();
  }

  /**
   * Calculates what is missing.
   *
   * @throws IllegalArgumentException with the reason, if too little is known
   */
  static Plan of(Given given) {
    return new Plan(given);
  }

  private static double value(Double given) {
    return given == null ? Double.NaN : given;
  }

  /** The one of five quantities that follows from the other four; empty if all are given. */
  private static String unknown(Given given) {
    Map<String, Double> quantities = new LinkedHashMap<>();
    quantities.put("--capacity", given.capacity);
    quantities.put("--burst-rate", given.burstRate);
    quantities.put("--burst-length", given.burstLength);
    quantities.put("--home-rate", given.homeRate);
    List<String> missing =
        new ArrayList<>(
            quantities.keySet().stream().filter(name -> quantities.get(name) == null).toList());
    if (missing.isEmpty() && given.threshold == null) {
      return "--threshold";
    }
    if (missing.size() > 1) {
      throw new IllegalArgumentException(
          "give three of "
              + String.join(", ", quantities.keySet())
              + ", and the fourth is calculated"
              + (missing.size() == quantities.size()
                  ? ""
                  : "; missing: " + String.join(", ", missing)));
    }
    return missing.isEmpty() ? "" : missing.get(0);
  }

  private static double threshold(Given given, String unknown) {
    if (unknown.equals("--threshold")) {
      return CapacityPlan.threshold(
          given.capacity, given.burstRate, given.burstLength, given.homeRate);
    }
    return given.threshold == null ? THRESHOLD_STANDARD : given.threshold;
  }

  private double homeRate(Given given, String unknown) {
    return unknown.equals("--home-rate")
        ? CapacityPlan.homeRateForBurst(
            CapacityPlan.reserved(given.capacity, threshold), given.burstRate, given.burstLength)
        : given.homeRate;
  }

  private void check() {
    if (threshold < 0) {
      problems.add(
          "the capacity is too small for this burst even if the tier is empty before it: "
              + Units.bytes(Math.round(left()))
              + " have to wait in it");
    } else if (burstLength > absorbed * (1 + TOLERANCE)) {
      problems.add(
          "the tier is full after "
              + duration(absorbed)
              + " of the burst; the rest of it goes home, at home's rate");
    }
    if (Double.isInfinite(pause)) {
      problems.add(
          "there is never room again: what is written between bursts is not less than home takes");
    }
  }

  static String duration(double seconds) {
    return Units.duration(Duration.ofMillis(Math.round(seconds * 1e3)));
  }

  /** Room for bursts, bytes. */
  double reserved() {
    return CapacityPlan.reserved(capacity, Math.max(0, threshold));
  }

  /** The bytes that the burst leaves above the threshold. */
  double left() {
    return Double.isInfinite(burstLength) ? 0 : CapacityPlan.left(burstRate, burstLength, homeRate);
  }

  /** The bytes that stay in the fast tier at its threshold. */
  double stays() {
    return capacity * Math.max(0, threshold);
  }

  /** The file system that home needs, bytes, with its reserve. */
  double homeSize() {
    return atHome / (1 - HOME_RESERVE_STANDARD);
  }

  boolean isCalculated(String option) {
    return option.equals(calculated);
  }
}
