// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.results.CompareCommand;
import io.headpond.cli.results.ReportCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headpond bench}: the parent of all measurements. */
@Command(
    name = "bench",
    description = "Measure on this machine, with rivals in the same run, and look at the results.",
    footer = {"  headpond bench channel /mnt/pmem0", "  headpond bench kafka --sizes 1KiB"},
    subcommands = {
      ChannelCommand.class,
      JournalBenchCommand.class,
      KafkaBenchCommand.class,
      BookKeeperBenchCommand.class,
      LedgersBenchCommand.class,
      MigrationBenchCommand.class,
      LatencyBenchCommand.class,
      ThroughputBenchCommand.class,
      IngestBenchCommand.class,
      BurstCommand.class,
      SteadyBenchCommand.class,
      IsolationBenchCommand.class,
      FailureCommand.class,
      WorkloadBenchCommand.class,
      SeedsBenchCommand.class,
      AgentCommand.class,
      CompareCommand.class,
      ReportCommand.class
    })
public final class BenchCommand implements Runnable {
  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to measure: channel, journal, kafka, bookkeeper, ledgers, migration, latency,"
            + " throughput, ingest, burst, steady, isolation, failure,"
            + " workload or seeds; or compare, report");
  }
}
