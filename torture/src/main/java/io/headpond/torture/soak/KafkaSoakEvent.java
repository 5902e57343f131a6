// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The events that may happen to a broker at any time while it is written to. */
enum KafkaSoakEvent {
  BURST("burst"),
  FULL_DEVICE("burst onto a full device"),
  READ_ALL("everything read again"),
  DELETED_TOPIC("topic written, compared, deleted"),
  KILL("SIGKILL"),
  KILL_IN_A_MOVE("SIGKILL while a segment is copied"),
  RESTART("restart");

  /** Those that leave the process running. */
  private static final Set<KafkaSoakEvent> CALM =
      EnumSet.of(BURST, FULL_DEVICE, READ_ALL, DELETED_TOPIC);

  private final String words;

  KafkaSoakEvent(String words) {
    this.words = words;
  }

  /** For people. */
  String words() {
    return words;
  }

  /**
   * One by chance.
   *
   * @param calm only of those that leave the process running, so that it lives long enough for a
   *     leak to show
   * @param full whether the fast device can be filled here
   */
  static KafkaSoakEvent any(Random random, boolean calm, boolean full) {
    List<KafkaSoakEvent> possible =
        Arrays.stream(values())
            .filter(event -> !calm || CALM.contains(event))
            .filter(event -> full || event != FULL_DEVICE)
            .toList();
    return possible.get(random.nextInt(possible.size()));
  }
}
