// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A look at the settings of a bookie for those that undo what a fast journal gains, or what it
 * promises.
 */
public final class SettingsExamination {
  /** Groups smaller than that cost a hop between threads for little. */
  private static final int THRESHOLD_BYTES_MIN = 64 << 10;

  /** A buffer of that many groups takes one whole, though BookKeeper ends it past its threshold. */
  private static final int GROUPS_PER_BUFFER = 2;

  /** A quarter of the direct memory that BookKeeper's and Pulsar's start scripts give. */
  private static final long WRITE_CACHE_MIB = 512;

  private static final long ENTRY_LOG_BYTES = 2L << 30;

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

  private final BookieSettings settings;
  private final List<Finding> findings = new ArrayList<>();

  private SettingsExamination(BookieSettings settings) {
    this.settings = settings;
  }

  /**
   * Looks at the settings of a bookie that uses the plug-in.
   *
   * @param configured the value of a key; null where it isn't set
   * @param devices what the journals lie on
   * @return what should be another, the dangerous first; empty if all is well
   */
  public static List<Finding> examine(UnaryOperator<String> configured, JournalDevices devices) {
    SettingsExamination each = new SettingsExamination(new BookieSettings(configured));
    each.promises(devices.writesDurable());
    each.grouping();
    each.alignment(devices.blockBytes());
    if (devices.pageCache()) {
      each.filesOnDisks();
    } else {
      each.files();
    }
    each.backups();
    return List.copyOf(each.findings);
  }

  private void found(
      Severity severity, ConfigKey<?> key, Object value, Object wanted, String reason) {
    findings.add(
        new Finding(severity, key.name(), String.valueOf(value), String.valueOf(wanted), reason));
  }

  private void promises(boolean writesDurable) {
    if (!settings.on(BookieSettings.WRITE_DATA)) {
      found(
          Severity.UNSAFE,
          BookieSettings.WRITE_DATA,
          false,
          true,
          "entries are acknowledged without being in any journal, so a crash loses them and the"
              + " plug-in does nothing");
    }
    boolean syncs = settings.on(BookieSettings.SYNC_DATA);
    if (!syncs && !writesDurable) {
      found(
          Severity.UNSAFE,
          BookieSettings.SYNC_DATA,
          false,
          true,
          "entries are acknowledged before they are forced, and on this device a write alone isn't"
              + " durable: a power cut loses them");
    } else if (syncs && writesDurable) {
      found(
          Severity.SLOW,
          BookieSettings.SYNC_DATA,
          true,
          false,
          "a write alone is durable on this device: false saves the hop to the force-write thread."
              + " Set it back to true before the plug-in is taken out");
    }
  }

  private void grouping() {
    long waitMs = settings.number(BookieSettings.GROUP_WAIT);
    if (waitMs > 0 && !settings.on(BookieSettings.FLUSH_WHEN_EMPTY)) {
      String reason =
          "an add that comes alone waits for others for " + waitMs + " ms, whatever the device";
      found(Severity.SLOW, BookieSettings.GROUP_WAIT, waitMs, 0, reason);
      found(
          Severity.SLOW,
          BookieSettings.FLUSH_WHEN_EMPTY,
          false,
          true,
          "write as soon as no more entries wait; " + reason);
    }
    long thresholdBytes = settings.number(BookieSettings.GROUP_BYTES);
    if (thresholdBytes < THRESHOLD_BYTES_MIN) {
      found(
          Severity.SLOW,
          BookieSettings.GROUP_BYTES,
          thresholdBytes,
          512 << 10,
          "groups of a few KiB under load: each is padded and handed from thread to thread");
    }
    long bufferKibibytes = settings.number(BookieSettings.WRITE_BUFFER);
    long wantedKibibytes = GROUPS_PER_BUFFER * thresholdBytes >> 10;
    if (bufferKibibytes < wantedKibibytes) {
      found(
          Severity.SLOW,
          BookieSettings.WRITE_BUFFER,
          bufferKibibytes,
          wantedKibibytes,
          "a group ends when it is longer than journalBufferedWritesThreshold; then it goes out in"
              + " one write");
    }
    long thresholdEntries = settings.number(BookieSettings.GROUP_ENTRIES);
    if (thresholdEntries > 0) {
      found(
          Severity.SLOW,
          BookieSettings.GROUP_ENTRIES,
          thresholdEntries,
          0,
          "cuts groups by number under load; journalBufferedWritesThreshold limits their bytes");
    }
  }

  private void alignment(int blockBytes) {
    long alignmentBytes = settings.number(BookieSettings.ALIGNMENT);
    if (blockBytes > 0 && alignmentBytes > blockBytes) {
      found(
          Severity.SLOW,
          BookieSettings.ALIGNMENT,
          alignmentBytes,
          blockBytes,
          "every group is padded to it, which costs the device's bandwidth and room");
    } else if (blockBytes > 0 && alignmentBytes % blockBytes != 0) {
      found(
          Severity.SLOW,
          BookieSettings.ALIGNMENT,
          alignmentBytes,
          blockBytes,
          "the disk writes blocks of that size: one that two groups share is read and written again"
              + " with the second");
    }
  }

  private void files() {
    if (settings.on(BookieSettings.DROP_CACHE)) {
      found(
          Severity.SLOW,
          BookieSettings.DROP_CACHE,
          true,
          false,
          "a journal that is mapped or in memory has no page cache to drop");
    }
    if (!settings.on(BookieSettings.REUSE_FILES)) {
      found(
          Severity.SLOW,
          BookieSettings.REUSE_FILES,
          false,
          true,
          "a new file's pages must be allocated and zeroed as it grows; an old one has them");
    }
  }

  private void filesOnDisks() {
    if (!settings.on(BookieSettings.DROP_CACHE)) {
      found(
          Severity.SLOW,
          BookieSettings.DROP_CACHE,
          false,
          true,
          "a journal on a disk fills the page cache that reads of ledgers need. It takes"
              + " --add-opens java.base/java.io=ALL-UNNAMED, which BookKeeper's and Pulsar's start"
              + " scripts have");
    }
    if (settings.on(BookieSettings.REUSE_FILES)) {
      found(
          Severity.SLOW,
          BookieSettings.REUSE_FILES,
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
    long size = Math.max(1, settings.number(BookieSettings.MAX_SIZE));
    long filled = Math.max(1, (filledMebibytes() + size - 1) / size);
    long wanted = 2 * filled + 1;
    long backups = settings.number(BookieSettings.BACKUPS);
    if (settings.on(BookieSettings.REUSE_FILES) && backups < wanted) {
      found(
          Severity.SLOW,
          BookieSettings.BACKUPS,
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
    String directories =
        settings.value("journalDirectories", settings.value("journalDirectory", ""));
    int journals = directories.split(",").length;
    boolean ldb = settings.value("ledgerStorageClass", "").contains("DbLedgerStorage");
    String limit = settings.value(ldb ? "dbStorage_writeCacheMaxSizeMb" : "logSizeLimit", "");
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
