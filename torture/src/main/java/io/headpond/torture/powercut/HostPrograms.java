// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The programs of the host that a campaign of power cuts runs. Once it is closed nothing of them
 * runs any more, and none starts again. Safe for use by several threads.
 */
public final class HostPrograms implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final int TAIL_LINES = 30;

  /** The folders of mke2fs, which aren't on everybody's PATH. */
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin");

  private final Set<ChildProcess> running = ConcurrentHashMap.newKeySet();
  private boolean closed;

  /**
   * The file of a program.
   *
   * @throws IOException if it isn't installed; the message names the package that has it
   */
  static Path find(String program, String debianPackage) throws IOException {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(File.pathSeparator)), SYSTEM_FOLDERS.stream())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    program
                        + " isn't installed; it is in the package "
                        + debianPackage
                        + ": apt-get install "
                        + debianPackage));
  }

  /** Starts one, with its output in a file. */
  synchronized ChildProcess start(String name, List<String> command, Path folder, Path output)
      throws IOException {
    if (closed) {
      throw new IOException("interrupted");
    }
    running.removeIf(process -> !process.alive());
    // In a session of its own: a Ctrl-C reaches only this JVM, which then knows why they ended.
    List<String> apart = new ArrayList<>(List.of("setsid", "nice", "-n", "10"));
    apart.addAll(command);
    ChildProcess process = ChildProcess.start(name, apart, Map.of(), folder, output);
    running.add(process);
    return process;
  }

  /** Runs one to its end; an error with the end of its output if it fails. */
  void run(String name, List<String> command, Path folder)
      throws IOException, InterruptedException {
    run(name, command, folder, 0);
  }

  /**
   * Runs one to its end; an error with the end of its output if it fails.
   *
   * @param good the greatest exit code that isn't a failure
   */
  void run(String name, List<String> command, Path folder, int good)
      throws IOException, InterruptedException {
    Path output = folder.resolve(name + ".log");
    Files.deleteIfExists(output);
    try (ChildProcess process = start(name, command, folder, output)) {
      int exitCode = process.awaitExit(LIMIT);
      if (exitCode < 0 || exitCode > good) {
        throw new IOException(
            name + " failed with " + exitCode + ": " + process.tail(TAIL_LINES).strip());
      }
    }
  }

  /** Runs one to its end, as {@link #run}; what it printed. */
  String output(String name, List<String> command, Path folder)
      throws IOException, InterruptedException {
    run(name, command, folder);
    return Files.readString(folder.resolve(name + ".log"));
  }

  /** True if nothing starts any more. */
  public synchronized boolean closed() {
    return closed;
  }

  /** Kills what runs, with what that has started, and waits until it is gone. */
  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (ChildProcess process : running) {
        ProcessHandle.of(process.pid())
            .ifPresent(
                handle -> {
                  handle.descendants().forEach(all::add);
                  all.add(handle);
                });
      }
      all.forEach(ProcessHandle::destroyForcibly);
    }
    all.forEach(handle -> handle.onExit().join());
  }
}
