// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.StandardCommand;
import io.headpond.harness.process.Engine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond demo}. */
@Command(
    name = "demo",
    description = {
      "Show Headpond with a real engine: a burst, a kill, a restart, every record compared.",
      "",
      "The same load runs on an unmodified engine on disk, and then on one with Headpond, whose fast",
      "device is memory here. The latter is killed by SIGKILL while clients write, and started again.",
      "Every acknowledged record is read back and compared, and rates and latencies are shown side by",
      "side. With Kafka more is written than the fast tier holds, and Kafka's own tool reads the log",
      "directory in the end. It takes a minute or two, and removes what it made."
    },
    footer = {
      "  headpond demo",
      "  headpond demo --duration 60s --json demo.json",
      "  headpond demo --engine bookkeeper",
      "  headpond demo --engine pulsar"
    })
public final class DemoCommand extends StandardCommand {

  private static final Duration DURATION_MIN = Duration.ofSeconds(2);
  private static final Duration DURATION_MAX = Duration.ofMinutes(1);

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      defaultValue = "kafka",
      description = "kafka, bookkeeper or pulsar (default: ${DEFAULT-VALUE}).")
  private Engine engine;

  @Option(
      names = "--engine-home",
      paramLabel = "DIR",
      description =
          "An unpacked release of the engine (default: in a source tree Headpond's own, fetched from"
              + " Maven Central; in an unpacked archive there is none).")
  private Path engineHome;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "20s",
      description =
          "Length of both measurements together, 2s to 1m; starting, warming up and comparing come"
              + " on top (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Mixin private JsonFile json;

  @Option(names = "--keep", description = "Keep all files at the end.")
  private boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
      throw wrongUsage("--duration goes from 2s to 1m");
    }
    json.requireFolder();
    PrintWriter out = out();
    DemoEngine parts = DemoEngine.of(engine, EngineJars.of(engine, engineHome, out));
    DemoPlace place = DemoPlace.create("demo", null);
    AtomicBoolean cleaned = new AtomicBoolean();
    try (Demo demo = new Demo(parts, duration, out)) {
      place.checkRoom(parts.fastBytes(), parts.homeBytes());
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> interrupted(demo, place, cleaned), "demo-cleanup"));
      DemoResult result = demo.run(place);
      if (keep) {
        out.printf("Kept: %s and %s%n", place.home(), place.fast());
      }
      json.write(result);
      return result.clean() ? 0 : 1;
    } finally {
      cleanUp(place, cleaned);
    }
  }

  /** Ctrl-C: the engine first, so that nothing writes into what is removed. */
  private void interrupted(Demo demo, DemoPlace place, AtomicBoolean cleaned) {
    try {
      demo.close();
      cleanUp(place, cleaned);
    } catch (IOException e) {
      System.err.println("headpond: not everything could be removed: " + e);
    }
  }

  private void cleanUp(DemoPlace place, AtomicBoolean cleaned) throws IOException {
    if (!keep && cleaned.compareAndSet(false, true)) {
      place.remove();
    }
  }
}
