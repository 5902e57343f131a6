// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The moments that a cut of the power may come into. */
public enum Moment {
  /** The start after a cut: claim, recovery of every partition. */
  RECOVERY,
  /** A new segment begins. */
  ROLL,
  /** Two segments are replaced by one. */
  COMPACTION,
  /** The oldest segment goes. */
  SEGMENT_DELETION,
  /** A partition goes. */
  TOPIC_DELETION,
  /** The log's end goes back. */
  TRUNCATION,
  /** A segment is copied from tier to tier. */
  MIGRATION,
  /** {@code headpond drain} brings segments home. */
  DRAIN;

  private static final String BEGINS = "B";
  private static final String ENDS = "E";

  /** As reports name it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The report's line when it begins. */
  public String begins() {
    return BEGINS + " " + id();
  }

  /** The report's line when it is over. */
  public String ends() {
    return ENDS + " " + id();
  }

  /** Those that had begun and weren't over at the end of a report. */
  public static List<Moment> underWay(List<String> report) {
    return Arrays.stream(values())
        .filter(
            moment ->
                report.stream().filter(moment.begins()::equals).count()
                    > report.stream().filter(moment.ends()::equals).count())
        .toList();
  }
}
