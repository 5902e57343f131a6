// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.scenario.LatencyLimit;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run throughput}. */
@Command(
    name = "throughput",
    description = {
      "Measure the highest throughput, and the highest within a limit of latency.",
      "",
      "The second is searched for: rates are doubled or quartered until one kept the limit and one didn't,"
          + " then the span between them is halved. Each step is measured for --seconds, and shown."
    },
    footer = {
      "  headpond-lab run throughput --engine bookkeeper --journals 1,4",
      "  headpond-lab run throughput --engine kafka --sizes 1KiB,4KiB --sla 'p99<5ms' --json throughput.json",
      "  headpond-lab run throughput --engine kafka --backlog 512MiB",
      "  headpond-lab run throughput --engine kafka --hosts \"node-1 node-2\" --producers 4"
    })
public final class ThroughputCommand extends StandardCommand {

  private static final double WARM_UP_RATE = 1_000;
  private static final int JOURNALS_MAX = 64;

  @Mixin private ScenarioOptions options;
  @Mixin private HostsOptions hosts;
  @Mixin private MeasuredEngine engine;
  @Mixin private final MessageSizes sizes = new MessageSizes("1KiB,4KiB");

  @Option(
      names = "--sla",
      paramLabel = "LIMIT",
      defaultValue = "p99<5ms",
      description =
          "Also search the highest rate within this limit; none: don't (default: ${DEFAULT-VALUE}).")
  private String sla;

  @Option(
      names = "--producers",
      paramLabel = "N",
      description =
          "Producers of each host, each with a connection or a ledger (default: 2, or as many as"
              + " journals).")
  private Integer producers;

  @Option(
      names = "--journals",
      split = ",",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Journal directories of a bookie, all on one device (default: ${DEFAULT-VALUE}).")
  private List<Integer> journals;

  @Option(
      names = "--backlog",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "0B",
      description =
          "Written before each turn, and read again and again meanwhile; kafka only"
              + " (default: none).")
  private long backlog;

  @Override
  public Integer call() throws IOException, InterruptedException {
    LatencyLimit limit = limit();
    sizes.bytes().forEach(this::point);
    if (journals.stream().anyMatch(n -> n < 1 || n > JOURNALS_MAX)) {
      throw wrongUsage("--journals goes from 1 to " + JOURNALS_MAX);
    }
    if (engine.any() != ScenarioEngine.KAFKA && backlog > 0) {
      throw wrongUsage("--backlog is for kafka; headpond-lab run ledgers replays a bookie's");
    }
    if (engine.any() != ScenarioEngine.BOOKKEEPER && !journals.equals(List.of(1))) {
      throw wrongUsage("--journals is for bookkeeper");
    }
    LoadHosts load = hosts.load(spec(), engine.any());
    if (load != null && backlog > 0) {
      throw wrongUsage("--backlog is read by this command; leave it out with --hosts");
    }
    return ScenarioRun.of(
        spec(),
        options,
        engine.any(),
        journals,
        KafkaTier.KEEPS,
        load,
        turns -> measure(turns, limit));
  }

  private void measure(Turns turns, LatencyLimit limit) throws IOException, InterruptedException {
    Point first = point(sizes.bytes().get(0)).beside(0);
    turns.warmUp(first, options.warmUpSeconds(), WARM_UP_RATE);
    for (int size : sizes.bytes()) {
      Point point = point(size);
      turns.measure(point, options.rounds());
      if (limit != null) {
        turns.search(point, limit, options.rounds());
      }
    }
  }

  private Point point(int size) {
    int most = journals.stream().mapToInt(n -> n).max().orElse(1);
    return WrongUsage.unless(
        spec(),
        () ->
            Point.of(size, options.seconds())
                .on(1, Point.PARTITIONS)
                .clients(hosts.producers(producers == null ? Math.max(2, most) : producers), 0)
                .beside(backlog));
  }

  private LatencyLimit limit() {
    if (sla.equals("none")) {
      return null;
    }
    return WrongUsage.unless(spec(), () -> LatencyLimit.of(sla));
  }
}
