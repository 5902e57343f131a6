// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.guest.Acknowledged;
import io.headpond.torture.powercut.guest.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The promises of a guest over all its boots, kept beside its disks. One thread. */
final class Promises {
  private static final String FILE = "acknowledged";
  private static final String LIVING = "living";

  private final Path file;
  private final Acknowledged acknowledged = new Acknowledged();

  private Promises(Path folder) {
    file = folder.resolve(FILE);
  }

  /** None yet. */
  static Promises begin(Path folder) throws IOException {
    Promises promises = new Promises(folder);
    Files.createFile(promises.file);
    return promises;
  }

  /** Those that were kept. */
  static Promises load(Path folder) throws IOException {
    Promises promises = new Promises(folder);
    Files.readAllLines(promises.file).forEach(promises.acknowledged::line);
    return promises;
  }

  /** Keeps those of a report; returns how many records it acknowledged. */
  long keep(List<String> report) throws IOException {
    List<String> promised = report.stream().filter(Acknowledged::promises).toList();
    promised.forEach(acknowledged::line);
    Files.write(file, promised, StandardOpenOption.APPEND);
    return records(promised);
  }

  /** The number of records that a report acknowledges. */
  static long records(List<String> report) {
    return report.stream().filter(Promises::acknowledges).count();
  }

  /** True if a line of the report acknowledges a record. */
  static boolean acknowledges(String line) {
    return line.startsWith(Report.ACKNOWLEDGED + " ");
  }

  /**
   * A file for the guest with what holds now: less than all reports, which would take it ever
   * longer to read.
   */
  Path living() throws IOException {
    return Files.write(file.resolveSibling(LIVING), acknowledged.lines());
  }

  /** The promises that hold after a part of a report that isn't kept yet. */
  List<String> livingAfter(List<String> report) {
    Acknowledged then = new Acknowledged();
    acknowledged.lines().forEach(then::line);
    report.forEach(then::line);
    return then.lines();
  }

  /** Records that must be there. */
  long livingRecords() {
    return acknowledged.living().values().stream().mapToLong(partition -> partition.size()).sum();
  }

  /** Records that were acknowledged, and then deleted or truncated by the load itself. */
  long deletedRecords() {
    return acknowledged.records() - livingRecords();
  }
}
