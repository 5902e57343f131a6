// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import io.headpond.harness.load.ContentReport;
import java.util.ArrayList;
import java.util.List;

/** The counts of a {@link ContentReport} while entries are compared. Any thread. */
final class ContentTally {

  private final List<String> examples = new ArrayList<>();
  private long acknowledged;
  private long verified;
  private long lost;
  private long corrupt;
  private long unacknowledged;

  /** So many more must be there. */
  synchronized void acknowledged(long entries) {
    acknowledged += entries;
  }

  /** One is there and whole. */
  synchronized void verified() {
    verified++;
  }

  /** One that nobody must find is there. */
  synchronized void unacknowledged() {
    unacknowledged++;
  }

  /**
   * So many aren't there.
   *
   * @param what in words
   */
  synchronized void lost(long entries, String what) {
    lost += entries;
    example(what);
  }

  /**
   * One has other content than was sent.
   *
   * @param which in words
   */
  synchronized void corrupt(String which) {
    corrupt++;
    example(which + " has other content than was sent");
  }

  private void example(String text) {
    if (examples.size() < ContentReport.EXAMPLES_MAX) {
      examples.add(text);
    }
  }

  synchronized ContentReport report() {
    return new ContentReport(acknowledged, verified, lost, corrupt, unacknowledged, examples);
  }
}
