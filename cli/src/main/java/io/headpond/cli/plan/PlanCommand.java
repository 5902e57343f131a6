// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.plan;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.RateConverter;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond plan}: the size and threshold of a tier for bursts, or the bursts for a tier. */
@Command(
    name = "plan",
    description = {
      "Calculate a fast tier: its size and threshold, the burst that it absorbs, the pause until the "
          + "next, and the size of home.",
      "",
      "Give four of --capacity, --threshold, --burst-rate, --burst-length and --home-rate; the fifth "
          + "is calculated. If the threshold and another one are left out, the threshold is 0.5. With "
          + "all five the plan is checked: exit code 1 if it doesn't hold. Rates are bytes per second: "
          + "2GiB is 2 GiB in each second. The formulas are in docs/migration.md."
    },
    footer = {
      "  headpond plan --burst-rate 2GiB --burst-length 60s --home-rate 500MiB",
      "  headpond plan --capacity 600GiB --burst-rate 8GiB --home-rate 500MiB --retention 24h",
      "  headpond plan --capacity 600GiB --burst-rate 8GiB --home-rate 500MiB --partitions 1000"
    })
public final class PlanCommand extends StandardCommand {
  /** More than {@code double} is wrong by: 0.57 * 100 is less than 57. */
  private static final double ROUNDING = 1e-9;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "The fast tier's size, headpond.tier.NAME.capacity.")
  private Long capacity;

  @Option(
      names = "--threshold",
      paramLabel = "SHARE",
      description =
          "The used share that migration steers to, 0 to 1; what is above it is for bursts.")
  private Double threshold;

  @Option(
      names = "--burst-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      description = "The rate of all writes in a burst.")
  private Long burstRate;

  @Option(names = "--burst-length", paramLabel = "TIME", description = "The length of a burst.")
  private Duration burstLength;

  @Option(
      names = "--home-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      description =
          "Home's write rate, or migration's limit, whichever is less (docs/hardware.md: how to"
              + " measure it).")
  private Long homeRate;

  @Option(
      names = "--sustained-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      description = "The rate of writes between bursts. Default: nothing.")
  private Long sustainedRate;

  @Option(
      names = "--retention",
      paramLabel = "TIME",
      description = "The time that the engine keeps data; needed for the size of home.")
  private Duration retention;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "The partitions that are written to on this broker, as leader and as follower: whether"
              + " their active segments fit into the tier is checked.")
  private Long partitions;

  @Option(
      names = "--segment-bytes",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "1GiB",
      description = "Kafka's segment.bytes (default: ${DEFAULT-VALUE}).")
  private long segmentBytes;

  @Mixin private JsonOption json;

  /**
   * The plan; for JSON. Rates are bytes per second; what never ends or never happens is null, and
   * what home must hold is null without a retention.
   *
   * @param ok does it hold?
   * @param calculated the option that was calculated; null if all were given
   * @param absorbedMs how long a burst of that rate may last at most
   * @param absorbedWithoutMigrationMs the same if nothing goes home meanwhile
   * @param pauseMs from the end of a burst to the soonest begin of the next
   * @param activeSegmentsFitting the full active segments that fit below the threshold
   */
  record ResultJson(
      boolean ok,
      String calculated,
      List<String> problems,
      long capacityBytes,
      double threshold,
      long reservedBytes,
      long burstBytesPerSecond,
      Long burstLengthMs,
      Long absorbedMs,
      Long absorbedWithoutMigrationMs,
      long homeBytesPerSecond,
      long sustainedBytesPerSecond,
      Long pauseMs,
      Long burstEveryMs,
      long averageBytesPerSecond,
      Long retentionMs,
      Long atHomeBytes,
      Long homeFileSystemBytes,
      long activeSegmentsFitting) {}

  @Override
  public Integer call() {
    Plan plan;
    ActiveSegments active;
    try {
      plan = Plan.of(given());
      active =
          new ActiveSegments(
              partitions == null ? 0 : atLeastOne("--partitions", partitions),
              atLeastOne("--segment-bytes", segmentBytes));
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    active
        .problem(plan.capacity, Math.max(0, plan.threshold))
        .ifPresent(
            problem ->
                plan.problems.add(
                    problem + "; " + active.remedy(plan.capacity, Math.max(0, plan.threshold))));
    if (json.given()) {
      Json.print(out(), result(plan, active));
    } else {
      print(plan, active, out());
    }
    return plan.problems.isEmpty() ? 0 : 1;
  }

  private static long atLeastOne(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be more than 0");
    }
    return value;
  }

  private Plan.Given given() {
    if (threshold != null && !(threshold >= 0 && threshold < 1)) {
      throw new IllegalArgumentException(
          "--threshold must be at least 0 and less than 1: at 1, and with -1, no room is made for"
              + " a burst");
    }
    Plan.Given given = new Plan.Given();
    given.capacity = positive("--capacity", capacity);
    given.threshold = threshold;
    given.burstRate = positive("--burst-rate", burstRate);
    given.burstLength = seconds("--burst-length", burstLength);
    given.homeRate = positive("--home-rate", homeRate);
    given.sustainedRate = sustainedRate == null ? null : (double) sustainedRate;
    given.retention = seconds("--retention", retention);
    return given;
  }

  private static Double positive(String option, Long value) {
    if (value != null && value <= 0) {
      throw new IllegalArgumentException(option + " must be more than 0");
    }
    return value == null ? null : (double) value;
  }

  private static Double seconds(String option, Duration value) {
    return value == null ? null : positive(option, value.toMillis()) / 1e3;
  }

  private static Long ms(double seconds) {
    return Double.isFinite(seconds) ? Math.round(seconds * 1e3) : null;
  }

  private static Long bytes(double bytes) {
    return Double.isFinite(bytes) ? Math.round(bytes) : null;
  }

  private static ResultJson result(Plan plan, ActiveSegments active) {
    return new ResultJson(
        plan.problems.isEmpty(),
        plan.calculated,
        plan.problems,
        Math.round(plan.capacity),
        plan.threshold,
        Math.round(plan.reserved()),
        Math.round(plan.burstRate),
        ms(plan.burstLength),
        ms(plan.absorbed),
        ms(plan.absorbedWithoutMigration),
        Math.round(plan.homeRate),
        Math.round(plan.sustainedRate),
        ms(plan.pause),
        ms(plan.burstEvery),
        Math.round(plan.averageRate),
        ms(plan.retention),
        bytes(plan.atHome),
        bytes(plan.homeSize()),
        active.fitting(plan.capacity, Math.max(0, plan.threshold)));
  }

  private static String rate(double bytesPerSecond) {
    return Units.bytes(Math.round(bytesPerSecond)) + "/s";
  }

  private static String time(double seconds) {
    return Double.isInfinite(seconds) ? "any time" : Plan.duration(seconds);
  }

  private static String mark(Plan plan, String option) {
    return plan.isCalculated(option) ? " (calculated)" : "";
  }

  private static void print(Plan plan, ActiveSegments active, PrintWriter out) {
    printBurst(plan, out);
    printNextBurst(plan, out);
    if (!Double.isNaN(plan.retention)) {
      out.printf(
          "home         %s for %s, beside %s that stay in the fast tier; with a reserve of 5 %% a"
              + " file system of %s%n",
          Units.bytes(Math.round(plan.atHome)),
          Plan.duration(plan.retention),
          Units.bytes(Math.round(plan.stays())),
          Units.bytes(Math.round(plan.homeSize())));
    }
    if (plan.capacity > 0) {
      out.printf(
          Locale.ROOT,
          "partitions   %,d whose segments of %s (segment.bytes) are written to at once fit below"
              + " the threshold%n",
          active.fitting(plan.capacity, Math.max(0, plan.threshold)),
          Units.bytes(active.segmentBytes()));
    }
    if (plan.problems.isEmpty()) {
      printSettings(plan, out);
    }
    plan.problems.forEach(problem -> out.println("PROBLEM      " + problem));
    out.flush();
  }

  private static void printBurst(Plan plan, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "fast tier    %s%s, threshold %.2f%s: %s of it for bursts%n",
        Units.bytes(Math.round(plan.capacity)),
        mark(plan, "--capacity"),
        plan.threshold,
        mark(plan, "--threshold"),
        Units.bytes(Math.round(plan.reserved())));
    out.printf(
        "burst        %s%s for %s%s, while home takes %s%s%n",
        rate(plan.burstRate),
        mark(plan, "--burst-rate"),
        time(plan.burstLength),
        mark(plan, "--burst-length"),
        rate(plan.homeRate),
        mark(plan, "--home-rate"));
    if (Double.isInfinite(plan.absorbed)) {
      out.println("             home takes all of it: the tier never fills");
    } else {
      out.printf(
          "             absorbed for %s; for %s if migration rests meanwhile, to spare appends%n",
          time(plan.absorbed), time(plan.absorbedWithoutMigration));
    }
  }

  private static void printNextBurst(Plan plan, PrintWriter out) {
    out.printf(
        "next burst   %s; between bursts %s are written, %s on average%n",
        soonest(plan), rate(plan.sustainedRate), rate(plan.averageRate));
  }

  private static String soonest(Plan plan) {
    if (Double.isInfinite(plan.pause)) {
      return "never";
    }
    if (plan.pause == 0) {
      return "at once";
    }
    String after = Plan.duration(plan.pause) + " after the end of the last at the soonest";
    return Double.isInfinite(plan.burstEvery)
        ? after
        : after + ", one each " + Plan.duration(plan.burstEvery);
  }

  private static void printSettings(Plan plan, PrintWriter out) {
    if (plan.capacity > 0) {
      out.printf(
          Locale.ROOT,
          "settings     headpond.tier.NAME.capacity=%dMiB%n"
              + "             headpond.tier.NAME.migrate.threshold=%.2f%n",
          (long) Math.ceil(plan.capacity / (1 << 20) * (1 - ROUNDING)),
          Math.floor(plan.threshold * 100 + ROUNDING) / 100);
    } else {
      out.println("settings     none: this burst needs no tier");
    }
  }
}
