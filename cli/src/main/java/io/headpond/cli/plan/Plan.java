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
    Double burstEvery;
    Double retention;
    Double homeCapacity;

    /** Of a remote store's outage. */
    Double remoteOutage;
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

  /** Not a number if neither retention nor home's capacity is known. */
  final double retention;

  final double atHome;

  /** Null unless it was asked for. */
  final RemoteOutage remoteOutage;

  final List<String> calculated = new ArrayList<>();
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
    if (!unknown.isEmpty()) {
      calculated.add(unknown);
    }
    double left = Math.min(reserved, left());
    sustainedRate = sustainedRate(given, left);
    pause = CapacityPlan.pause(left, homeRate, sustainedRate);
    burstEvery = burstEvery(given);
    averageRate =
        Double.isInfinite(burstEvery)
            ? Double.isInfinite(burstLength) ? burstRate : sustainedRate
            : CapacityPlan.average(burstRate, burstLength, sustainedRate, burstEvery);
    retention = retention(given);
    atHome = CapacityPlan.atHome(averageRate, retention, stays());
    remoteOutage =
        given.remoteOutage == null
            ? null
            : RemoteOutage.of(this, given.remoteOutage, given.homeCapacity);
    check(given);
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

  /** Enough for the burst, and if their distance is given, for what is written on average. */
  private double homeRate(Given given, String unknown) {
    if (!unknown.equals("--home-rate")) {
      return given.homeRate;
    }
    double forBurst =
        CapacityPlan.homeRateForBurst(
            CapacityPlan.reserved(given.capacity, threshold), given.burstRate, given.burstLength);
    double between = given.sustainedRate == null ? 0 : given.sustainedRate;
    return given.burstEvery == null
        ? forBurst
        : Math.max(
            forBurst,
            CapacityPlan.average(given.burstRate, given.burstLength, between, given.burstEvery));
  }

  private double sustainedRate(Given given, double left) {
    if (given.sustainedRate != null) {
      return given.sustainedRate;
    }
    if (given.burstEvery == null
        || given.burstEvery <= burstLength
        || calculated.contains("--home-rate")) {
      return 0;
    }
    calculated.add("--sustained-rate");
    return Math.max(0, CapacityPlan.sustained(left, burstLength, given.burstEvery, homeRate));
  }

  private double burstEvery(Given given) {
    if (given.burstEvery != null) {
      return given.burstEvery;
    }
    calculated.add("--burst-every");
    return burstLength + pause;
  }

  private double retention(Given given) {
    if (given.retention != null) {
      return given.retention;
    }
    if (given.homeCapacity == null || averageRate == 0) {
      return Double.NaN; // what nothing is written to never fills
    }
    calculated.add("--retention");
    double outage = given.remoteOutage == null ? 0 : written(given.remoteOutage);
    return Math.max(
        0, CapacityPlan.retention(usable(given.homeCapacity) - outage, stays(), averageRate));
  }

  private void check(Given given) {
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
          "there is never room again: what is written between bursts is not less than home takes"
              + (isCalculated("--home-rate") && given.burstEvery == null
                  ? "; with --burst-every the rate that home needs for all of it is calculated"
                  : ""));
    } else if (Double.isFinite(burstLength)
        && burstEvery < (burstLength + pause) * (1 - TOLERANCE)) {
      problems.add(
          "the bursts come too soon: one each "
              + duration(burstLength + pause)
              + " would leave migration the time to make room");
    }
    if (given.homeCapacity != null && homeSize() > given.homeCapacity * (1 + TOLERANCE)) {
      problems.add(
          "home is too small for this retention: it needs " + Units.bytes(Math.round(homeSize())));
    } else if (given.homeCapacity != null
        && remoteOutage != null
        && remoteOutage.homeSize() > given.homeCapacity * (1 + TOLERANCE)) {
      problems.add(
          "home is too small for this outage of the remote store: it needs "
              + Units.bytes(Math.round(remoteOutage.homeSize()))
              + "; it lasts for "
              + duration(remoteOutage.homeLasts()));
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
    return fileSystem(atHome);
  }

  /** The file system that holds so much beside its reserve, bytes. */
  static double fileSystem(double held) {
    return held / (1 - HOME_RESERVE_STANDARD);
  }

  /** Bytes that a file system of home holds beside its reserve. */
  static double usable(double fileSystem) {
    return fileSystem * (1 - HOME_RESERVE_STANDARD);
  }

  /** The most that is written in so many seconds, bytes. */
  double written(double time) {
    return CapacityPlan.written(time, burstRate, burstLength, sustainedRate, burstEvery);
  }

  /** The time in which so many bytes may be written, seconds; 0 if there are none. */
  double lasts(double bytes) {
    return bytes <= 0
        ? 0
        : CapacityPlan.lasts(bytes, burstRate, burstLength, sustainedRate, burstEvery);
  }

  boolean isCalculated(String option) {
    return calculated.contains(option);
  }
}
