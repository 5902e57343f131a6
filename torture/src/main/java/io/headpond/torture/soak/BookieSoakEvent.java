// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The events that may happen to a bookie at any time while it is written to. */
enum BookieSoakEvent {
  WRITING("written on", false, false),
  DELETION("half of the ledgers deleted", false, false),
  FULL_DEVICE("full device, then SIGKILL", true, false),
  READ_ALL("everything read again", false, false),
  KILL("SIGKILL", true, false),
  KILL_IN_A_MOVE("SIGKILL while an entry log is copied", true, false),
  RESTART("restart", true, false),
  BROKER_KILL("SIGKILL of the broker", true, true),
  BROKER_RESTART("restart of the broker", true, true);

  private final String words;
  private final boolean endsAProcess;
  private final boolean ofTheBroker;

  BookieSoakEvent(String words, boolean endsAProcess, boolean ofTheBroker) {
    this.words = words;
    this.endsAProcess = endsAProcess;
    this.ofTheBroker = ofTheBroker;
  }

  /** For people. */
  String words() {
    return words;
  }

  /**
   * One by chance.
   *
   * @param calm only of those that leave the processes running
   * @param full whether a device can be filled here
   * @param broker whether a broker writes; it deletes ledgers by itself then
   */
  static BookieSoakEvent any(Random random, boolean calm, boolean full, boolean broker) {
    List<BookieSoakEvent> possible =
        Arrays.stream(values())
            .filter(event -> !calm || !event.endsAProcess)
            .filter(event -> full || event != FULL_DEVICE)
            .filter(event -> broker ? event != DELETION : !event.ofTheBroker)
            .toList();
    return possible.get(random.nextInt(possible.size()));
  }
}
