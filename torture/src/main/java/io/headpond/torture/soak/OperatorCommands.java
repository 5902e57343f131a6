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
  private final List<List<String>> parts;
  private volatile ChildProcess running;
  private volatile boolean closed;

  /**
   * @param folder holds their output
   * @param parts of the server's files, each as arguments: a drain works on one after the other
   */
  OperatorCommands(Path folder, List<List<String>> parts) {
    this.folder = folder;
    this.parts = List.copyOf(parts);
  }

  /** Checks all files; an error if something is wrong. */
  void verify() throws IOException, InterruptedException {
    finish("verify", parts.stream().flatMap(List::stream).toList());
  }

  /** Brings everything home; an error if that fails. */
  void drain() throws IOException, InterruptedException {
    for (List<String> part : parts) {
      finish("drain", part);
    }
  }

  private void finish(String name, List<String> target) throws IOException, InterruptedException {
    start(name, target);
    int exitCode = running.awaitExit(LIMIT);
    if (exitCode != 0) {
      throw new IOException(
          "headpond " + name + " ended with " + exitCode + ":\n" + running.tail(TAIL_LINES));
    }
  }

  /** Begins to bring everything home and is killed after some time; whether it was at work. */
  boolean drainKilledAfter(long millis) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    for (List<String> part : parts) {
      start("drain", part);
      boolean ended = running.endsWithin(millis - (System.nanoTime() - begun) / 1_000_000);
      running.kill();
      if (!ended) {
        return true;
      }
    }
    return false;
  }

  private void start(String name, List<String> target) throws IOException {
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
