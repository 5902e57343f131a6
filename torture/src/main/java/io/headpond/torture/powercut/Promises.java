// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.guest.Acknowledged;
import io.headpond.torture.powercut.guest.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The promises of a guest over all its boots. One thread. */
final class Promises {
  private final Path living;
  private final Acknowledged acknowledged = new Acknowledged();

  /**
   * None yet.
   *
   * @param folder for the guest's file
   */
  Promises(Path folder) {
    living = folder.resolve("living");
  }

  /** Keeps those of a report; returns how many records it acknowledged. */
  long keep(List<String> report) {
    report.forEach(acknowledged::line);
    return records(report);
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
    return Files.write(living, acknowledged.lines());
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
