// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.cli.console.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of {@code headpond-lab blockcaches}; the document that {@code --json} writes, with its
 * keys in snake case.
 *
 * @param guest always {@code emulated}: counts mean something, times don't
 * @param kernel the guest's, as Debian's package is called
 * @param seed records follow from it
 * @param ways in the order of their runs
 * @param seconds that this run took
 */
record BlockCachesResult(
    String guest, String kernel, long seed, List<CountedResult> ways, long seconds) {
  private static final double MEGABYTE = 1e6;
  private static final String COUNTS = "%-40s %10s %10s %10s%n";
  private static final String LEFT = "%-40s %10s   %s%n";

  /** True if home's disk alone, which has no fast disk to lose, keeps every record. */
  @JsonIgnore
  boolean plausible() {
    return ways.stream()
        .filter(each -> each.way().equals(CountedWay.HOME_ALONE.id()))
        .allMatch(each -> each.lost().records() == each.recordsAcknowledged());
  }

  /** Tables for people. */
  @JsonIgnore
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("Per acknowledged MB, home's disk until the load's end (EMULATED: counted):\n");
    text.append(String.format(COUNTS, "", "writes", "flushes", "MB"));
    ways.forEach(each -> text.append(counts(each, each.load().home())));
    text.append("\nHome's disk until everything came home:\n");
    ways.forEach(each -> text.append(counts(each, each.settled().home())));
    text.append("\nThe fast disk until the load's end:\n");
    ways.forEach(each -> text.append(counts(each, each.load().fast())));
    text.append("\nAcknowledged records that vanilla Kafka has left if power and fast disk go:\n");
    for (CountedResult each : ways) {
      text.append(left(each, "at the end", each.lost()));
      text.append(left(each, "all at home", each.lostSettled()));
    }
    return text.toString();
  }

  private static String counts(CountedResult of, DiskCounters disk) {
    List<String> row = new ArrayList<>(List.of(CountedWay.words(of.way())));
    double megabytes = of.bytesAcknowledged() / MEGABYTE;
    for (double count : new double[] {disk.writes(), disk.flushes(), disk.bytes() / MEGABYTE}) {
      row.add(Units.number(count / megabytes));
    }
    return String.format(Locale.ROOT, COUNTS, row.toArray());
  }

  private static String left(CountedResult of, String when, Remains remains) {
    String records = remains.records() + "/" + of.recordsAcknowledged();
    return String.format(LEFT, CountedWay.words(of.way()), records, when + ": " + remains.words());
  }
}
