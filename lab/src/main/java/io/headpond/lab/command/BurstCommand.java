// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.RateConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.lab.burst.BurstProfile;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run burst}. */
@Command(
    name = "burst",
    description = {
      "Measure bursts above what home takes, against what 'headpond plan' predicts.",
      "",
      "Real Kafka brokers get a low rate with bursts. Shown is how long a burst lasts until the tier "
          + "overflows, when the next one may come, and what producers feel, second by second. "
          + "With --home-limit all write to a home that is slow. Without it migration is limited to "
          + "--home-rate in place of one, so the result is labelled THROTTLED, and vanilla Kafka "
          + "writes to the disk as fast as it is.",
      "",
      "With the defaults it takes about four minutes."
    },
    footer = {
      "  headpond-lab run burst",
      "  headpond-lab run burst --profile random --seed 7 --bursts 6 --json burst.json",
      "  headpond-lab run burst --tier 4GiB --burst-rate 200MiB --home-rate 80MiB --base-rate 20MiB",
      "  headpond-lab run burst --home-limit gp3 --page-cache 256MiB --fast /mnt/nvme0/headpond"
    })
public final class BurstCommand extends StandardCommand {

  private static final long BURST_RATE = 32 << 20;
  private static final long BASE_RATE = 2 << 20;
  private static final long BURST_TIMES = 3;
  private static final double BASE_SHARE = 0.4;

  @Mixin private RunPlace place;
  @Mixin private final Baselines baselines = new Baselines("vanilla-disk");
  @Mixin private TightTier tier;
  @Mixin private final RoundsOptions times = new RoundsOptions(2, 20);
  @Mixin private final MessageSize size = new MessageSize("16KiB");

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "constant",
      description =
          "constant: all bursts alike; step: each higher than the one before; random: rates, lengths "
              + "and pauses by --seed (default: ${DEFAULT-VALUE}).")
  private BurstProfile profile;

  @Option(
      names = "--bursts",
      paramLabel = "N",
      defaultValue = "3",
      description = "Bursts in each turn (default: ${DEFAULT-VALUE}).")
  private int number;

  @Option(
      names = "--burst-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      description =
          "Written in each second of a burst, at most (default: 32MiB; beside --home-limit 3 times what"
              + " home takes).")
  private Long burstRate;

  @Option(
      names = "--base-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      description =
          "Written in each second between bursts (default: 2MiB; beside --home-limit 0.4 of what home"
              + " takes).")
  private Long baseRate;

  @Option(
      names = "--overfill",
      paramLabel = "N",
      defaultValue = "1.3",
      description =
          "A burst's length as a multiple of what the tier should absorb (default: ${DEFAULT-VALUE}).")
  private double overfill;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the random profile (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    settings(); // refuses wrong usage before anything is set up
    return place.run(
        spec(),
        () -> {
          BurstMeasurement bursts = new BurstMeasurement(settings());
          return bursts.run(spec().commandLine(), new BenchRun(spec()), place);
        });
  }

  private BurstSettings settings() throws IOException {
    HomeRate home = tier.homeRate(place);
    long burst = home.throttled() ? BURST_RATE : BURST_TIMES * home.bytesPerSecond();
    long base = home.throttled() ? BASE_RATE : (long) (BASE_SHARE * home.bytesPerSecond());
    return WrongUsage.unless(
        spec(),
        () -> {
          BurstSettings settings =
              new BurstSettings(
                  baselines.ofKafka(),
                  place.fast(),
                  place.home(),
                  place.java(),
                  tier.bytes(place),
                  tier.segments(place, BurstSettings.SEGMENTS_FINE),
                  tier.threshold(),
                  home,
                  burstRate == null ? burst : burstRate,
                  baseRate == null ? base : baseRate,
                  profile,
                  number,
                  overfill,
                  size.bytes(),
                  times.rounds(),
                  seed,
                  times.warmUpSeconds());
          settings.schedule();
          return settings;
        });
  }
}
