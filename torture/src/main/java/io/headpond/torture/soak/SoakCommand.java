// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.cli.demo.DemoPlace;
import io.headpond.cli.demo.EngineJars;
import io.headpond.harness.process.Engine;
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
      "kafka: a real Kafka broker with two tiers that are too small, and two log directories, is written",
      "to in bursts, by transactions and into a compacted topic. Meanwhile it is killed, also while a",
      "segment is copied, restarted with other settings and another Java, its fast device is filled,",
      "everything is read again, topics are deleted. Each lap of some minutes ends with every acknowledged",
      "record compared: with Headpond, by vanilla Kafka on the same files, and by vanilla Kafka after a",
      "drain, which may have been killed too. It ends with a verdict, also on the broker's memory,",
      "descriptors and mappings.",
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
      "  headpond-lab soak --duration 12h --seed 7",
      "  headpond-lab soak --engine bookie --duration 1h"
    })
public final class SoakCommand extends StandardCommand {
  private static final Duration DURATION_MIN = Duration.ofSeconds(10);
  private static final Duration DURATION_MAX = Duration.ofDays(7);
  private static final long HOME_BYTES = 4L << 30;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description = "kafka, bookie or pulsar (default: ${DEFAULT-VALUE}).",
      defaultValue = "kafka")
  private SoakedEngine engine;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "Duration of events, 10s to 7d; the last lap's checks come on top (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration duration;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Events, settings and records follow from it; the machine's own timing doesn't (default:"
              + " a new one, which is printed).")
  private Long seed;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Place of the log directory, in a folder of its own (default: /var/tmp).")
  private Path home;

  @Mixin private JsonFile json;

  @Option(
      names = "--keep",
      description = "Keep all files at the end; they are if something is wrong.")
  private boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    PrintWriter out = out();
    try (SoakPlace place = SoakPlace.create(home, keep, HOME_BYTES);
        Progress progress = new Progress(err())) {
      out.printf(
          "soak of %s for %s, seed %d, files in %s; %s%n",
          engine, Units.duration(duration), seed, place.folders().home(), place.text());
      out.flush();
      SoakView view = new SoakView(out, progress, duration);
      SoakResult result = run(place, soak(place, view));
      progress.clear();
      result.print(out);
      json.write(result);
      if (!result.ok()) {
        place.keep();
      }
      if (!result.ok() || keep) {
        out.println(place.keptText());
        out.flush();
      }
      return result.ok() ? 0 : 1;
    }
  }

  private Soak<?, ?> soak(SoakPlace place, SoakView view) throws IOException, InterruptedException {
    Random random = new Random(seed);
    DemoPlace folders = place.folders();
    if (engine == SoakedEngine.KAFKA) {
      SoakedBroker broker = new SoakedBroker(folders, place.fast(), random);
      return new KafkaSoak(broker, place.device(), seed, random, view);
    }
    // The fast device is filled; a journal that finds no room ends the bookie.
    Path journal = folders.tier().resolve("journal");
    Path fastLogs = Files.createDirectories(place.fast().resolve("ledgers"));
    Engine written = engine == SoakedEngine.BOOKIE ? Engine.BOOKKEEPER : Engine.PULSAR;
    BookieSoakSettings settings =
        new BookieSoakSettings(
            EngineJars.of(written, null, out()), folders.home(), journal, fastLogs, random, seed);
    BookieClients clients =
        engine == SoakedEngine.BOOKIE ? new LedgerClients(settings) : new TopicClients(settings);
    return new BookieSoak(engine, clients, place.device(), seed, random, view);
  }

  private SoakResult run(SoakPlace place, Soak<?, ?> soak)
      throws IOException, InterruptedException {
    try (soak) {
      place.runs(soak);
      return soak.run();
    } catch (IOException e) {
      if (place.interrupted()) {
        throw new CommandFailure("interrupted", "nothing of it is left", e);
      }
      place.keep();
      throw CommandFailure.ofLines(e, "seed " + seed + "; " + place.keptText(), out()::println);
    }
  }

  private void check() {
    if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
      throw wrongUsage("--duration goes from 10s to 7d");
    }
    json.requireFolder();
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(1L << 32);
    }
  }
}
