// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run ingest}. */
@Command(
    name = "ingest",
    description = {
      "Measure Kafka's throughput with few and many producers, and with large messages.",
      "",
      "All at full speed: producers only; consumers only, who read what was written before and, where it"
          + " lies on disk, dropped from the page cache; and both, consumers reading what is sent."
    },
    footer = {
      "  headpond-lab run ingest --engine kafka",
      "  headpond-lab run ingest --engine kafka --sizes 240000B --producers 1,30 --modes produce",
      "  headpond-lab run ingest --engine kafka --modes produce --hosts \"node-1 node-2\""
    })
public final class IngestCommand extends StandardCommand {

  private static final double WARM_UP_RATE = 200;

  /** The sides of an engine that work meanwhile. */
  enum Mode {
    PRODUCE,
    CONSUME,
    MIXED
  }

  @Mixin private ScenarioOptions options;
  @Mixin private HostsOptions hosts;
  @Mixin private MeasuredEngine engine;
  @Mixin private final MessageSizes sizes = new MessageSizes("1KiB,16KiB,240000B");

  @Option(
      names = "--producers",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,5,10,20,30",
      description = "Producers of each host, each with a connection (default: ${DEFAULT-VALUE}).")
  private List<Integer> producers;

  @Option(
      names = "--consumers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Consumers, which share the partitions (default: ${DEFAULT-VALUE}).")
  private int consumers;

  @Option(
      names = "--modes",
      split = ",",
      paramLabel = "MODE",
      defaultValue = "produce,consume,mixed",
      description =
          "Sides that work at once; with --hosts only produce (default: ${DEFAULT-VALUE}).")
  private Set<Mode> modes;

  @Option(
      names = "--backlog",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "256MiB",
      description = "Bytes that consumers alone read (default: ${DEFAULT-VALUE}).")
  private long backlog;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ScenarioEngine kafka = engine.kafka(spec(), "ingest is measured with --engine kafka");
    List<Point> points = WrongUsage.unless(spec(), this::points);
    LoadHosts load = hosts.load(spec(), kafka);
    if (load != null && !modes.equals(Set.of(Mode.PRODUCE))) {
      throw wrongUsage("hosts read nothing; add --modes produce to --hosts");
    }
    return ScenarioRun.of(
        spec(), options, kafka, List.of(1), KafkaTier.KEEPS, load, turns -> measure(turns, points));
  }

  private void measure(Turns turns, List<Point> points) throws IOException, InterruptedException {
    Point first = points.get(0).beside(0).clients(hosts.producers(1), 0);
    turns.warmUp(first, options.warmUpSeconds(), WARM_UP_RATE);
    for (Point point : points) {
      turns.measure(point, options.rounds());
    }
  }

  private List<Point> points() {
    List<Point> points = new ArrayList<>();
    int partitions = Math.max(Point.PARTITIONS, consumers);
    for (int size : sizes.bytes()) {
      Point point = Point.of(size, options.seconds()).on(1, partitions);
      for (int number : producers) {
        if (modes.contains(Mode.PRODUCE)) {
          points.add(point.clients(hosts.producers(number), 0));
        }
        if (modes.contains(Mode.MIXED)) {
          points.add(point.clients(number, consumers));
        }
      }
      if (modes.contains(Mode.CONSUME)) {
        points.add(point.beside(backlog).clients(0, consumers));
      }
    }
    return points;
  }
}
