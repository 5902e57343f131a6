// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.migration.MigrationBench;
import io.headpond.lab.migration.MigrationBench.Measure;
import io.headpond.lab.migration.MigrationReport;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run migration}: what migration achieves and costs. */
@Command(
    name = "migration",
    description = {
      "Measure migration from a fast tier to a home.",
      "",
      "Its rate against dd, appends beside it, and how long a burst lasts. Takes about three minutes, and "
          + "three times --bytes on the fast device; all of it is removed at the end. With --home-limit home "
          + "is slow, for dd and Headpond alike."
    },
    footer = {
      "  headpond-lab run migration --fast /mnt/pmem0 --home /mnt/hdd0",
      "  headpond-lab run migration --measures rate,burst --bytes 256MiB --json",
      "  headpond-lab run migration --measures rate,appends --home-limit gp3 --page-cache 256MiB"
    })
public final class MigrationCommand extends StandardCommand {
  @Mixin private DeviceFolders folders;
  @Mixin private HomeLimit limit;

  @Option(
      names = "--measures",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "rate,appends,burst",
      description = "Measures to take (default: ${DEFAULT-VALUE}).")
  private List<String> measures;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "1GiB",
      description = "Bytes migrated in a round (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--segment-bytes",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "64MiB",
      description =
          "Size of a segment that is migrated as a whole, to measure the rate (default: ${DEFAULT-VALUE}).")
  private long segmentBytes;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rounds of each measurement (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    FolderCheck.directory(folders.fast(), folders.home());
    if (bytes < 16 << 20 || rounds < 1) {
      throw wrongUsage("--bytes must be 16MiB or more, --rounds 1");
    }
    if (segmentBytes < 1 << 20 || segmentBytes > 1 << 30) {
      throw wrongUsage("--segment-bytes must be from 1MiB to 1GiB, which is Kafka's own size");
    }
    return limit.run(spec(), folders.home(), this::measure);
  }

  private int measure() throws IOException, InterruptedException {
    BenchRun run = new BenchRun(spec());
    MigrationBench bench =
        new MigrationBench(
            new MigrationBench.Options(
                folders.fast().toRealPath(),
                limit.home(folders.home()).toRealPath(),
                asked(),
                bytes,
                segmentBytes,
                rounds,
                System.err)); // the progress of minutes; stdout is the result's
    AtomicReference<MigrationReport> report = new AtomicReference<>();
    // Its folders are removed by itself; what fails after Ctrl-C is no news.
    if (!new InterruptibleRun(() -> {}).run(() -> report.set(bench.run()))) {
      return 1;
    }
    limit.measure();
    ReportOutput.print(run, out(), report.get(), json.given(), limit.labels());
    return 0;
  }

  private EnumSet<Measure> asked() {
    EnumSet<Measure> asked = EnumSet.noneOf(Measure.class);
    for (String name : measures) {
      try {
        asked.add(Measure.valueOf(name.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw wrongUsage("'" + name + "' is none of rate, appends, burst");
      }
    }
    return asked;
  }
}
