// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.load.Pace;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run isolation}. */
@Command(
    name = "isolation",
    description = {
      "Measure what reading an old backlog does to publish latency and to tailing consumers.",
      "",
      "Each variant is written a backlog, which with Headpond migrates home and on disk is forced. At a"
          + " fixed rate, publish latency, and the latency until consumers have what is sent, is measured"
          + " while nothing else goes on, and while the backlog is read again and again, dropped from the"
          + " page cache each time where it lies on disk. Shown are both, and the second divided by the"
          + " first. With the defaults it takes about four minutes.",
      "",
      "For bookies it is 'headpond-lab run ledgers'."
    },
    footer = {
      "  headpond-lab run isolation --engine kafka",
      "  headpond-lab run isolation --engine kafka --fast /mnt/pmem0 --home /mnt/hdd0 --backlog 2GiB "
          + "--compare vanilla-disk --json isolation.json"
    })
public final class IsolationCommand extends StandardCommand {

  private static final long BACKLOG_BYTES_MIN = 16 << 20;

  @Mixin private ScenarioOptions options;
  @Mixin private MeasuredEngine engine;
  @Mixin private final MessageSize size = new MessageSize("1KiB");

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Messages a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--backlog",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "256MiB",
      description = "Bytes read meanwhile (default: ${DEFAULT-VALUE}).")
  private long backlog;

  @Option(
      names = "--tails",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Consumers that read what is sent meanwhile, 0 to 4 (default: ${DEFAULT-VALUE}).")
  private int tails;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ScenarioEngine kafka =
        engine.kafka(
            spec(),
            "it is measured with --engine kafka; for bookies, Pulsar's too, by: headpond-lab run"
                + " ledgers --backlog SIZE");
    if (backlog < BACKLOG_BYTES_MIN) {
      throw wrongUsage("--backlog must be 16MiB or more");
    }
    if (tails < 0 || tails > Point.PARTITIONS) {
      throw wrongUsage("--tails goes from 0 to " + Point.PARTITIONS);
    }
    Point point = point();
    return ScenarioRun.of(
        spec(), options, kafka, List.of(1), KafkaTier.AGES, null, turns -> measure(turns, point));
  }

  private void measure(Turns turns, Point point) throws IOException, InterruptedException {
    turns.warmUp(point, options.warmUpSeconds(), rate);
    turns.isolate(point, backlog, options.rounds());
  }

  private Point point() {
    return WrongUsage.unless(
        spec(),
        () ->
            Point.of(size.bytes(), options.seconds())
                .at(Pace.constant(rate))
                .clients(1, tails)
                .on(1, Point.PARTITIONS));
  }
}
