// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.pmem.PersistChoice;
import io.headpond.store.event.EventCode.Words;
import java.nio.file.Path;
import java.util.Optional;

/** The rule for a journal whose entries are acknowledged before they are forced. */
public final class Unsynced {
  private Unsynced() {}

  /**
   * The refusal of {@code journalSyncData=false} for a journal.
   *
   * @param choice the best back end there
   * @return empty if a write alone is durable there, or the loss is accepted
   */
  public static Optional<Words> refusal(
      Path journal, Device device, PersistChoice choice, JournalSettings settings) {
    return settings.acceptUnsynced() || durableAtReturn(device, choice)
        ? Optional.empty()
        : Optional.of(
            BookieCodes.UNSYNCED.words(
                journal,
                device.explanation(),
                choice.backend().key(),
                JournalSettings.ACCEPT_UNSYNCED.name()));
  }

  /** What a bookie logs that isn't refused; empty where nothing can be lost. */
  public static Optional<Words> accepted(Path journal, Device device, PersistChoice choice) {
    return durableAtReturn(device, choice)
        ? Optional.empty()
        : Optional.of(
            BookieCodes.UNSYNCED_ACCEPTED.words(
                journal, device.explanation(), choice.backend().key()));
  }

  /** Is what was written durable when {@code write} returns, without a force? */
  static boolean durableAtReturn(Device device, PersistChoice choice) {
    return choice.backend().durableAtReturn() && device.durability() == Durability.DURABLE;
  }
}
