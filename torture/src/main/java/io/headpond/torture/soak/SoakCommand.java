// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.LimitConverter;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.cli.demo.EngineJars;
import io.headpond.harness.process.Engine;
import io.headpond.harness.slowdisk.DiskLimit;
import io.headpond.harness.slowdisk.Leftovers;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab soak}. */
@Command(
    name = "soak",
    description = {
      "Inject random faults into an engine for hours and verify every record.",
      "",
      "kafka: a real Kafka broker with two tiers that are too small, and",
      "two log directories is written to in bursts, by transactions and into a compacted topic. Meanwhile",
      "it is killed, also while a segment is copied, restarted with other settings and another Java, its",
      "fast device is filled, or home but for the ballast, everything is read again, topics are deleted. Each lap of some minutes ends with every acknowledged record compared: with",
      "Headpond, by vanilla Kafka on the same files, and by vanilla Kafka after a drain, which may have",
      "been killed too. It ends with a verdict, also on the broker's memory, descriptors and mappings.",
      "",
      "bookie: a real bookie with Headpond's journal and tiered entry logs. It is killed, also while a log",
      "is copied, and restarted; half of the ledgers are deleted, so that logs are removed and compacted.",
      "pulsar: the same with a real Pulsar broker, which is killed and restarted too, a publisher, a stream and a queue.",
      "",
      "One lap of three leaves the processes running for minutes, and memory mustn't grow then.",
      "",
      "Memory stands in for the fast device, so no power cut is proved here: headpond-lab powercut does",
      "that. As root the fast tier is a file system of its own, which can be filled."
    },
    footer = {
      "  headpond-lab soak --duration 45m --json soak.json",
      "  headpond-lab soak --hours 12 --seed 7 --home-limit 50MB/s,3000iops",
      "  headpond-lab soak --engine bookie --hours 1"
    })
public final class SoakCommand extends StandardCommand {
  private static final int HOURS_MAX = 168;
  private static final int DEVICE_MIB = 64;
  private static final long HOME_BYTES = 4L << 30;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description = "kafka, bookie or pulsar (default: ${DEFAULT-VALUE}).",
      defaultValue = "kafka")
  private SoakedEngine engine;

  @Option(
      names = "--hours",
      paramLabel = "N",
      description = "Duration of events; 1 to 168. The last lap's checks come on top.")
  private Integer hours;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "The same with a unit, 10s to 7d, instead of --hours (default: 10m).")
  private Duration duration;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Events, settings and records follow from it; the machine's own timing doesn't (default:"
              + " a new one, which is printed).")
  private Long seed;

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      description =
          "Place of the fast tier, in a folder of its own; it is then never filled (default:"
              + " memory).")
  private Path fast;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Place of the log directory, in a folder of its own (default: /var/tmp).")
  private Path home;

  @Option(
      names = "--home-limit",
      paramLabel = "LIMIT",
      converter = LimitConverter.class,
      description = LimitConverter.DESCRIPTION + " A broker meets it full, too.")
  private DiskLimit limit;

  @Mixin private JsonFile json;

  @Option(
      names = "--keep",
      description = "Keep all files at the end; they are if something is wrong.")
  private boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    PrintWriter out = out();
    Leftovers.remove(out::println);
    try (Progress progress = new Progress(err());
        SoakPlace place =
            SoakPlace.create(
                new SoakPlace.Wanted(fast, home, limit, keep, DEVICE_MIB, HOME_BYTES),
                progress::show)) {
      progress.clear();
      out.printf(
          "soak of %s for %s, seed %d, files in %s; %s%n",
          engine, Units.duration(duration), seed, place.folders().home(), place.text());
      out.flush();
      SoakView view = new SoakView(out, progress, duration);
      boolean ok = engine == SoakedEngine.KAFKA ? kafka(place, view) : bookie(place, view);
      if (!ok) {
        place.keep();
      }
      if (!ok || keep) {
        out.println(place.keptText());
        out.flush();
      }
      return ok ? 0 : 1;
    }
  }

  private boolean kafka(SoakPlace place, SoakView view) throws IOException, InterruptedException {
    Random random = new Random(seed);
    SoakedBroker broker = new SoakedBroker(place.folders(), place.fast(), random);
    KafkaSoakResult result =
        run(place, new KafkaSoak(broker, place, seed, random, view), KafkaSoak::run);
    view.ends();
    summarise(out(), result);
    json.write(result);
    return result.ok();
  }

  private boolean bookie(SoakPlace place, SoakView view) throws IOException, InterruptedException {
    Random random = new Random(seed);
    Path folder = place.folders().home();
    // The fast device is filled; a journal that finds no room ends the bookie.
    Path journal = place.folders().tier().resolve("journal");
    Path fastLogs = Files.createDirectories(place.fast().resolve("ledgers"));
    Engine written = engine == SoakedEngine.BOOKIE ? Engine.BOOKKEEPER : Engine.PULSAR;
    BookieSoakSettings settings =
        new BookieSoakSettings(
            EngineJars.of(written, null, out()), folder, journal, fastLogs, random, seed);
    BookieClients clients =
        engine == SoakedEngine.BOOKIE ? new LedgerClients(settings) : new TopicClients(settings);
    BookieSoakResult result =
        run(
            place,
            new BookieSoak(engine, clients, place.device(), seed, random, view),
            BookieSoak::run);
    view.ends();
    result.print(out());
    json.write(result);
    return result.ok();
  }

  /** The course of a soak. */
  private interface Course<S, R> {
    R run(S soak) throws IOException, InterruptedException;
  }

  private <S extends Closeable, R> R run(SoakPlace place, S soak, Course<S, R> course)
      throws IOException, InterruptedException {
    try (soak) {
      place.runs(soak);
      return course.run(soak);
    } catch (IOException e) {
      if (place.interrupted()) {
        throw new CommandFailure("interrupted", "nothing of it is left", e);
      }
      place.keep();
      throw CommandFailure.ofLines(e, "seed " + seed + "; " + place.keptText(), out()::println);
    }
  }

  private void check() {
    if (hours != null && duration != null) {
      throw wrongUsage("give --hours or --duration, not both");
    }
    if (hours != null && (hours < 1 || hours > HOURS_MAX)) {
      throw wrongUsage("--hours goes from 1 to " + HOURS_MAX);
    }
    if (duration != null
        && (duration.compareTo(Duration.ofSeconds(10)) < 0
            || duration.compareTo(Duration.ofHours(HOURS_MAX)) > 0)) {
      throw wrongUsage("--duration goes from 10s to 7d");
    }
    json.requireFolder();
    if (hours != null) {
      duration = Duration.ofHours(hours);
    } else if (duration == null) {
      duration = Duration.ofMinutes(10);
    }
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(1L << 32);
    }
  }

  private static void summarise(PrintWriter out, KafkaSoakResult r) {
    out.println();
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged record");
    boolean clean = r.recordsVerified() + r.recordsSuperseded() == r.recordsAcknowledged();
    if (r.ok()) {
      out.printf(
          "All %s are there, each compared by content, but %,d that compaction has replaced.%n",
          acknowledged, r.recordsSuperseded());
    } else if (clean && !r.beyondLimit().isEmpty()) {
      out.printf("SOMETHING IS WRONG: %s.%n", r.beyondLimit());
    } else {
      out.printf(
          "SOMETHING IS WRONG: of %s %d verified, %d lost, %d corrupt, %d twice.%n",
          acknowledged,
          r.recordsVerified(),
          r.recordsLost(),
          r.recordsCorrupt(),
          r.recordsDuplicated());
    }
    out.printf(
        "  laps       %d, %d of them calm; %,d records compared over all readings%n",
        r.laps(), r.calmLaps(), r.recordsCompared());
    out.printf(
        "  ended      %d times by SIGKILL, %d of them while a segment was copied; %d by SIGTERM%n",
        r.kills(), r.killsInMoves(), r.restarts());
    out.printf(
        "  written    %s, %s onto a full device; %s with home full; read again %d times; %s deleted%n",
        Units.count(r.bursts(), "burst"),
        r.fullDevices() == null ? "none" : r.fullDevices().toString(),
        r.fullHomes() == null ? "not" : Units.count(r.fullHomes(), "time"),
        r.readAgain(),
        Units.count(r.topicsDeleted(), "topic"));
    out.printf(
        "  migrated   %s down, %d up at least; %d overflowed for want of room%n",
        Units.count(r.migratedDownSegments(), "segment"),
        r.migratedUpSegments(),
        r.overflowSegments());
    out.printf(
        "  left       %s, and %d killed in the middle; vanilla Kafka started %d times%n",
        Units.count(r.drains(), "drain"), r.drainsKilled(), r.vanillaStarts());
    out.printf(
        "  broker     at most %s of its own memory, %d descriptors, %d mappings; grew by %s in a calm lap%n",
        Units.bytes(r.memoryBytesMax()),
        r.descriptorsMax(),
        r.mappingsMax(),
        r.memoryGrowthBytesMax() == null
            ? "an unknown amount"
            : Units.bytes(Math.max(0, r.memoryGrowthBytesMax())));
    out.printf("seed %d, %s%n", r.seed(), Units.duration(Duration.ofSeconds(r.seconds())));
    out.flush();
  }
}
