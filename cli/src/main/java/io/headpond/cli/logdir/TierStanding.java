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

  /** For people; nothing of a tier that is used. */
  static String words(String key) {
    if (key.equals(Standing.LEAVING.key())) {
      return "; it is being REMOVED, nothing new goes there and its segments leave";
    }
    return key.equals(Standing.REMOVED.key())
        ? "; it was REMOVED, and isn't used until the broker's next start"
        : "";
  }
}
