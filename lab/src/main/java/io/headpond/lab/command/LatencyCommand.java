// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Sweep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run latency}. */
@Command(
    name = "latency",
    description = {
      "Measure publish latency at a low rate, and how it grows with the rate.",
      "",
      "All variants take turns at one rate, then at the next, until a variant no longer takes what is"
          + " due in most rounds. A message's latency counts from the moment it was due, so a stall counts"
          + " for all messages that it holds up. Variants are those of headpond-lab run kafka and headpond-lab run bookkeeper;"
          + " Pulsar's are those of its bookie."
    },
    footer = {
      "  headpond-lab run latency --engine bookkeeper",
      "  headpond-lab run latency --engine kafka --sizes 1KiB --rates 500,5000,50000 --json latency.json",
      "  headpond-lab run latency --engine kafka --hosts \"node-1 node-2\" --advertise node-0"
    })
public final class LatencyCommand extends StandardCommand {

  @Mixin private ScenarioOptions options;
  @Mixin private HostsOptions hosts;
  @Mixin private MeasuredEngine engine;
  @Mixin private final MessageSizes sizes = new MessageSizes("1KiB");

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      defaultValue = "500,1000,2000,5000,10000,20000,50000,100000,200000",
      description =
          "Messages a second of all senders together, ascending (default: ${DEFAULT-VALUE}).")
  private List<Double> rates;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Sweep> sweeps = WrongUsage.unless(spec(), this::sweeps);
    LoadHosts load = hosts.load(spec(), engine.any());
    return ScenarioRun.of(
        spec(),
        options,
        engine.any(),
        List.of(1),
        KafkaTier.KEEPS,
        load,
        turns -> {
          turns.warmUp(sweeps.get(0).point(), options.warmUpSeconds(), rates.get(0));
          for (Sweep sweep : sweeps) {
            sweep.run(turns);
          }
        });
  }

  private List<Sweep> sweeps() {
    List<Sweep> all = new ArrayList<>();
    for (int size : sizes.bytes()) {
      Point point =
          Point.of(size, options.seconds()).on(1, Point.PARTITIONS).clients(hosts.producers(1), 0);
      all.add(new Sweep(point, rates, options.rounds()));
    }
    return all;
  }
}
