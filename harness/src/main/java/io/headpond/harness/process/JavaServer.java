// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A server that runs in a JVM of its own, and that can be started, stopped, killed and started
 * again over the same folder, which holds its logging configuration, its log, its output and its
 * temporary files. Not safe for use by several threads.
 */
public final class JavaServer implements AutoCloseable {

  private static final Duration STOP_LIMIT = Patience.ofSeconds(120);
  private static final int TAIL_LINES = 60;

  private final String name;
  private final Path folder;
  private final List<String> jvmArguments = new ArrayList<>();
  private List<Path> classPath = List.of();
  private JavaHome java = JavaHome.current();
  private ChildProcess process;

  /**
   * @param name what errors call it, as {@code bookie 1}
   * @param folder of its own, made if it isn't there
   */
  public JavaServer(String name, Path folder) throws IOException {
    this.name = name;
    this.folder = Files.createDirectories(folder.toAbsolutePath());
  }

  /** The Java that runs it from the next start on. */
  public JavaServer java(JavaHome home) {
    this.java = home;
    return this;
  }

  /** Its class path from the next start on. */
  public JavaServer classPath(List<Path> jars) {
    this.classPath = List.copyOf(jars);
    return this;
  }

  /** More arguments of its JVM, from the next start on. */
  public JavaServer jvmArguments(String... arguments) {
    jvmArguments.addAll(List.of(arguments));
    return this;
  }

  /** Starts its main class without waiting. */
  public void launch(String mainClass, String... arguments) throws IOException {
    if (running()) {
      throw new IllegalStateException(name + " runs already");
    }
    process = ChildProcess.start(name, command(mainClass, arguments), Map.of(), folder, output());
  }

  /**
   * Waits until something listens on a port of 127.0.0.1; an error with the end of its output if it
   * ends before or takes too long.
   */
  public void awaitListening(int port, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!Ports.listening(port)) {
      if (process.endsWithin(50)) {
        throw new IOException(
            name + " ended at its start with " + process.awaitExit(STOP_LIMIT) + "\n" + tail());
      }
      if (System.nanoTime() > deadline) {
        kill();
        throw new IOException(name + " wasn't ready after " + limit.toSeconds() + " s\n" + tail());
      }
    }
  }

  /** Runs another main class with the same Java, class path and arguments to its end. */
  public ToolRun tool(String mainClass, String... arguments)
      throws IOException, InterruptedException {
    return ToolRun.of(mainClass, command(mainClass, arguments), folder, STOP_LIMIT);
  }

  /** The command that starts a main class, with everything that was set. */
  public List<String> command(String mainClass, String... arguments) throws IOException {
    Path logging = folder.resolve("log4j2.properties");
    Files.writeString(logging, LoggingSetup.log4j2(log()), StandardCharsets.UTF_8);
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    List<String> command = new ArrayList<>(List.of(java.java().toString()));
    command.addAll(
        List.of(
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=" + temporary,
            "-Dlog4j2.configurationFile=" + logging));
    command.addAll(jvmArguments);
    command.add("-cp");
    command.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Its folder. */
  public Path folder() {
    return folder;
  }

  /** The file of what it printed, over all its lives. */
  public Path output() {
    return folder.resolve("server.out");
  }

  /** Its log over all its lives; a bounded file. */
  public Path log() {
    return folder.resolve("server.log");
  }

  /** SIGTERM, and waits for its end. */
  public void stop() throws IOException, InterruptedException {
    process.terminate(STOP_LIMIT);
    removeTemporary();
  }

  /** SIGKILL: what a crash of the process leaves behind. */
  public void kill() throws IOException, InterruptedException {
    process.kill();
    removeTemporary();
  }

  /** Native libraries that a killed JVM leaves, tens of MiB of them at each start. */
  private void removeTemporary() throws IOException {
    FolderRemoval.remove(folder.resolve("tmp"), false);
  }

  /** Waits for its end at most {@code millis}; true if it has ended. */
  public boolean endsWithin(long millis) throws InterruptedException {
    return process.endsWithin(millis);
  }

  /** Waits for its end and returns its exit code; one that takes longer is killed and an error. */
  public int awaitExit(Duration limit) throws IOException, InterruptedException {
    return process.awaitExit(limit);
  }

  /** True while its process lives. */
  public boolean running() {
    return process != null && process.alive();
  }

  /** Process id of its current or last life. */
  public long pid() {
    return process.pid();
  }

  /** Processor time its current life has used, user and system. */
  public Duration cpuTime() {
    return process.cpuTime();
  }

  /** The end of what it has printed and logged. */
  public String tail() throws IOException {
    return String.format(
        "--- output of %s (%s)%n%s%n--- log of %s (%s)%n%s",
        name,
        output(),
        ChildProcess.tail(output(), TAIL_LINES),
        name,
        log(),
        ChildProcess.tail(log(), TAIL_LINES));
  }

  /** Kills the process if it lives. */
  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
