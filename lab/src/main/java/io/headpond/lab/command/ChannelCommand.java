// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.channel.ChannelBench;
import io.headpond.lab.channel.ChannelReport;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab channel}: what one append costs on a device. */
@Command(
    name = "channel",
    description = {
      "Measure appends to a directory's device, with baselines in the same run.",
      "",
      "Headpond's mapped file against a bare libpmem copy and against FileChannel.write. All sizes "
          + "take about five minutes; up to 256 MiB are used in the directory, and removed at the end."
    },
    footer = {
      "  headpond-lab channel /mnt/pmem0",
      "  headpond-lab channel /dev/shm --append 4KiB --no-growth --json"
    })
public final class ChannelCommand extends StandardCommand {
  @Mixin private DeviceDirectory directory;

  @Option(
      names = "--append",
      paramLabel = "SIZE",
      split = ",",
      converter = SizeConverter.class,
      description = "Sizes of an append (default: 256B,4KiB,64KiB,1MiB).")
  private List<Long> appends = new ArrayList<>();

  @Option(
      names = "--no-growth",
      description = "Only appends into a file that has grown already, not growing files too.")
  private boolean noGrowth;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description = "JVMs started for each measurement (default: ${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "20",
      description = "Iterations measured in each (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--iteration",
      paramLabel = "TIME",
      defaultValue = "100ms",
      description = "Length of one (default: ${DEFAULT-VALUE}).")
  private Duration iteration;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    directory.checked();
    if (forks < 0 || iterations < 1 || iteration.isZero()) {
      throw wrongUsage("--forks must be 0 or more, --iterations and --iteration more than 0");
    }
    BenchRun run = new BenchRun(spec());
    ChannelReport report = new ChannelBench(options()).run();
    ReportOutput.print(run, out(), report, json.given());
    return 0;
  }

  private ChannelBench.Options options() {
    List<Integer> sizes = new ArrayList<>();
    for (long bytes : appends) {
      sizes.add((int) Math.min(Integer.MAX_VALUE, bytes));
    }
    // The progress of minutes, for people who wait; stdout is the result's.
    PrintStream log = System.err;
    try {
      return new ChannelBench.Options(
          directory.checked(),
          sizes.isEmpty() ? ChannelBench.Options.APPEND_BYTES : sizes,
          !noGrowth,
          forks,
          iterations,
          iteration,
          log);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }
}
