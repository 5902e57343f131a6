// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.JavaHome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The {@code headpond} commands of a soak, each a process of its own. One thread, but close. */
final class OperatorCommands implements Closeable {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String MAIN_CLASS = "io.headpond.cli.Headpond";
  private static final int TAIL_LINES = 40;

  private final Path folder;
  private final List<String> target;
  private volatile ChildProcess running;
  private volatile boolean closed;

  /**
   * @param folder holds their output
   * @param target arguments that say whose files they work on
   */
  OperatorCommands(Path folder, String... target) {
    this.folder = folder;
    this.target = List.of(target);
  }

  /** Runs one to its end; an error if it finds something wrong. */
  void run(String name) throws IOException, InterruptedException {
    start(name);
    int exitCode = running.awaitExit(LIMIT);
    if (exitCode != 0) {
      throw new IOException(
          "headpond " + name + " ended with " + exitCode + ":\n" + running.tail(TAIL_LINES));
    }
  }

  /** Runs one and kills it after some time; whether it was still at work. */
  boolean killAfter(String name, long millis) throws IOException, InterruptedException {
    start(name);
    boolean ended = running.endsWithin(millis);
    running.kill();
    return !ended;
  }

  private void start(String name) throws IOException {
    if (closed) {
      throw new IOException("interrupted");
    }
    Path output = folder.resolve(name + ".out");
    Files.deleteIfExists(output);
    List<String> command =
        new ArrayList<>(
            List.of(
                JavaHome.current().java().toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN_CLASS,
                name));
    command.addAll(target);
    running = ChildProcess.start("headpond " + name, command, Map.of(), folder, output);
  }

  /** Any thread: none runs any more, and none starts. */
  @Override
  public void close() {
    closed = true;
    if (running != null) {
      running.close();
    }
  }
}
