// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Device;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.ConfigValues;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The settings of a bookie that undo what a fast journal gains, or what it promises, as {@code
 * conf/bk_server.conf} has them. Knows no class of BookKeeper, so that a command without it can
 * look at a file.
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

  private static final ConfigKey<Boolean> WRITE_DATA =
      flag("journalWriteData", true, "Entries go to a journal before they are acknowledged.");

  private static final ConfigKey<Boolean> SYNC_DATA =
      flag(
          "journalSyncData",
          true,
          "A group is forced before its entries are acknowledged; false: it is only written.");

  private static final ConfigKey<Long> GROUP_WAIT =
      number(
          "journalMaxGroupWaitMSec",
          2,
          "Milliseconds that a group waits for more entries before it is written.");

  private static final ConfigKey<Boolean> FLUSH_WHEN_EMPTY =
      flag(
          "journalFlushWhenQueueEmpty",
          false,
          "A group is written as soon as no more entries wait, without that time.");

  private static final ConfigKey<Long> GROUP_BYTES =
      number("journalBufferedWritesThreshold", 512 << 10, "Bytes that end a group.");

  private static final ConfigKey<Long> WRITE_BUFFER =
      number("journalWriteBufferSizeKB", 64, "KiB that are collected for one write.");

  private static final ConfigKey<Long> GROUP_ENTRIES =
      number("journalBufferedEntriesThreshold", 0, "Entries that end a group; 0: any number.");

  /** The least that BookKeeper pads a group to, its own default: enough but for larger blocks. */
  public static final int ALIGNMENT_BYTES = 512;

  private static final ConfigKey<Long> ALIGNMENT =
      number("journalAlignmentSize", ALIGNMENT_BYTES, "Bytes that every group is padded to.");

  private static final ConfigKey<Boolean> DROP_CACHE =
      flag(
          "journalRemoveFromPageCache",
          true,
          "What was written is dropped from the system's page cache.");

  private static final ConfigKey<Long> MAX_SIZE =
      number("journalMaxSizeMB", 2048, "MiB that a journal grows to.");

  private static final ConfigKey<Long> BACKUPS =
      number(
          "journalMaxBackups",
          5,
          "Journals that are kept although a checkpoint has passed them; with reuse: those that are"
              + " used in turn.");

  private static final ConfigKey<Boolean> REUSE_FILES =
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

  /** Groups smaller than that cost a hop between threads for little. */
  private static final int THRESHOLD_BYTES_MIN = 64 << 10;

  /** A buffer of that many groups takes one whole, though BookKeeper ends it past its threshold. */
  private static final int GROUPS_PER_BUFFER = 2;

  /** A quarter of the direct memory that BookKeeper's and Pulsar's start scripts give. */
  private static final long WRITE_CACHE_MIB = 512;

  private static final long ENTRY_LOG_BYTES = 2L << 30;

  /**
   * Refuses a key that begins as Headpond's do and belongs to no part of it: a slip in its first
   * words would leave a default in force without a word. What follows the prefix of the journal or
   * of entry logs is examined where it is read.
   *
   * @param keys all of the bookie's configuration
   * @throws ConfigException naming the first one
   */
  public static void refuseUnknown(Iterator<String> keys) throws ConfigException {
    List<String> http = List.of(ConfigKey.HTTP_PORT.name(), ConfigKey.HTTP_BIND.name());
    while (keys.hasNext()) {
      String key = keys.next();
      if (key.startsWith("headpond.")
          && !key.startsWith(JournalSettings.PREFIX)
          && !key.startsWith(LEDGER_KEYS)
          && !http.contains(key)) {
        throw new ConfigException(
            SOURCE,
            key,
            "there is no such key; there are "
                + String.join(", ", http)
                + ", and those that begin with "
                + JournalSettings.PREFIX
                + " or "
                + LEDGER_KEYS);
      }
    }
  }

  /**
   * The devices below all journals of a bookie.
   *
   * @param writesDurable is a write alone durable on each of them?
   * @param pageCache are some written through the page cache of a disk, and not mapped or in
   *     memory?
   * @param blockBytes the largest physical block of those; {@link #ALIGNMENT_BYTES} without any; 0:
   *     not known
   */
  public record Devices(boolean writesDurable, boolean pageCache, int blockBytes) {
    /** Both together. */
    public Devices and(Devices other) {
      return new Devices(
          writesDurable && other.writesDurable,
          pageCache || other.pageCache,
          blockBytes == 0 || other.blockBytes == 0 ? 0 : Math.max(blockBytes, other.blockBytes));
    }

    /**
     * One journal's.
     *
     * @param pageCache is it written through the page cache of a disk?
     */
    public static Devices of(Device device, boolean writesDurable, boolean pageCache) {
      Integer physical = device.disk().physicalBlockBytes();
      int block = physical == null ? 0 : Math.max(physical, ALIGNMENT_BYTES);
      return new Devices(writesDurable, pageCache, pageCache ? block : ALIGNMENT_BYTES);
    }
  }

  /** The severity of a finding. */
  public enum Severity {
    /** Acknowledged entries may be lost. */
    UNSAFE,
    /** It works, slower than it could. */
    SLOW
  }

  /**
   * One setting that should be another.
   *
   * @param severity how bad it is
   * @param key its name
   * @param value what it is, the default included
   * @param wanted what it should be
   * @param reason why
   */
  public record Finding(
      Severity severity, String key, String value, String wanted, String reason) {}

  private final UnaryOperator<String> configured;
  private final List<Finding> findings = new ArrayList<>();

  private BookieSettings(UnaryOperator<String> configured) {
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

  private String value(String key, String standard) {
    String found = configured.apply(key);
    return found == null || found.isBlank() ? standard : found.strip();
  }

  private boolean on(ConfigKey<?> key) {
    return isTrue(value(key.name(), key.standard()));
  }

  /** Does the library that reads a bookie's configuration take the text for true? */
  public static boolean isTrue(String text) {
    return TRUE.contains(text.strip().toLowerCase(Locale.ROOT));
  }

  private long number(ConfigKey<?> key) {
    try {
      return Long.parseLong(value(key.name(), key.standard()));
    } catch (NumberFormatException bookKeeperRefusesItItself) {
      return Long.parseLong(key.standard());
    }
  }

  private void found(
      Severity severity, ConfigKey<?> key, Object value, Object wanted, String reason) {
    findings.add(
        new Finding(severity, key.name(), String.valueOf(value), String.valueOf(wanted), reason));
  }

  /**
   * Looks at the settings of a bookie that uses the plug-in.
   *
   * @param configured the value of a key; null where it isn't set
   * @param devices what the journals lie on
   * @return what should be another, the dangerous first; empty if all is well
   */
  public static List<Finding> examine(UnaryOperator<String> configured, Devices devices) {
    BookieSettings settings = new BookieSettings(configured);
    settings.promises(devices.writesDurable());
    settings.grouping();
    settings.alignment(devices.blockBytes());
    if (devices.pageCache()) {
      settings.filesOnDisks();
    } else {
      settings.files();
    }
    settings.backups();
    return List.copyOf(settings.findings);
  }

  /** Does the file name the plug-in as the journal's provider? */
  public static boolean namesProvider(UnaryOperator<String> configured) {
    return PROVIDER.equals(new BookieSettings(configured).value("journalChannelProvider", ""));
  }

  /** Does the bookie acknowledge after a force only? */
  public static boolean syncsData(UnaryOperator<String> configured) {
    return new BookieSettings(configured).on(SYNC_DATA);
  }

  private void promises(boolean writesDurable) {
    if (!on(WRITE_DATA)) {
      found(
          Severity.UNSAFE,
          WRITE_DATA,
          false,
          true,
          "entries are acknowledged without being in any journal, so a crash loses them and the"
              + " plug-in does nothing");
    }
    boolean syncs = on(SYNC_DATA);
    if (!syncs && !writesDurable) {
      found(
          Severity.UNSAFE,
          SYNC_DATA,
          false,
          true,
          "entries are acknowledged before they are forced, and on this device a write alone isn't"
              + " durable: a power cut loses them");
    } else if (syncs && writesDurable) {
      found(
          Severity.SLOW,
          SYNC_DATA,
          true,
          false,
          "a write alone is durable on this device: false saves the hop to the force-write thread."
              + " Set it back to true before the plug-in is taken out");
    }
  }

  private void grouping() {
    long waitMs = number(GROUP_WAIT);
    if (waitMs > 0 && !on(FLUSH_WHEN_EMPTY)) {
      String reason =
          "an add that comes alone waits for others for " + waitMs + " ms, whatever the device";
      found(Severity.SLOW, GROUP_WAIT, waitMs, 0, reason);
      found(
          Severity.SLOW,
          FLUSH_WHEN_EMPTY,
          false,
          true,
          "write as soon as no more entries wait; " + reason);
    }
    long thresholdBytes = number(GROUP_BYTES);
    if (thresholdBytes < THRESHOLD_BYTES_MIN) {
      found(
          Severity.SLOW,
          GROUP_BYTES,
          thresholdBytes,
          512 << 10,
          "groups of a few KiB under load: each is padded and handed from thread to thread");
    }
    long bufferKibibytes = number(WRITE_BUFFER);
    long wantedKibibytes = GROUPS_PER_BUFFER * thresholdBytes >> 10;
    if (bufferKibibytes < wantedKibibytes) {
      found(
          Severity.SLOW,
          WRITE_BUFFER,
          bufferKibibytes,
          wantedKibibytes,
          "a group ends when it is longer than journalBufferedWritesThreshold; then it goes out in"
              + " one write");
    }
    long thresholdEntries = number(GROUP_ENTRIES);
    if (thresholdEntries > 0) {
      found(
          Severity.SLOW,
          GROUP_ENTRIES,
          thresholdEntries,
          0,
          "cuts groups by number under load; journalBufferedWritesThreshold limits their bytes");
    }
  }

  private void alignment(int blockBytes) {
    long alignmentBytes = number(ALIGNMENT);
    if (blockBytes > 0 && alignmentBytes > blockBytes) {
      found(
          Severity.SLOW,
          ALIGNMENT,
          alignmentBytes,
          blockBytes,
          "every group is padded to it, which costs the device's bandwidth and room");
    } else if (blockBytes > 0 && alignmentBytes % blockBytes != 0) {
      found(
          Severity.SLOW,
          ALIGNMENT,
          alignmentBytes,
          blockBytes,
          "the disk writes blocks of that size: one that two groups share is read and written again"
              + " with the second");
    }
  }

  private void files() {
    if (on(DROP_CACHE)) {
      found(
          Severity.SLOW,
          DROP_CACHE,
          true,
          false,
          "a journal that is mapped or in memory has no page cache to drop");
    }
    if (!on(REUSE_FILES)) {
      found(
          Severity.SLOW,
          REUSE_FILES,
          false,
          true,
          "a new file's pages must be allocated and zeroed as it grows; an old one has them");
    }
  }

  private void filesOnDisks() {
    if (!on(DROP_CACHE)) {
      found(
          Severity.SLOW,
          DROP_CACHE,
          false,
          true,
          "a journal on a disk fills the page cache that reads of ledgers need. It takes"
              + " --add-opens java.base/java.io=ALL-UNNAMED, which BookKeeper's and Pulsar's start"
              + " scripts have");
    }
    if (on(REUSE_FILES)) {
      found(
          Severity.SLOW,
          REUSE_FILES,
          true,
          false,
          "on a disk an old file is zeroed and forced before its next use: twice as much is"
              + " written");
    }
  }

  /**
   * A journal is used again when two marks have passed it, so it must outlive what is filled
   * between two checkpoints, and there must be as many as that for the next time.
   */
  private void backups() {
    long size = Math.max(1, number(MAX_SIZE));
    long filled = Math.max(1, (filledMebibytes() + size - 1) / size);
    long wanted = 2 * filled + 1;
    long backups = number(BACKUPS);
    if (on(REUSE_FILES) && backups < wanted) {
      found(
          Severity.SLOW,
          BACKUPS,
          backups,
          wanted,
          "between two checkpoints about "
              + filled
              + (filled == 1 ? " journal is" : " journals are")
              + " filled, and a file is used again only when two checkpoints have passed it:"
              + " BookKeeper deletes those beyond this number before");
    }
  }

  /** About what one journal gets between two checkpoints, under load. */
  private long filledMebibytes() {
    String directories = value("journalDirectories", value("journalDirectory", ""));
    int journals = directories.split(",").length;
    boolean ldb = value("ledgerStorageClass", "").contains("DbLedgerStorage");
    String limit = value(ldb ? "dbStorage_writeCacheMaxSizeMb" : "logSizeLimit", "");
    long bytes;
    try {
      bytes = ldb ? Long.parseLong(limit) << 20 : Long.parseLong(limit);
    } catch (NumberFormatException notSet) {
      bytes = ldb ? WRITE_CACHE_MIB << 20 : ENTRY_LOG_BYTES;
    }
    // DbLedgerStorage flushes one half of its cache while the other is filled.
    return (ldb ? bytes / 2 : bytes) / journals >> 20;
  }
}
