// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * jcstress in a JVM of its own, with its files in memory where the machine has that.
 *
 * @param exitCode 0: no forbidden outcome
 * @param output what it printed
 */
record StressRun(int exitCode, String output) {
  private static final long MINUTES_MAX = 10;

  /** States that two threads go through before they meet: each is a file, so few. */
  private static final String STRIDE = "16";

  /**
   * Runs some races.
   *
   * @param races pattern of their names
   * @param milliseconds for each of them
   * @param first folders before everything else on the class path
   */
  static StressRun of(final String races, final long milliseconds, final List<Path> first)
      throws IOException, InterruptedException {
    final Path memory = Path.of("/dev/shm");
    final Path folder =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "headpond-stress")
            : Files.createTempDirectory("headpond-stress");
    try {
      return new StressRun(folder, races, milliseconds, first);
    } finally {
      remove(folder);
    }
  }

  private StressRun(
      final Path folder, final String races, final long milliseconds, final List<Path> first)
      throws IOException, InterruptedException {
    this(run(folder, command(folder, races, milliseconds, first)), output(folder));
  }

  private static List<String> command(
      final Path folder, final String races, final long milliseconds, final List<Path> first) {
    final List<String> classPath = new ArrayList<>();
    first.forEach(path -> classPath.add(path.toString()));
    classPath.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Djava.io.tmpdir=" + folder,
        "-cp",
        String.join(":", classPath),
        "org.openjdk.jcstress.Main",
        "-v",
        "-t",
        races,
        "-r",
        folder.resolve("report").toString(),
        "-f",
        "1",
        "-fsm", // no more forks with random compilations
        "0",
        "-iters",
        "1",
        "-time",
        String.valueOf(milliseconds),
        "-sc", // both threads compiled the same way
        "false",
        "-strideSize",
        STRIDE,
        "-strideCount",
        "1",
        "-jvmArgs",
        "-ea -Xmx256m -Dheadpond.stress.folder="
            + folder
            + " -Dorg.slf4j.simpleLogger.defaultLogLevel=error");
  }

  private static int run(final Path folder, final List<String> command)
      throws IOException, InterruptedException {
    final Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
        throw new AssertionError("not done in " + MINUTES_MAX + " min\n" + output(folder));
      }
      return process.exitValue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String output(final Path folder) throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  private static void remove(final Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
