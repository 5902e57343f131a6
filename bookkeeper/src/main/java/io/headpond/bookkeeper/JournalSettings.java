// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.ConfigValues;
import java.util.List;
import java.util.Map;

/**
 * The keys {@code headpond.journal.*} of a bookie's own configuration. Knows no class of
 * BookKeeper.
 *
 * @param acceptUnsynced run with {@code journalSyncData=false} on a device where a write alone
 *     isn't durable
 */
public record JournalSettings(boolean acceptUnsynced) {
  /** The prefix of all keys. */
  public static final String PREFIX = "headpond.journal.";

  /** Consent to acknowledging what may be lost. */
  public static final ConfigKey<Boolean> ACCEPT_UNSYNCED =
      new ConfigKey<>(
          PREFIX + "accept.unsynced",
          "true | false",
          "false",
          "Allows journalSyncData=false on a device where a write alone isn't durable. A power"
              + " cut then loses acknowledged entries.",
          ConfigValues::flag);

  /** All keys, in the order of the reference page. */
  public static final List<ConfigKey<?>> ALL = List.of(ACCEPT_UNSYNCED);

  /** The place of the keys, in error messages. */
  private static final String SOURCE = "the bookie's configuration";

  /**
   * Reads them.
   *
   * @param keys all keys that begin with {@link #PREFIX}, and their values
   * @throws ConfigException for an unknown key or a bad value, naming it
   */
  public static JournalSettings parse(Map<String, String> keys) throws ConfigException {
    ConfigValues values = new ConfigValues(keys, SOURCE);
    values.refuseOthersThan(ALL);
    return new JournalSettings(values.get(ACCEPT_UNSYNCED));
  }
}
