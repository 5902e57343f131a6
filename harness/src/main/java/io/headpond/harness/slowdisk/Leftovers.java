// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Limited homes of processes that were killed before they could take them down. */
public final class Leftovers {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SystemFiles system;
  private final Programs programs;

  Leftovers(SystemFiles system, Programs programs) {
    this.system = system;
    this.programs = programs;
  }

  /**
   * Takes down what dead processes left on this machine; nothing if this process isn't root, who
   * alone can have set it up.
   *
   * @param said gets a line for each
   */
  public static void remove(Consumer<String> said) throws IOException {
    SystemFiles system = SystemFiles.ofMachine();
    if (Files.isDirectory(system.records()) && system.user() == 0) {
      new Leftovers(system, Programs.ofMachine()).removeAll(said);
    }
  }

  void removeAll(Consumer<String> said) throws IOException {
    // Two starts at once would take down the same twice.
    try (FileChannel file =
            FileChannel.open(
                system.records().resolve("lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = file.lock()) {
      assert held.isValid();
      for (HomeRecord record : HomeRecord.all(system)) {
        if (!record.alive(system)) {
          List<Long> killed = record.sameBoot(system) ? kill(record) : List.of();
          new TakeDown(system, programs, record, PATIENCE).run();
          said.accept(
              "took down the limited home in "
                  + record.folder()
                  + ", which process "
                  + record.owner().pid()
                  + " left when it was killed"
                  + (killed.isEmpty() ? "" : "; killed what it had started: " + killed));
        }
      }
    }
  }

  /**
   * Kills the engines that outlived their command: those in its own control group, and those of its
   * session that were started after it and use the mount.
   */
  private List<Long> kill(HomeRecord record) throws IOException {
    List<Long> all = new ArrayList<>(record.throttle().members());
    ProcessInfo.all(system)
        .filter(process -> process.session() == record.owner().session())
        .filter(process -> process.started() >= record.owner().started())
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> process.uses(system, record.mount()))
        .map(ProcessInfo::pid)
        .filter(pid -> !all.contains(pid))
        .forEach(all::add);
    all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    return all;
  }
}
