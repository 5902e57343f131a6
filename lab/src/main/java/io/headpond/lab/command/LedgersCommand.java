// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.ledgers.LedgersBench;
import io.headpond.lab.ledgers.LedgersReport;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run ledgers}: what the replay of a backlog costs those who publish. */
@Command(
    name = "ledgers",
    description = {
      "Measure the add latency of a bookie while an old backlog is replayed from disk.",
      "",
      "With all entry logs in the ledger directory, and with new ones on the fast device. Two bookies "
          + "take turns, their journals on the fast device. Takes about two minutes and three times "
          + "--backlog on both devices; all of it is removed at the end."
    },
    footer = {
      "  headpond-lab run ledgers --fast /mnt/pmem0 --home /mnt/hdd0",
      "  headpond-lab run ledgers --backlog 256MiB --rounds 3 --json"
    })
public final class LedgersCommand extends StandardCommand {
  private static final long BACKLOG_BYTES_MIN = 64 << 20;

  @Mixin private DeviceFolders folders;

  @Option(
      names = "--backlog",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "256MiB",
      description = "Size of the backlog that is replayed (default: ${DEFAULT-VALUE}).")
  private long backlog;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "16MiB",
      description = "Bytes published meanwhile, per second (default: ${DEFAULT-VALUE}).")
  private long rate;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "4s",
      description = "Length of each measurement (default: ${DEFAULT-VALUE}).")
  private Duration slice;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds, each with both bookies (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    FolderCheck.directory(folders.fast(), folders.home());
    if (backlog < BACKLOG_BYTES_MIN || rate < 1 << 20 || rounds < 1) {
      throw wrongUsage("--backlog must be 64MiB or more, --rate 1MiB, --rounds 1");
    }
    BenchRun run = new BenchRun(spec());
    LedgersReport report =
        new LedgersBench(
                new LedgersBench.Options(
                    folders.fast().toRealPath(),
                    folders.home().toRealPath(),
                    backlog,
                    rate,
                    slice,
                    rounds,
                    System.err)) // the progress of minutes; stdout is the result's
            .run();
    ReportOutput.print(run, out(), report, json.given());
    return 0;
  }
}
