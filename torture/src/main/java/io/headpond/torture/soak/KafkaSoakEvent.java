// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The events that may happen to a broker at any time while it is written to. */
enum KafkaSoakEvent {
  BURST("burst", false),
  FULL_DEVICE("burst onto a full device", false),
  READ_ALL("everything read again", false),
  DELETED_TOPIC("topic written, compared, deleted", false),
  KILL("SIGKILL", true),
  KILL_IN_A_MOVE("SIGKILL while a segment is copied", true),
  RESTART("restart", true);

  private final String words;
  private final boolean endsTheProcess;

  KafkaSoakEvent(String words, boolean endsTheProcess) {
    this.words = words;
    this.endsTheProcess = endsTheProcess;
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
   * @param full whether a device can be filled here
   */
  static KafkaSoakEvent any(Random random, boolean calm, boolean full) {
    List<KafkaSoakEvent> possible =
        Arrays.stream(values())
            .filter(event -> !calm || !event.endsTheProcess)
            .filter(event -> full || event != FULL_DEVICE)
            .toList();
    return possible.get(random.nextInt(possible.size()));
  }
}
