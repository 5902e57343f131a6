// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.BookieConfiguration;
import io.headpond.cli.measure.DeviceFigures;
import io.headpond.cli.measure.DeviceMeasure;
import io.headpond.cli.measure.MeasureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond doctor}: what do this machine, these directories and this configuration mean? */
@Command(
    name = "doctor",
    description = {
      "Check this machine for durability and speed, and name the command for each change.",
      "",
      "Looks at processor, Java, limits, and at each directory's device: file system, DAX,",
      "persistence domain, NUMA node. Writes and removes a small file in each directory.",
      "With --measure it takes some seconds for each directory named, and writes up to 128 MiB at "
          + "a time there, in a folder that it removes."
    },
    footer = {
      "  headpond doctor",
      "  headpond doctor /mnt/pmem0 /var/lib/kafka",
      "  headpond doctor /etc/kafka/server.properties",
      "  headpond doctor --bookkeeper conf/bk_server.conf",
      "  headpond doctor --measure /mnt/nvme0"
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
      paramLabel = "DIR|FILE",
      description =
          "Directories to look at, for example a future tier; or one configuration file, as with"
              + " --config or --bookkeeper.")
  private List<Path> given = new ArrayList<>();

  private final List<Path> directories = new ArrayList<>();

  @Option(
      names = "--measure",
      description =
          "Measure the devices of the directories named: durable appends in the ways that there "
              + "are, and the rate of sequential writes. 'headpond plan' reads the JSON.")
  private boolean measure;

  @Mixin private JsonOption json;

  record ItemJson(String level, String subject, String finding, String remedy) {}

  record ResultJson(
      boolean ok,
      String java,
      List<String> writeBackInstructions,
      List<String> persistentMemoryDevices,
      List<DirectoryReport> directories,
      List<ItemJson> items,
      List<DeviceFigures> measured) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    sort();
    if (measure && directories.isEmpty()) {
      throw wrongUsage("--measure needs a directory: DIR");
    }
    Machine machine = new Machine(Path.of("/"));
    Diagnosis diagnosis = new Diagnosis();
    machine.diagnose(bookkeeper == null || config != null, diagnosis);
    JavaRuntime.diagnose(diagnosis, Path.of("/dev/shm"));
    List<DirectoryReport> reports = reports(machine, diagnosis);
    List<DeviceFigures> measured = measured(reports);
    boolean ok = diagnosis.count(Diagnosis.Level.WRONG) == 0;
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result(ok, machine, diagnosis, reports, measured));
    } else {
      measured.forEach(each -> MeasureText.print(out, each));
      print(out, diagnosis, reports);
    }
    return ok ? 0 : 1;
  }

  /** Looks at every directory that is named, by itself or in a configuration. */
  private List<DirectoryReport> reports(Machine machine, Diagnosis diagnosis) throws IOException {
    List<DirectoryReport> reports = new ArrayList<>();
    if (config != null) {
      reports.addAll(ConfigurationCheck.run(config.toAbsolutePath(), machine, diagnosis));
    }
    for (Path directory : directories) {
      Path absolute = directory.toAbsolutePath();
      reports.add(
          diagnosis.silent(List.of(absolute))
              ? DirectoryReport.unreadable(absolute)
              : DirectoryReport.of(
                  absolute,
                  DirectoryUse.SEGMENTS,
                  Optional.empty(),
                  Optional.empty(),
                  machine,
                  diagnosis));
    }
    NumaAdvice.give(reports, DirectoryUse.SEGMENTS, machine.numaNodes(), diagnosis);
    if (bookkeeper != null) {
      List<DirectoryReport> ofTheBookie =
          BookkeeperCheck.run(bookkeeper.toAbsolutePath(), machine, diagnosis);
      NumaAdvice.give(ofTheBookie, DirectoryUse.JOURNAL, machine.numaNodes(), diagnosis);
      reports.addAll(ofTheBookie);
    }
    return reports;
  }

  private static ResultJson result(
      boolean ok,
      Machine machine,
      Diagnosis diagnosis,
      List<DirectoryReport> reports,
      List<DeviceFigures> measured) {
    List<ItemJson> items = new ArrayList<>();
    for (Diagnosis.Item item : diagnosis.items()) {
      items.add(new ItemJson(item.level().key(), item.subject(), item.finding(), item.remedy()));
    }
    return new ResultJson(
        ok,
        Runtime.version().toString(),
        machine.writeBackInstructions(),
        machine.persistentMemoryDevices(),
        reports,
        items,
        measured);
  }

  /** A file among the directories is a configuration: of a bookie if it has a bookie's keys. */
  private void sort() throws IOException {
    for (Path each : given) {
      if (!Files.isRegularFile(each)) {
        directories.add(each);
      } else if (BookieConfiguration.isOne(each)) {
        bookkeeper = one("--bookkeeper", bookkeeper, each);
      } else {
        config = one("--config", config, each);
      }
    }
  }

  private Path one(String option, Path named, Path found) {
    if (named != null) {
      throw wrongUsage(found + " and " + named + " are two files for " + option + "; give one");
    }
    return found;
  }

  /** Nothing is measured where something is wrong with the directory already. */
  private List<DeviceFigures> measured(List<DirectoryReport> reports)
      throws IOException, InterruptedException {
    List<DeviceFigures> measured = new ArrayList<>();
    if (measure) {
      try (Progress progress = new Progress(err())) {
        for (Path directory : directories) {
          if (reports.stream().anyMatch(each -> each.readable(directory.toAbsolutePath()))) {
            measured.add(new DeviceMeasure(directory, progress::show).run());
          }
        }
      }
    }
    return measured;
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
        boolean forced = report.persistBackend().equals(DirectoryReport.FORCE);
        out.printf(
            "%-7s  %s: %s: %s (%s)%n",
            "",
            report.path(),
            forced ? "made durable by" : "persist back end for mapped files",
            report.persistBackend(),
            report.persistReason());
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
