// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A process that this one started, its output in a file. It doesn't outlive this JVM: a shutdown
 * hook kills what still runs.
 */
public final class ChildProcess implements AutoCloseable {

  private static final int TAIL_BYTES = 32 * 1024;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  private static volatile boolean ending;

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(ChildProcess::killAll, "headpond-kill-children"));
  }

  private static void killAll() {
    ending = true;
    RUNNING.forEach(Process::destroyForcibly);
  }

  private final String name;
  private final Process process;
  private final Path output;

  private ChildProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  /**
   * Starts {@code command} in {@code folder}, its standard output and error appended to {@code
   * output}. What this process was told about the engine's and Java's options by its own
   * environment isn't handed on, and file names are UTF-8.
   */
  public static ChildProcess start(
      String name, List<String> command, Map<String, String> environment, Path folder, Path output)
      throws IOException {
    ProcessBuilder builder =
        builder(command, environment, folder)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    return started(name, builder, output);
  }

  /** As {@link #start}, but with pipes for its input and output, and only its errors in a file. */
  static ChildProcess startWithPipes(
      String name, List<String> command, Map<String, String> environment, Path folder, Path errors)
      throws IOException {
    ProcessBuilder builder =
        builder(command, environment, folder)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    return started(name, builder, errors);
  }

  private static ProcessBuilder builder(
      List<String> command, Map<String, String> environment, Path folder) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> inherited = builder.environment();
    List.of(
            "KAFKA_OPTS",
            "BOOKIE_OPTS",
            "PULSAR_OPTS",
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS")
        .forEach(inherited::remove);
    inherited.put("LC_ALL", "C.UTF-8");
    inherited.putAll(environment);
    return builder;
  }

  private static ChildProcess started(String name, ProcessBuilder builder, Path output)
      throws IOException {
    Process process = builder.start();
    RUNNING.add(process);
    if (ending) {
      // The shutdown hook may have missed it.
      process.destroyForcibly();
      throw new IOException(name + " isn't started any more: this JVM is ending");
    }
    process.onExit().thenAccept(RUNNING::remove);
    return new ChildProcess(name, process, output);
  }

  /** Its standard input, if it was started with pipes. */
  Writer commands() {
    return process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Its standard output, if it was started with pipes. */
  BufferedReader answers() {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /** Process id. */
  public long pid() {
    return process.pid();
  }

  /** True while it runs. */
  public boolean alive() {
    return process.isAlive();
  }

  /** Processor time used so far, user and system. */
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /**
   * Bytes it has written to files on block devices so far (proc(5), {@code write_bytes}); a page
   * counts each time that it becomes dirty.
   */
  public long writtenBytes() throws IOException {
    Path file = Path.of("/proc", Long.toString(process.pid()), "io");
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("write_bytes:")) {
        return Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
      }
    }
    throw new IOException(file + " doesn't say what was written");
  }

  /** Waits for its end and returns its exit code; one that takes longer is killed and an error. */
  public int awaitExit(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      throw new IOException(name + " didn't end within " + limit.toSeconds() + " s\n" + tail(40));
    }
    return process.exitValue();
  }

  /** Waits for its end at most {@code millis}; true if it has ended. */
  public boolean endsWithin(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** SIGTERM, then its exit code. */
  public int terminate(Duration limit) throws IOException, InterruptedException {
    process.destroy();
    return awaitExit(limit);
  }

  /** SIGKILL, and waits until the process is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** The last lines of its output. */
  public String tail(int lines) throws IOException {
    return tail(output, lines);
  }

  /** The last lines of a file that such a process writes; empty if there is none. */
  public static String tail(Path file, int lines) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, in.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (in.length() - from)];
      in.seek(from);
      in.readFully(bytes);
      List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
