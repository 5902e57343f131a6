// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.PersistBackend;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.ConfigValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys {@code headpond.journal.*} of a bookie's own configuration. Knows no class of
 * BookKeeper.
 *
 * @param persist the back end that is asked for
 * @param acceptUnsynced run with {@code journalSyncData=false} on a device where a write alone
 *     isn't durable
 */
public record JournalSettings(Optional<PersistBackend> persist, boolean acceptUnsynced) {
  /** The prefix of all keys. */
  public static final String PREFIX = "headpond.journal.";

  /** The persist back end. */
  public static final ConfigKey<Optional<PersistBackend>> PERSIST =
      new ConfigKey<>(
          PREFIX + "persist",
          "libpmem | jep352 | msync | none | write",
          "the best that the device and the Java version offer; without DAX: plain writes, forced",
          "How writes to the journal become durable: by mapped stores (libpmem, jep352:"
              + " FSDAX; msync: any file system; none: memory, which is volatile), or by plain"
              + " writes to memory (write), which is volatile.",
          (values, key) -> values.givenChoice(key, PersistBackend.class));

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
  public static final List<ConfigKey<?>> ALL = List.of(PERSIST, ACCEPT_UNSYNCED);

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
    return new JournalSettings(values.get(PERSIST), values.get(ACCEPT_UNSYNCED));
  }

  /**
   * The back end that writes a journal: a page cache is written to and forced, not mapped, unless
   * that is asked for.
   *
   * @param best what the device and the Java version offer
   */
  public PersistBackend used(PersistBackend best) {
    return best.durableAtReturn() || persist.isPresent() ? best : PersistBackend.WRITE;
  }
}
