// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.process.Engine;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantPlaces;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.store.config.DurabilityMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run kafka}. */
@Command(
    name = "kafka",
    description = {
      "Measure a real Kafka broker with Headpond against unmodified Kafka.",
      "",
      "Produce and consume throughput, produce latency at a fixed rate, also while segments roll, and "
          + "the broker's CPU time. All brokers live side by side, one working at a time, in turns of "
          + "seconds, so that a machine that gets slower does so for all.",
      "",
      "Variants:",
      "",
      "  headpond          tier in --fast, home in --home",
      "  vanilla-tmpfs     log directory in --fast, which must be tmpfs",
      "  vanilla-fast      log directory in --fast, whatever that is",
      "  vanilla-forced    log directory in --home, every append forced (flush.messages=1)",
      "  vanilla-disk      log directory in --home, nothing forced"
    },
    footer = {
      "  headpond-lab run kafka",
      "  headpond-lab run kafka --sizes 1KiB,4KiB,64KiB,240000B --starts 3 --json bench.json",
      "  headpond-lab run kafka --measures roll --compare vanilla-disk",
      "  headpond-lab run kafka --fast /mnt/nvme --durability append --producers 1 --window 1"
          + " --compare vanilla-forced"
    })
public final class KafkaCommand extends StandardCommand {

  @Mixin private RunPlace place;
  @Mixin private final MessageSizes sizes = new MessageSizes("1KiB,4KiB");

  @Mixin
  private final Baselines baselines = new Baselines("vanilla-tmpfs,vanilla-forced,vanilla-disk");

  @Mixin private final StartsOptions starts = new StartsOptions(4);
  @Mixin private final RoundsOptions rounds = new RoundsOptions(4, 30);

  @Option(
      names = "--acks",
      split = ",",
      paramLabel = "ACKS",
      defaultValue = "1",
      description = "The producers' acks, 1 or all (default: ${DEFAULT-VALUE}).")
  private List<String> acks;

  @Option(
      names = "--compression",
      split = ",",
      paramLabel = "TYPE",
      defaultValue = "none",
      description =
          "The producers' compression: none, lz4 or another of Kafka's (default: ${DEFAULT-VALUE}).")
  private List<String> compression;

  @Option(
      names = "--measures",
      split = ",",
      paramLabel = "MEASURE",
      defaultValue = "latency,roll,produce,consume",
      description = "Measures to take (default: ${DEFAULT-VALUE}).")
  private List<KafkaMeasure> measures;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Records per second where latency is measured (default: 16 MiB/s, at most 5,000 records/s).")
  private double rate;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Partitions of each topic (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--producers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Producers at full speed (default: ${DEFAULT-VALUE}).")
  private int producers;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Records of all producers that may wait for their answer at full speed (default: as many"
              + " as their buffers hold).")
  private int window;

  @Option(
      names = "--durability",
      paramLabel = "MODE",
      defaultValue = "engine",
      description =
          "headpond.durability of Headpond's variants: engine, or append, where each append is"
              + " durable before it is acknowledged (default: ${DEFAULT-VALUE}).")
  private DurabilityMode durability;

  @Override
  public Integer call() throws IOException, InterruptedException {
    plan(); // refuses wrong usage before anything is set up
    return place.run(spec(), this::measure);
  }

  private int measure() throws IOException, InterruptedException {
    KafkaPlan plan = plan();
    BenchRun begun = new BenchRun(spec());
    RigSettings rigs = place.rigs(Engine.KAFKA.current(), plan.pacedBytesMax());
    VariantPlaces places =
        new VariantPlaces(
            rigs.fast(), rigs.home(), plan.variants(), durability == DurabilityMode.APPEND);
    KafkaBenchTable table = new KafkaBenchTable(out(), plan);
    table.introduce(rigs, places);
    Measurement measured =
        new StartedRun<>(spec(), place, KafkaTurn.METRICS, Variant.HEADPOND, KafkaBenchTable::line)
            .run(
                begun,
                (all, listener) -> plan.run(all, rigs, listener),
                (turns, comparisons) -> {
                  table.print(turns, comparisons);
                  return KafkaBenchResult.of(plan, rigs, places, turns, comparisons);
                });
    return measured == null ? 1 : 0;
  }

  private KafkaPlan plan() {
    return WrongUsage.unless(
        spec(),
        () ->
            new KafkaPlan(
                ComparedVariant.withBaselines(Variant.HEADPOND, baselines.ofKafka()),
                loads(),
                Set.copyOf(measures),
                starts.starts(),
                rounds.rounds(),
                starts.seconds(),
                rounds.warmUpSeconds(),
                rate,
                partitions,
                producers,
                window,
                durability));
  }

  private List<KafkaTurn.Load> loads() {
    List<KafkaTurn.Load> loads = new ArrayList<>();
    for (int size : sizes.bytes()) {
      for (String ack : acks) {
        for (String type : compression) {
          loads.add(new KafkaTurn.Load(size, ack, type));
        }
      }
    }
    return loads;
  }
}
