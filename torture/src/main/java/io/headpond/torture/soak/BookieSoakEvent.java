// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The events that may happen to a bookie at any time while it is written to. */
enum BookieSoakEvent {
  WRITING("written on"),
  DELETION("half of the ledgers deleted"),
  FULL_DEVICE("full device, then SIGKILL"),
  READ_ALL("everything read again"),
  KILL("SIGKILL"),
  KILL_IN_A_MOVE("SIGKILL while an entry log is copied"),
  RESTART("restart"),
  BROKER_KILL("SIGKILL of the broker"),
  BROKER_RESTART("restart of the broker");

  private static final Set<BookieSoakEvent> OF_THE_BROKER = EnumSet.of(BROKER_KILL, BROKER_RESTART);

  /** Those that leave the processes running. */
  private static final Set<BookieSoakEvent> CALM = EnumSet.of(WRITING, DELETION, READ_ALL);

  private final String words;

  BookieSoakEvent(String words) {
    this.words = words;
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
            .filter(event -> !calm || CALM.contains(event))
            .filter(event -> full || event != FULL_DEVICE)
            .filter(event -> broker ? event != DELETION : !OF_THE_BROKER.contains(event))
            .toList();
    return possible.get(random.nextInt(possible.size()));
  }
}
