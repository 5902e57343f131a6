// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.RateConverter;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.upkeep.Chore;
import io.headpond.lab.upkeep.UpkeepSettings;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run upkeep}. */
@Command(
    name = "upkeep",
    description = {
      "Measure a broker's upkeep: a deleted topic, a compaction, a restart with a cold page cache.",
      "",
      "Each variant's broker is sent messages at a low rate, and beside that does its chores with a topic"
          + " that was written before, with Headpond half of it in the tier. Shown are how long a chore"
          + " takes, what publishers feel, and what home's device does meanwhile: operations, bytes, flushes"
          + " and, on ext4, commits of the journal, those of the messages included.",
      "",
      "Chores:",
      "",
      "  delete   the topic is deleted, until the last of its files is gone",
      "  compact  the topic, which has each key some times and is in no page cache, is compacted",
      "  restart  the broker is told to end (SIGTERM) and started with nothing of its logs in memory",
      "  crash    the same after SIGKILL",
      "",
      "After a restart a consumer reads the topic from its beginning, and publishing begins with the first"
          + " record that it gets. With the defaults it takes about six minutes."
    },
    footer = {
      "  headpond-lab run upkeep",
      "  headpond-lab run upkeep --chores delete --home-limit gp3 --page-cache 256MiB --json upkeep.json"
    })
public final class UpkeepCommand extends StandardCommand {

  /** Of a home that isn't limited: migration isn't throttled, and no disk is slower. */
  private static final long HOME_RATE = 100 << 20;

  @Mixin private RunPlace place;
  @Mixin private final Baselines baselines = new Baselines("vanilla-disk");
  @Mixin private final RoundsOptions times = new RoundsOptions(3, 10);
  @Mixin private final MessageSize size = new MessageSize("1KiB");

  @Option(
      names = "--chores",
      split = ",",
      paramLabel = "CHORE",
      defaultValue = "delete,compact,restart,crash",
      description = "Chores (default: ${DEFAULT-VALUE}).")
  private List<String> chores;

  @Option(
      names = "--topic",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "512MiB",
      description = "Size of the topic of a chore (default: ${DEFAULT-VALUE}).")
  private long topic;

  @Option(
      names = "--segments",
      paramLabel = "N",
      defaultValue = "64",
      description =
          "Segments of that topic: 100 stand for 100 GB in segments of Kafka's default size (default:"
              + " ${DEFAULT-VALUE}).")
  private int segments;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Messages a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Measured before a chore, and from its beginning on at least (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--home-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      description = "Limit of migration, bytes per second (default: none).")
  private Long homeRate;

  @Override
  public Integer call() throws IOException, InterruptedException {
    settings(); // refuses wrong usage before anything is set up
    return place.run(
        spec(),
        () ->
            new UpkeepMeasurement(settings())
                .run(spec().commandLine(), new BenchRun(spec()), place));
  }

  private HomeRate homeRate() {
    OptionalLong disk = place.homeBytesPerSecond();
    return homeRate != null
        ? HomeRate.throttled(homeRate)
        : HomeRate.ofDisk(disk.orElse(HOME_RATE));
  }

  private UpkeepSettings settings() throws IOException {
    return WrongUsage.unless(
        spec(),
        () ->
            new UpkeepSettings(
                baselines.ofKafka(),
                place.fast(),
                place.home(),
                place.java(),
                chores.stream().map(Chore::of).toList(),
                homeRate(),
                topic,
                segments,
                size.bytes(),
                rate,
                seconds,
                times.rounds(),
                times.warmUpSeconds()));
  }
}
