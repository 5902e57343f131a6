// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.Units;
import io.headpond.store.facts.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The repeated view of the owner's counters. Neither segments nor tier files are visited, because
 * that costs more the more there are.
 */
final class StatusWatch {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  /**
   * One tier in one look; for JSON.
   *
   * @param segmentBytes what its segments take, without the pool
   * @param standing {@code used}, {@code leaving} or {@code removed}; null if no owner runs
   * @param waits as {@code status} has it
   * @param growthBytesPerSecond negative if it shrinks
   */
  record TierJson(
      String name,
      long segmentBytes,
      long capacityBytes,
      double threshold,
      long thresholdBytes,
      long failedDirectories,
      String standing,
      String waits,
      long growthBytesPerSecond,
      ForecastJson forecast) {}

  /**
   * The forecast of a tier, for JSON.
   *
   * @param kind as {@link Forecast.Kind} has it, in lower case
   * @param inMs when, milliseconds from now; null if it stays as it is
   */
  record ForecastJson(String kind, Long inMs) {
    static ForecastJson of(Forecast forecast) {
      return new ForecastJson(forecast.kind().key(), forecast.inMs());
    }

    /** For people. */
    String words() {
      String time = inMs == null ? "" : Units.duration(Duration.ofMillis(inMs));
      return switch (Forecast.Kind.valueOf(kind.toUpperCase(Locale.ROOT))) {
        case FULL -> "at this rate full in " + time;
        case BELOW_THRESHOLD -> "at this rate below its threshold in " + time;
        case ABOVE_THRESHOLD -> "at this rate above its threshold in " + time;
        case STEADY -> "steady";
      };
    }
  }

  /**
   * One look; for JSON. All but time, tiers and homes is null if no owner ever published anything.
   *
   * @param windowMs the time that the rates are over; 0 in the first look
   */
  record LookJson(
      long atMs,
      boolean running,
      Long pid,
      long windowMs,
      Long appendedBytesPerSecond,
      Long homeAppendedBytesPerSecond,
      Long migratedDownBytesPerSecond,
      Long migratedUpBytesPerSecond,
      Long overflowSegments,
      Long migrationFailures,
      Long migrationRunning,
      Boolean migrationYielding,
      String migrationBlocked,
      List<TierJson> tiers,
      List<StatusReport.HomeJson> homes) {}

  private final StatusReport report;
  private final PrintWriter out;
  private final boolean json;
  private final LiveRates rates = new LiveRates();

  StatusWatch(Collection<Path> realLogDirs, PrintWriter out, boolean json) throws IOException {
    report = new StatusReport(realLogDirs);
    this.out = out;
    this.json = json;
  }

  /** As {@link Watch#repeat}. */
  void run(Duration interval, long count) throws IOException, InterruptedException {
    Watch.repeat(interval, count, () -> show(look(System.currentTimeMillis())));
  }

  private LookJson look(long nowMs) throws IOException {
    Optional<OwnerCounters> found = report.counters();
    List<StatusReport.HomeJson> homes = report.homes(found);
    boolean running = report.ownerRuns();
    if (found.isEmpty()) {
      return new LookJson(
          nowMs, running, null, 0, null, null, null, null, null, null, null, null, null, List.of(),
          homes);
    }
    OwnerCounters counters = found.get();
    if (running) {
      rates.add(nowMs, counters);
    } else {
      rates.clear(); // what it did last isn't what happens now
    }
    String blocked = counters.text("migration.blocked");
    return new LookJson(
        nowMs,
        running,
        counters.get("pid"),
        rates.time().toMillis(),
        rates.perSecond(OwnerCounters::appendedBytes),
        rates.perSecond(each -> each.get("home.appended.bytes")),
        rates.perSecond(each -> each.get(Count.DOWN_BYTES)),
        rates.perSecond(each -> each.get(Count.UP_BYTES)),
        counters.get(Count.OVERFLOW_SEGMENTS),
        counters.get(Count.MIGRATION_FAILURES),
        counters.get("migration.running"),
        Boolean.parseBoolean(counters.text("migration.yielding")),
        blocked.isEmpty() ? null : blocked,
        tiers(counters, running),
        homes);
  }

  private List<TierJson> tiers(OwnerCounters counters, boolean running) {
    List<TierJson> tiers = new ArrayList<>();
    for (String name : report.tierNames()) {
      String key = "tier." + name + ".";
      if (counters.find(key + "capacity.bytes").isEmpty()) {
        continue; // not configured in the owner
      }
      long segments = counters.get(key + "segment.bytes");
      long capacity = counters.get(key + "capacity.bytes");
      long threshold = counters.find(key + "threshold.bytes").orElse(-1);
      long growth = rates.perSecond(each -> each.get(key + "segment.bytes"));
      tiers.add(
          new TierJson(
              name,
              segments,
              capacity,
              counters.share(key + "threshold").orElse(-1),
              threshold,
              counters.get(key + "failed.directories"),
              running ? counters.text(key + "standing") : null,
              running ? StatusReport.waits(counters, name).orElse(null) : null,
              growth,
              ForecastJson.of(Forecast.of(segments, capacity, threshold, growth, rates.time()))));
    }
    return tiers;
  }

  private void show(LookJson look) {
    if (json) {
      Json.line(out, look);
      return;
    }
    out.print(Watch.clearScreen());
    StatusText text = new StatusText(out);
    String clock =
        LocalTime.ofInstant(Instant.ofEpochMilli(look.atMs()), ZoneId.systemDefault())
            .format(CLOCK);
    if (look.pid() == null) {
      out.println(clock + "  no broker has published anything here yet");
    } else {
      out.println(clock + "  owner: process " + look.pid() + window(look));
      boolean rated = look.running() && look.windowMs() > 0;
      if (rated) {
        rates(look);
      }
      look.tiers().forEach(tier -> tier(tier, rated));
      if (look.running()) {
        text.migrationState(
            look.migrationRunning(),
            rated && look.migratedDownBytesPerSecond() + look.migratedUpBytesPerSecond() > 0,
            look.migrationYielding(),
            look.migrationBlocked());
      }
    }
    look.homes().forEach(text::home);
    out.println();
    out.flush();
  }

  private static String window(LookJson look) {
    if (!look.running()) {
      return ", no longer running";
    }
    return look.windowMs() == 0
        ? "; rates from the next look on"
        : "; rates over the last " + Units.duration(Duration.ofMillis(look.windowMs()));
  }

  private static String rate(long bytesPerSecond) {
    return Units.bytesPerSecond(bytesPerSecond, Duration.ofSeconds(1));
  }

  private void rates(LookJson look) {
    out.println(
        "  appended "
            + rate(look.appendedBytesPerSecond())
            + ", of it "
            + rate(look.homeAppendedBytesPerSecond())
            + " at home");
    out.println(
        "  migrated down "
            + rate(look.migratedDownBytesPerSecond())
            + ", up "
            + rate(look.migratedUpBytesPerSecond())
            + (look.overflowSegments() == 0
                ? ""
                : "; "
                    + Units.count(look.overflowSegments(), "segment")
                    + " overflowed since the start"));
  }

  private void tier(TierJson tier, boolean rated) {
    out.println(
        "  tier "
            + tier.name()
            + ": "
            + Units.bytes(tier.segmentBytes())
            + " of "
            + Units.bytes(tier.capacityBytes())
            + " used ("
            + Units.share(tier.segmentBytes(), tier.capacityBytes())
            + "), "
            + StatusText.threshold(tier.threshold())
            + StatusText.failed(tier.failedDirectories())
            + TierStanding.words(tier.standing(), tier.waits()));
    if (rated) {
      long growth = tier.growthBytesPerSecond();
      out.println(
          "    "
              + (growth < 0 ? "-" : "+")
              + rate(Math.abs(growth))
              + ": "
              + tier.forecast().words());
    }
  }
}
