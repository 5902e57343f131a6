// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.RateConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.FreeSpace;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.kafka.rig.SteadyLoad;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.Label;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run steady}. */
@Command(
    name = "steady",
    description = {
      "Measure a load that never ends, with logs that keep 1, 1.5 and 2 times the fast tier.",
      "",
      "Real Kafka brokers get a fixed rate, and a consumer reads along. A turn fills the log and then goes"
          + " on until all of it was written anew some times. Shown are throughput and latency, how much"
          + " of what is appended and read is in the tier, what migrates, and what overflows. With"
          + " --home-limit all write to a home that is slow. Without it migration is limited to --home-rate"
          + " in place of one, so the result is labelled THROTTLED, and vanilla Kafka writes to the disk as"
          + " fast as it is.",
      "",
      "With the defaults it takes about eight minutes."
    },
    footer = {
      "  headpond-lab run steady --compare vanilla-disk,vanilla-forced",
      "  headpond-lab run steady --tier 4GiB --rate 200MiB --home-rate 80MiB --wraps 3 --json steady.json",
      "  headpond-lab run steady --home-limit hdd --tier 2GiB --rate 16MiB --partitions 64 --segment-bytes 8MiB"
    })
public final class SteadyCommand extends StandardCommand {

  @Mixin private RunPlace place;
  @Mixin private final Baselines baselines = new Baselines("vanilla-disk");
  @Mixin private TightTier tier;
  @Mixin private final RoundsOptions times = new RoundsOptions(2, 20);
  @Mixin private final MessageSize size = new MessageSize("16KiB");

  @Option(
      names = "--retention",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,1.5,2",
      description = "Retention of the log, as multiples of the tier (default: ${DEFAULT-VALUE}).")
  private List<Double> retentions;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      defaultValue = "32MiB",
      description = "Sent in each second (default: ${DEFAULT-VALUE}).")
  private long rate;

  @Option(
      names = "--wraps",
      paramLabel = "N",
      defaultValue = "2",
      description = "Times that the log is written anew in a turn (default: ${DEFAULT-VALUE}).")
  private double wraps;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Partitions of the topic (default: ${DEFAULT-VALUE}). With many a disk writes in many places.")
  private int partitions;

  @Override
  public Integer call() throws IOException, InterruptedException {
    SteadyLoad load = WrongUsage.unless(spec(), this::load);
    KafkaTier tight =
        WrongUsage.unless(spec(), () -> load.tier(tier.threshold(), tier.homeRate(place)));
    List<ComparedVariant> variants =
        WrongUsage.unless(
            spec(), () -> ComparedVariant.withBaselines(Variant.HEADPOND, baselines.ofKafka()));
    return place.run(spec(), () -> measure(load, tight, variants));
  }

  private int measure(SteadyLoad load, KafkaTier tight, List<ComparedVariant> variants)
      throws IOException, InterruptedException {
    ScenarioRun run = new ScenarioRun(spec(), place);
    String otherwise = "take a smaller tier or retention";
    FreeSpace.require(place.fast(), tier.bytes(place), "the tier's segments", otherwise);
    FreeSpace.require(
        place.home(), variants.size() * load.logBytesMax(), "the variants' logs", otherwise);
    Label[] labels = TightTier.label(tier.homeRate(place)).stream().toArray(Label[]::new);
    for (Label label : labels) {
      out().println(label);
    }
    ScenarioStage stage =
        new ScenarioStage(
            ScenarioEngine.KAFKA,
            Engine.KAFKA.current(),
            variants,
            1,
            tight,
            "",
            null,
            turns -> load.run(turns, times.warmUpSeconds()));
    return run.measure(List.of(stage), labels) ? 0 : 1;
  }

  private SteadyLoad load() {
    return new SteadyLoad(
        tier.bytes(place),
        rate,
        size.bytes(),
        retentions,
        wraps,
        times.rounds(),
        partitions,
        tier.segments(place, SteadyLoad.SEGMENTS));
  }
}
