// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond doctor}: can an engine run here, and what does a power cut leave? */
@Command(
    name = "doctor",
    description = {
      "Check directories and an engine's configuration before it starts, and name the command for "
          + "each change.",
      "",
      "Looks at Java and at each directory's device: file system, DAX, persistence domain, and what "
          + "a power cut leaves there. Writes and removes a small file in each directory."
    },
    footer = {
      "  headpond doctor",
      "  headpond doctor /mnt/pmem0 /var/lib/kafka",
      "  headpond doctor --config /etc/kafka/server.properties",
      "  headpond doctor --bookkeeper conf/bk_server.conf"
    })
public final class DoctorCommand extends StandardCommand {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Check this configuration, the directories that it names, and everything for which a "
              + "broker's start would be refused; also beside a running broker.")
  private Path config;

  @Option(
      names = "--bookkeeper",
      paramLabel = "FILE",
      description =
          "Check this configuration of a bookie, its journal directories and the places of its "
              + "entry logs.")
  private Path bookkeeper;

  @Parameters(
      arity = "0..*",
      paramLabel = "DIR",
      description = "Directories to look at, for example a future tier.")
  private List<Path> directories = new ArrayList<>();

  @Mixin private JsonOption json;

  record ItemJson(String level, String subject, String finding, String remedy) {}

  record ResultJson(
      boolean ok, String java, List<DirectoryReport> directories, List<ItemJson> items) {}

  @Override
  public Integer call() {
    Diagnosis diagnosis = new Diagnosis();
    JavaRuntime.diagnose(diagnosis, Path.of("/dev/shm"));
    List<DirectoryReport> reports = reports(diagnosis);
    boolean ok = diagnosis.count(Diagnosis.Level.WRONG) == 0;
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result(ok, diagnosis, reports));
    } else {
      print(out, diagnosis, reports);
    }
    return ok ? 0 : 1;
  }

  /** Looks at every directory that is named, by itself or in a configuration. */
  private List<DirectoryReport> reports(Diagnosis diagnosis) {
    List<DirectoryReport> reports = new ArrayList<>();
    if (config != null) {
      reports.addAll(ConfigurationCheck.run(config.toAbsolutePath(), diagnosis));
    }
    for (Path directory : directories) {
      Path absolute = directory.toAbsolutePath();
      reports.add(
          diagnosis.silent(List.of(absolute))
              ? DirectoryReport.unreadable(absolute)
              : DirectoryReport.of(absolute, DirectoryUse.SEGMENTS, diagnosis));
    }
    if (bookkeeper != null) {
      reports.addAll(BookkeeperCheck.run(bookkeeper.toAbsolutePath(), diagnosis));
    }
    return reports;
  }

  private static ResultJson result(boolean ok, Diagnosis diagnosis, List<DirectoryReport> reports) {
    List<ItemJson> items = new ArrayList<>();
    for (Diagnosis.Item item : diagnosis.items()) {
      items.add(new ItemJson(item.level().key(), item.subject(), item.finding(), item.remedy()));
    }
    return new ResultJson(ok, Runtime.version().toString(), reports, items);
  }

  private static void print(PrintWriter out, Diagnosis diagnosis, List<DirectoryReport> reports) {
    for (Diagnosis.Item item : diagnosis.items()) {
      out.printf("%-7s  %s%n", item.level().key(), item.sentence());
      if (!item.remedy().isEmpty()) {
        out.printf("%-7s    -> %s%n", "", item.remedy());
      }
    }
    for (DirectoryReport report : reports) {
      if (report.persistBackend() != null) {
        out.printf(
            "%-7s  %s: persist back end: %s (%s)%n",
            "", report.path(), report.persistBackend(), report.persistReason());
      }
    }
    out.println();
    out.println(
        Units.count(diagnosis.count(Diagnosis.Level.WRONG), "thing")
            + " wrong, "
            + Units.count(diagnosis.count(Diagnosis.Level.WARNING), "warning")
            + ", "
            + Units.count(diagnosis.count(Diagnosis.Level.ADVICE), "piece")
            + " of advice");
    out.flush();
  }
}
