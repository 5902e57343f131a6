// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.facts.StoreFacts.Standing;

/** State that an operator gave a tier of a running broker, by the words of its live file. */
final class TierStanding {
  private TierStanding() {}

  /** True if nothing goes there; also of a broker of another version, false. */
  static boolean emptied(String key) {
    return key.equals(Standing.LEAVING.key()) || key.equals(Standing.REMOVED.key());
  }

  /**
   * For people; nothing of a tier that is used, and that no segment has to leave.
   *
   * @param key null without a running broker
   * @param waits why segments are still there that have to leave; null: nothing is known
   */
  static String words(String key, String waits) {
    if (Standing.LEAVING.key().equals(key)) {
      return "; it is being REMOVED, nothing new goes there"
          + (waits == null ? " and its segments leave" : ", and it waits: " + waits);
    }
    if (Standing.REMOVED.key().equals(key)) {
      return "; it was REMOVED, and isn't used until the broker's next start";
    }
    return waits == null ? "" : "; not all of its segments leave: " + waits;
  }
}
