// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Units;
import io.headpond.store.facts.Count;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a status for people. */
final class StatusText {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final PrintWriter out;

  StatusText(PrintWriter out) {
    this.out = new Lines(out);
  }

  void print(StatusReport.ResultJson status) {
    if (status.tiers().isEmpty()) {
      out.println("no tiers: Headpond never wrote here, or everything was drained");
    }
    status.tiers().forEach(this::tier);
    status.logDirs().forEach(this::logDir);
    status.homes().forEach(this::home);
    if (status.owner() != null) {
      owner(status.owner());
    }
    topics(status);
    if (status.partition() != null) {
      partition(status.partition());
    }
    if (!status.intact()) {
      out.println("something is wrong here; 'headpond verify' says more");
    }
    out.flush();
  }

  /** Prints one look of many. */
  void live(StatusReport.ResultJson look) {
    String clock =
        LocalTime.ofInstant(Instant.ofEpochMilli(look.atMs()), ZoneId.systemDefault())
            .format(CLOCK);
    StatusReport.OwnerJson owner = look.owner();
    if (owner == null) {
      out.println(clock + "  no broker has published anything here yet");
    } else {
      boolean rated = look.rates() != null && look.rates().windowMs() > 0;
      out.println(clock + "  owner: process " + owner.pid() + window(look.rates()));
      if (rated) {
        rates(look.rates(), owner.count(Count.OVERFLOW_SEGMENTS));
      }
      look.tiers().forEach(tier -> liveTier(tier, rated));
      if (owner.running()) {
        migrationState(
            owner.migrationRunning(),
            rated
                && look.rates().migratedDownBytesPerSecond()
                        + look.rates().migratedUpBytesPerSecond()
                    > 0,
            owner.migrationYielding(),
            owner.migrationBlocked());
      }
    }
    look.homes().forEach(this::home);
    topics(look);
    out.println();
    out.flush();
  }

  private static String window(StatusReport.RatesJson rates) {
    if (rates == null) {
      return ", no longer running";
    }
    return rates.windowMs() == 0
        ? "; rates from the next look on"
        : "; rates over the last " + Units.duration(Duration.ofMillis(rates.windowMs()));
  }

  private static String rate(long bytesPerSecond) {
    return Units.bytesPerSecond(bytesPerSecond, Duration.ofSeconds(1));
  }

  private void rates(StatusReport.RatesJson rates, long overflowed) {
    out.println(
        "  appended "
            + rate(rates.appendedBytesPerSecond())
            + ", of it "
            + rate(rates.homeAppendedBytesPerSecond())
            + " at home");
    out.println(
        "  migrated down "
            + rate(rates.migratedDownBytesPerSecond())
            + ", up "
            + rate(rates.migratedUpBytesPerSecond())
            + (overflowed == 0
                ? ""
                : "; " + Units.count(overflowed, "segment") + " overflowed since the start"));
  }

  private void liveTier(StatusReport.TierJson tier, boolean rated) {
    out.println(
        "  tier "
            + tier.name()
            + ": "
            + Units.bytes(tier.usedBytes())
            + " of "
            + Units.bytes(tier.capacityBytes())
            + " used ("
            + Units.share(tier.usedBytes(), tier.capacityBytes())
            + "), "
            + threshold(tier.threshold())
            + failed(tier)
            + draining(tier.draining(), tier.usedBytes() == 0)
            + waits(tier.waits()));
    if (rated) {
      long growth = tier.growthBytesPerSecond();
      out.println(
          "    "
              + (growth < 0 ? "-" : "+")
              + rate(Math.abs(growth))
              + ": "
              + words(tier.forecast()));
    }
  }

  private static String words(StatusReport.ForecastJson forecast) {
    String time = forecast.inMs() == null ? "" : Units.duration(Duration.ofMillis(forecast.inMs()));
    return switch (Forecast.Kind.valueOf(forecast.kind().toUpperCase(Locale.ROOT))) {
      case FULL -> "at this rate full in " + time;
      case BELOW_THRESHOLD -> "at this rate below its threshold in " + time;
      case ABOVE_THRESHOLD -> "at this rate above its threshold in " + time;
      case STEADY -> "steady";
    };
  }

  private void topics(StatusReport.ResultJson status) {
    if (status.topics() != null) {
      out.println(Units.count(status.topics().size(), "topic"));
      if (status.topicsHint() != null) {
        out.println("  " + status.topicsHint());
      }
      TopicTable.print(out, status.topics());
    }
  }

  private void partition(Explanation.PartitionJson partition) {
    out.println(
        "partition "
            + partition.name()
            + " in "
            + partition.logDir()
            + ", policy "
            + partition.policy()
            + " of "
            + partition.configuration());
    partition.tiers().forEach(tier -> out.println("  tier " + tier));
    for (Explanation.SegmentJson segment : partition.segments()) {
      out.println(
          "  "
              + segment.name()
              + "  "
              + Units.bytes(segment.bytes())
              + (segment.tier().equals(TopicMove.HOME) ? " at home" : " in " + segment.tier())
              + ", last append "
              + ago(segment.lastAppendAgeMs())
              + (segment.newestRecordAgeMs() == null
                  ? ""
                  : ", newest record of " + ago(segment.newestRecordAgeMs())));
      out.println("    " + next(segment) + ": " + segment.explanation());
    }
    partition.notKnown().forEach(line -> out.println("  not known: " + line));
  }

  private static String next(Explanation.SegmentJson segment) {
    return switch (segment.next()) {
      case "up" -> "comes up";
      case "down" -> "goes down";
      default -> "stays";
    };
  }

  private static String ago(long ms) {
    return Units.duration(Duration.ofMillis(Math.max(0, ms))) + " ago";
  }

  private void tier(StatusReport.TierJson tier) {
    String capacity =
        tier.capacityBytes() == null
            ? "capacity is known when a broker has run"
            : Units.bytes(tier.freeBytes())
                + " free of "
                + Units.bytes(tier.capacityBytes())
                + " ("
                + Units.share(tier.usedBytes(), tier.capacityBytes())
                + " used"
                + (tier.threshold() == null ? "" : ", " + threshold(tier.threshold()))
                + ")"
                + (tier.failed() ? failed(tier) : failedBefore(tier))
                + draining(tier.draining(), tier.segments() == 0)
                + waits(tier.waits());
    out.println(
        "tier "
            + tier.name()
            + ": "
            + Units.count(tier.segments(), "segment")
            + ", "
            + Units.bytes(tier.usedBytes())
            + " used, "
            + capacity);
    for (TierUse use : tier.directories()) {
      if (use.problem() != null) {
        out.println("  " + use.path() + ": PROBLEM: " + use.problem());
        continue;
      }
      out.println(
          "  " + use.path() + ": " + (tier.dead() ? "FAILED: " + tier.failure() : protection(use)));
      out.println(
          "    segments "
              + Units.bytes(use.segmentBytes())
              + (use.poolBytes() == 0 ? "" : ", pool " + Units.bytes(use.poolBytes()))
              + (use.quarantineFiles() == 0
                  ? ""
                  : ", quarantine "
                      + Units.bytes(use.quarantineBytes())
                      + " in "
                      + Units.count(use.quarantineFiles(), "file"))
              + "; file system "
              + use.fileSystem()
              + ": "
              + Units.bytes(use.fileSystemFreeBytes())
              + " free of "
              + Units.bytes(use.fileSystemBytes()));
    }
  }

  private static String protection(TierUse use) {
    return use.durability() == null
        ? use.explanation()
        : use.durability().toUpperCase(Locale.ROOT) + ": " + use.explanation();
  }

  /** A tier's threshold, in words. */
  static String threshold(double share) {
    return share < 0
        ? "no threshold: migration leaves it alone"
        : String.format(Locale.ROOT, "threshold %.0f %%", share * 100);
  }

  /**
   * That a tier is to become empty; nothing if it isn't.
   *
   * @param draining null without a running broker
   */
  private static String draining(Boolean draining, boolean empty) {
    if (!Boolean.TRUE.equals(draining)) {
      return "";
    }
    return empty
        ? "; draining, and empty: remove its keys before the broker's next start"
        : "; draining: its segments move out, nothing new goes there";
  }

  /**
   * Why segments are still there that have to leave; nothing if it isn't known.
   *
   * @param waits null: it isn't
   */
  private static String waits(String waits) {
    return waits == null ? "" : "; not all of its segments leave: " + waits;
  }

  /** Directories whose device failed; nothing if none did. */
  private static String failed(StatusReport.TierJson tier) {
    return tier.failedDirectories() == 0
        ? ""
        : "; PROBLEM: "
            + Units.count(tier.failedDirectories(), "directory", "directories")
            + " FAILED ("
            + tier.failure()
            + "), nothing new goes there";
  }

  /** The same of an owner that has ended. */
  private static String failedBefore(StatusReport.TierJson tier) {
    return tier.failedDirectories() == null || tier.failedDirectories() == 0
        ? ""
        : "; "
            + Units.count(tier.failedDirectories(), "directory", "directories")
            + " had failed when the broker ended, its next start examines that anew";
  }

  /** The room at home. */
  private void home(StatusReport.HomeJson home) {
    out.println(
        "home "
            + home.path()
            + ": "
            + Units.bytes(home.fileSystemFreeBytes())
            + " free of "
            + Units.bytes(home.fileSystemBytes())
            + (home.reserveBytes() == null ? "" : ", reserve " + Units.bytes(home.reserveBytes()))
            + (home.reserveTouched()
                ? "; PROBLEM: the reserve is touched, nothing is moved or put there while a tier"
                    + " has room; make room, or lower the retention"
                : ""));
    if (home.ballastInUse()) {
      out.println(
          "  PROBLEM: the disk was full; of the ballast "
              + Units.bytes(home.ballastBytes())
              + " of "
              + Units.bytes(home.ballastWantedBytes())
              + " are left, after which appends are refused");
    }
  }

  /**
   * Prints the state of migration.
   *
   * @param lately did anything move in the time that the rates beside it are over?
   */
  void migrationState(long running, boolean lately, boolean yielding, String blocked) {
    String resting =
        blocked != null ? "stands still" : lately ? "nothing moves at the moment" : "idle";
    out.println(
        "  migration: "
            + (running == 0 ? resting : "moving " + Units.count(running, "segment"))
            + (yielding ? ", yielding to appends" : ""));
    if (blocked != null) {
      out.println("  PROBLEM: migration is blocked: " + blocked);
    }
  }

  private void logDir(LogDirUse use) {
    String pid = use.pid() == null ? "" : ", process " + use.pid();
    out.println("log dir " + use.path() + " (" + use.state().replace('_', ' ') + pid + ")");
    List<String> shares = new ArrayList<>();
    use.inTiers()
        .forEach(
            (tier, share) ->
                shares.add(
                    Units.count(share.segments(), "segment")
                        + " ("
                        + Units.bytes(share.bytes())
                        + ") in "
                        + tier));
    shares.add(
        Units.count(use.atHome(), "segment") + " (" + Units.bytes(use.atHomeBytes()) + ") at home");
    out.println(
        "  " + Units.count(use.partitions(), "partition") + ": " + String.join(", ", shares));
    out.println(
        "  "
            + Units.count(use.active(), "active segment")
            + ", "
            + use.activeAtHome()
            + " of them at home");
    if (use.unreadable() > 0) {
      out.println(
          "  PROBLEM: "
              + Units.count(use.unreadable(), "partition")
              + " not counted, which can't be read: "
              + use.unreadableReason());
    }
    if (use.unknownTarget() > 0 || use.dangling() > 0) {
      out.println(
          "  PROBLEM: "
              + Units.count(use.dangling(), "dangling link")
              + ", "
              + Units.count(use.unknownTarget(), "link")
              + " into no known tier");
    }
  }

  private void owner(StatusReport.OwnerJson owner) {
    out.println(
        "owner: process "
            + owner.pid()
            + (owner.running() ? ", running" : ", no longer running")
            + "; started "
            + Units.duration(Duration.ofMillis(owner.uptimeMs()))
            + " ago, last change "
            + Units.duration(Duration.ofMillis(owner.ageMs()))
            + " ago");
    appended(owner);
    overflow(owner);
    migrated(owner);
    if (owner.running()) {
      migrationState(
          owner.migrationRunning(), false, owner.migrationYielding(), owner.migrationBlocked());
    }
  }

  /** By durability; what nothing was appended to isn't named. */
  private void appended(StatusReport.OwnerJson owner) {
    List<String> parts = new ArrayList<>();
    part(parts, owner.count(Count.APPENDED_DURABLE), "durable");
    part(parts, owner.count(Count.APPENDED_EPHEMERAL), "ephemeral");
    part(parts, owner.count(Count.APPENDED_UNKNOWN), "of unknown durability");
    part(parts, owner.count(Count.APPENDED_EMULATED), "emulated");
    part(parts, owner.count(Count.APPENDED_VOLATILE), "volatile");
    part(parts, owner.count(Count.APPENDED_UNFORCED), "unforced");
    if (parts.isEmpty()) {
      out.println("  appended: nothing yet");
    } else {
      out.println(
          "  appended: "
              + String.join(", ", parts)
              + (owner.homeAppendedBytes() == 0
                  ? ", nothing of it at home"
                  : "; of all that " + Units.bytes(owner.homeAppendedBytes()) + " at home"));
    }
  }

  private static void part(List<String> parts, long bytes, String name) {
    if (bytes > 0) {
      parts.add(Units.bytes(bytes) + " " + name);
    }
  }

  private void overflow(StatusReport.OwnerJson owner) {
    List<String> parts = new ArrayList<>();
    if (owner.count(Count.OVERFLOW_SEGMENTS) > 0) {
      parts.add("overflow: " + Units.count(owner.count(Count.OVERFLOW_SEGMENTS), "segment"));
    }
    if (owner.count(Count.EVACUATED_SEGMENTS) > 0 || owner.evacuationStallMsMax() > 0) {
      parts.add(
          "evacuated: "
              + Units.count(owner.count(Count.EVACUATED_SEGMENTS), "segment")
              + " ("
              + Units.bytes(owner.count(Count.EVACUATED_BYTES))
              + "), longest stall "
              + Units.duration(Duration.ofMillis(owner.evacuationStallMsMax())));
    }
    if (owner.count(Count.RUN_AHEAD_MISSES) > 0) {
      parts.add("run-ahead misses: " + owner.count(Count.RUN_AHEAD_MISSES));
    }
    if (!parts.isEmpty()) {
      out.println("  " + String.join("; ", parts));
    }
  }

  private void migrated(StatusReport.OwnerJson owner) {
    List<String> parts = new ArrayList<>();
    moved(parts, owner.count(Count.DOWN_SEGMENTS), owner.count(Count.DOWN_BYTES), "down");
    moved(parts, owner.count(Count.UP_SEGMENTS), owner.count(Count.UP_BYTES), "up");
    if (owner.count(Count.MIGRATION_FAILURES) > 0) {
      parts.add(Units.count(owner.count(Count.MIGRATION_FAILURES), "failure"));
    }
    if (!parts.isEmpty()) {
      out.println("  migrated: " + String.join(", ", parts));
    }
  }

  private static void moved(List<String> parts, long segments, long bytes, String where) {
    if (segments > 0) {
      parts.add(Units.count(segments, "segment") + " (" + Units.bytes(bytes) + ") " + where);
    }
  }
}
