// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Turns;
import io.headpond.lab.workload.MessagingWorkload;
import io.headpond.lab.workload.WorkloadFile;
import io.headpond.lab.workload.WorkloadRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond-lab workload}. */
@Command(
    name = "workload",
    description = {
      "Run workload files of the OpenMessaging Benchmark against Kafka with Headpond and without.",
      "",
      "Files are read as they are; what can't be run is refused by its key. All variants take turns. A "
          + "turn lasts as long as the file says divided by --rounds, unless --seconds is given, and is "
          + "warmed up as the first file says, unless --warm-up-seconds is. A turn ends early when it has "
          + "sent as much as there is room for, 2 GiB at most. producerRate: 0 is full speed. A backlog is "
          + "written first, as fast as possible, and read again and again meanwhile. Examples are in "
          + "conf/workloads."
    },
    footer = {
      "  headpond-lab workload conf/workloads/1-topic-16-partitions-1kb.yaml --seconds 10",
      "  headpond-lab workload workloads/*.yaml --compare vanilla-disk --json workload.json"
    })
public final class WorkloadCommand extends StandardCommand {

  private static final int FILES_MAX = 50;
  private static final double WARM_UP_RATE = 1_000;
  private static final double SECONDS_MIN = 0.5;

  @Mixin private ScenarioOptions options;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Workload files.")
  private List<Path> files;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "kafka",
      description = "kafka (default: ${DEFAULT-VALUE}).")
  private ScenarioEngine engine;

  @Option(
      names = "--backlog",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Instead of each file's consumerBacklogSizeGB.")
  private Long backlog;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (engine != ScenarioEngine.KAFKA) {
      throw wrongUsage("workload files are run against kafka only");
    }
    if (files.size() > FILES_MAX) {
      throw wrongUsage("at most " + FILES_MAX + " files");
    }
    List<MessagingWorkload> workloads = new ArrayList<>();
    for (Path file : files) {
      workloads.add(WorkloadFile.read(file));
    }
    workloads.forEach(this::point);
    return ScenarioRun.of(
        spec(),
        options,
        engine,
        List.of(1),
        KafkaTier.KEEPS,
        null,
        turns -> measure(turns, workloads));
  }

  private void measure(Turns turns, List<MessagingWorkload> workloads)
      throws IOException, InterruptedException {
    MessagingWorkload first = workloads.get(0);
    double warmUp =
        given("--warm-up-seconds")
            ? options.warmUpSeconds()
            : Math.max(SECONDS_MIN, first.warmUpMinutes() * 60.0);
    send(turns, first);
    turns.warmUp(point(first).beside(0), warmUp, WARM_UP_RATE);
    for (MessagingWorkload workload : workloads) {
      send(turns, workload);
      new Turns(turns.rigs(), ", " + workload.name(), turns.listener())
          .measure(point(workload), options.rounds());
    }
  }

  private static void send(Turns turns, MessagingWorkload workload) {
    RecordRing records = WorkloadRecords.of(workload);
    turns.rigs().forEach(rig -> ((KafkaRig) rig).send(records));
  }

  private Point point(MessagingWorkload workload) {
    double seconds =
        given("--seconds") ? options.seconds() : workload.testMinutes() * 60.0 / options.rounds();
    try {
      return workload.point(seconds, backlog == null ? workload.backlogBytes() : backlog);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(workload.name() + ": " + e.getMessage());
    }
  }

  private boolean given(String option) {
    return spec().commandLine().getParseResult().hasMatchedOption(option);
  }
}
