// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process of Linux.
 *
 * @param session that it was started in
 * @param started clock ticks after the machine's start; with the id it names a process for good
 */
record ProcessInfo(long pid, long session, long started) {

  /** Fields of /proc/PID/stat behind the name, which ends with the last bracket. */
  private static final int SESSION = 3;

  private static final int STARTED = 19;

  /** The process of this id, if there is one. */
  static Optional<ProcessInfo> of(SystemFiles system, long pid) {
    try {
      String stat = SystemFiles.text(system.processes().resolve(pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Optional.of(
          new ProcessInfo(pid, Long.parseLong(fields[SESSION]), Long.parseLong(fields[STARTED])));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** All processes. */
  static Stream<ProcessInfo> all(SystemFiles system) throws IOException {
    try (Stream<Path> folders = Files.list(system.processes())) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .filter(name -> name.matches("\\d{1,10}"))
          .flatMap(name -> of(system, Long.parseLong(name)).stream())
          .toList()
          .stream();
    }
  }

  /** True if its working directory, or a file that it has open, lies below {@code folder}. */
  boolean uses(SystemFiles system, Path folder) {
    Path own = system.processes().resolve("" + pid);
    try (Stream<Path> files = Files.list(own.resolve("fd"))) {
      return Stream.concat(Stream.of(own.resolve("cwd")), files.toList().stream())
          .anyMatch(link -> leadsBelow(link, folder));
    } catch (IOException | UncheckedIOException ended) {
      return false;
    }
  }

  private static boolean leadsBelow(Path link, Path folder) {
    try {
      return Files.readSymbolicLink(link).startsWith(folder);
    } catch (IOException closed) {
      return false;
    }
  }
}
