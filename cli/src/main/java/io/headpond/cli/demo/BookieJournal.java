// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.bookkeeper.BookieNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The journal of a demo's bookie, the same with Headpond and without but for its place.
 *
 * @param directory its {@code journalDirectories}
 */
record BookieJournal(Path directory) {

  static BookieJournal of(DemoPlace place, boolean headpond) {
    return new BookieJournal(
        headpond ? place.fast().resolve("journal") : place.home().resolve("vanilla/journal"));
  }

  /** Sets a bookie up: its journals are so small that they roll, and fit on a small device. */
  static void configure(BookieNode bookie) {
    bookie
        .set("journalMaxSizeMB", "64")
        .set("journalReuseFiles", "true")
        .set("journalMaxBackups", "5")
        .set("flushInterval", "2000")
        .set("diskUsageThreshold", "0.99");
  }

  /** Returns the bytes of its files, with the space that is allocated ahead. */
  long bytes() throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory.resolve("current"), "*.txn")) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** Returns its files in words. */
  List<String> files() throws IOException {
    return List.of("journal      " + Units.bytes(bytes()) + " on the fast device");
  }
}
