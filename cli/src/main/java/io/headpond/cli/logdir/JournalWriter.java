// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The process that has a journal file open for writing. BookKeeper locks no journal, and only the
 * index of {@code DbLedgerStorage}; with its other storages this alone shows a running bookie.
 *
 * <p>Linux shows it for processes of the same user and to root, in this container.
 */
final class JournalWriter {
  private static final Path PROCESSES = Path.of("/proc");

  /** O_ACCMODE of fcntl.h: zero for a descriptor that only reads. */
  private static final int ACCESS_MODE = 3;

  private JournalWriter() {}

  /**
   * Finds the process; empty if none is seen.
   *
   * @param directory where the {@code .txn} files lie
   */
  static OptionalLong pid(Path directory) {
    try {
      Path journal = directory.toRealPath();
      try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
        for (Path process : processes) {
          long pid = Long.parseLong(process.getFileName().toString());
          if (pid != ProcessHandle.current().pid() && writes(process, journal)) {
            return OptionalLong.of(pid);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException notLinux) {
      return OptionalLong.empty();
    }
    return OptionalLong.empty();
  }

  private static boolean writes(Path process, Path journal) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        Path file = Files.readSymbolicLink(descriptor);
        if (journal.equals(file.getParent())
            && file.toString().endsWith(".txn")
            && forWriting(process.resolve("fdinfo").resolve(descriptor.getFileName()))) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException endedOrAnotherUsers) {
      return false;
    }
    return false;
  }

  /** "flags: 0100002" is octal. */
  private static boolean forWriting(Path information) throws IOException {
    for (String line : Files.readAllLines(information)) {
      if (line.startsWith("flags:")) {
        return (Long.parseLong(line.substring("flags:".length()).strip(), 8) & ACCESS_MODE) != 0;
      }
    }
    return false;
  }
}
