// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.config.ConfigException;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The settings of a bookie that decide whether and how Headpond is used, as {@code
 * conf/bk_server.conf} has them. Knows no class of BookKeeper, so that a command without it can
 * look at a file. Any thread.
 */
public final class BookieSettings {
  /** The value of {@code journalChannelProvider}. */
  public static final String PROVIDER = "io.headpond.bookkeeper.PmemJournalChannelProvider";

  /** The value of {@code ledgerStorageClass} for entry logs in two places. */
  public static final String LEDGER_STORAGE = "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage";

  /** The prefix of the keys of entry logs in two places. */
  public static final String LEDGER_KEYS = "headpond.ledger.";

  /** The place of the keys, in error messages. */
  public static final String SOURCE = "the bookie's configuration";

  private static final Set<String> TRUE = Set.of("true", "t", "yes", "y", "on", "1");

  private BookieSettings() {}

  /**
   * Refuses a key that begins as Headpond's do and belongs to no part of it: a slip in its first
   * words would leave a default in force without a word. What follows the prefix of the journal or
   * of entry logs is examined where it is read.
   *
   * @param keys all of the bookie's configuration
   * @throws ConfigException naming the first one
   */
  public static void refuseUnknown(Iterator<String> keys) throws ConfigException {
    while (keys.hasNext()) {
      String key = keys.next();
      if (key.startsWith("headpond.")
          && !key.startsWith(JournalSettings.PREFIX)
          && !key.startsWith(LEDGER_KEYS)) {
        throw new ConfigException(
            SOURCE,
            key,
            "there is no such key; there are those that begin with "
                + JournalSettings.PREFIX
                + " or "
                + LEDGER_KEYS);
      }
    }
  }

  /** True if the library that reads a bookie's configuration takes the text for true. */
  public static boolean isTrue(String text) {
    return TRUE.contains(text.strip().toLowerCase(Locale.ROOT));
  }

  private static String value(UnaryOperator<String> configured, String key, String standard) {
    String found = configured.apply(key);
    return found == null || found.isBlank() ? standard : found.strip();
  }

  /**
   * True if the file names the plug-in as the journal's provider.
   *
   * @param configured the value of a key; null where it isn't set
   */
  public static boolean namesProvider(UnaryOperator<String> configured) {
    return PROVIDER.equals(value(configured, "journalChannelProvider", ""));
  }

  /**
   * True if the bookie acknowledges after an fsync only.
   *
   * @param configured as above
   */
  public static boolean syncsData(UnaryOperator<String> configured) {
    return isTrue(value(configured, "journalSyncData", "true"));
  }
}
