// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.ConfigValues;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The settings of a bookie that bear on a fast journal, as {@code conf/bk_server.conf} has them,
 * with BookKeeper's defaults. {@link SettingsExamination} says which of them should be others.
 * Knows no class of BookKeeper, so that a command without it can look at a file. Any thread.
 */
public final class BookieSettings {
  /** The value of {@code journalChannelProvider}. */
  public static final String PROVIDER = "io.headpond.bookkeeper.PmemJournalChannelProvider";

  /** The value of {@code ledgerStorageClass} for entry logs in two places. */
  public static final String LEDGER_STORAGE = "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage";

  /** The prefix of the keys of entry logs in two places. */
  public static final String LEDGER_KEYS = "headpond.ledger.";

  /** The place of the keys, in error messages. */
  private static final String SOURCE = "the bookie's configuration";

  static final ConfigKey<Boolean> WRITE_DATA =
      flag("journalWriteData", true, "Entries go to a journal before they are acknowledged.");

  static final ConfigKey<Boolean> SYNC_DATA =
      flag(
          "journalSyncData",
          true,
          "A group is forced before its entries are acknowledged; false: it is only written.");

  static final ConfigKey<Long> GROUP_WAIT =
      number(
          "journalMaxGroupWaitMSec",
          2,
          "Milliseconds that a group waits for more entries before it is written.");

  static final ConfigKey<Boolean> FLUSH_WHEN_EMPTY =
      flag(
          "journalFlushWhenQueueEmpty",
          false,
          "A group is written as soon as no more entries wait, without that time.");

  static final ConfigKey<Long> GROUP_BYTES =
      number("journalBufferedWritesThreshold", 512 << 10, "Bytes that end a group.");

  static final ConfigKey<Long> WRITE_BUFFER =
      number("journalWriteBufferSizeKB", 64, "KiB that are collected for one write.");

  static final ConfigKey<Long> GROUP_ENTRIES =
      number("journalBufferedEntriesThreshold", 0, "Entries that end a group; 0: any number.");

  /** The least that BookKeeper pads a group to, its own default: enough but for larger blocks. */
  public static final int ALIGNMENT_BYTES = 512;

  static final ConfigKey<Long> ALIGNMENT =
      number("journalAlignmentSize", ALIGNMENT_BYTES, "Bytes that every group is padded to.");

  static final ConfigKey<Boolean> DROP_CACHE =
      flag(
          "journalRemoveFromPageCache",
          true,
          "What was written is dropped from the system's page cache.");

  static final ConfigKey<Long> MAX_SIZE =
      number("journalMaxSizeMB", 2048, "MiB that a journal grows to.");

  static final ConfigKey<Long> BACKUPS =
      number(
          "journalMaxBackups",
          5,
          "Journals that are kept although a checkpoint has passed them; with reuse: those that are"
              + " used in turn.");

  static final ConfigKey<Boolean> REUSE_FILES =
      flag(
          "journalReuseFiles",
          false,
          "A new journal takes the file of an old one that isn't needed any more.");

  /** The settings of BookKeeper that are looked at, with its defaults: those of 4.16 to 4.18. */
  public static final List<ConfigKey<?>> EXAMINED =
      List.of(
          WRITE_DATA,
          SYNC_DATA,
          GROUP_WAIT,
          FLUSH_WHEN_EMPTY,
          GROUP_BYTES,
          WRITE_BUFFER,
          GROUP_ENTRIES,
          ALIGNMENT,
          DROP_CACHE,
          REUSE_FILES,
          MAX_SIZE,
          BACKUPS);

  private static final Set<String> TRUE = Set.of("true", "t", "yes", "y", "on", "1");

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

  private final UnaryOperator<String> configured;

  /**
   * The settings of one bookie.
   *
   * @param configured the value of a key; null where it isn't set
   */
  BookieSettings(UnaryOperator<String> configured) {
    this.configured = configured;
  }

  /** Number of journals that a bookie keeps: those that are old, and the one being written. */
  public static long keptJournals(UnaryOperator<String> configured) {
    return new BookieSettings(configured).number(BACKUPS) + 1;
  }

  /** Length that a journal grows to, MiB. */
  public static long journalMebibytes(UnaryOperator<String> configured) {
    return new BookieSettings(configured).number(MAX_SIZE);
  }

  private static ConfigKey<Boolean> flag(String name, boolean standard, String meaning) {
    return new ConfigKey<>(
        name, "true | false", String.valueOf(standard), meaning, ConfigValues::flag);
  }

  private static ConfigKey<Long> number(String name, long standard, String meaning) {
    return new ConfigKey<>(
        name,
        "number",
        String.valueOf(standard),
        meaning,
        (values, key) -> values.number(key, 0, Long.MAX_VALUE));
  }

  /** A key's value; where it isn't set the default. */
  String value(String key, String standard) {
    String found = configured.apply(key);
    return found == null || found.isBlank() ? standard : found.strip();
  }

  /** Is a flag set? */
  boolean on(ConfigKey<?> key) {
    return isTrue(value(key.name(), key.standard()));
  }

  /** Does the library that reads a bookie's configuration take the text for true? */
  public static boolean isTrue(String text) {
    return TRUE.contains(text.strip().toLowerCase(Locale.ROOT));
  }

  /** A number; the default where none can be read. */
  long number(ConfigKey<?> key) {
    try {
      return Long.parseLong(value(key.name(), key.standard()));
    } catch (NumberFormatException bookKeeperRefusesItItself) {
      return Long.parseLong(key.standard());
    }
  }

  /** Does the file name the plug-in as the journal's provider? */
  public static boolean namesProvider(UnaryOperator<String> configured) {
    return PROVIDER.equals(new BookieSettings(configured).value("journalChannelProvider", ""));
  }

  /** Does the bookie acknowledge after a force only? */
  public static boolean syncsData(UnaryOperator<String> configured) {
    return new BookieSettings(configured).on(SYNC_DATA);
  }
}
