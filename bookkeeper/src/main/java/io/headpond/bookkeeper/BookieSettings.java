// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The settings of a bookie that undo what a fast journal gains, or what it promises, as {@code
 * conf/bk_server.conf} has them. Knows no class of BookKeeper, so that a command without it can
 * look at a file.
 */
public final class BookieSettings {
  /** What the bookie names in {@code journalChannelProvider}. */
  public static final String PROVIDER = "io.headpond.bookkeeper.PmemJournalChannelProvider";

  /** What the bookie names in {@code ledgerStorageClass} for entry logs in two places. */
  public static final String LEDGER_STORAGE = "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage";

  /** The device's largest write without harm; BookKeeper pads every group to it. */
  private static final int ALIGNMENT_BYTES = 512;

  /** Groups smaller than that cost a hop between threads for little. */
  private static final int THRESHOLD_BYTES_MIN = 64 << 10;

  /** How bad a finding is. */
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

  /** A setting, or BookKeeper's default; defaults are those of 4.16 to 4.18. */
  private String value(String key, String standard) {
    String found = configured.apply(key);
    return found == null || found.isBlank() ? standard : found.strip();
  }

  private boolean on(String key, boolean standard) {
    return Boolean.parseBoolean(value(key, String.valueOf(standard)));
  }

  private long number(String key, long standard) {
    try {
      return Long.parseLong(value(key, String.valueOf(standard)));
    } catch (NumberFormatException bookKeeperRefusesItItself) {
      return standard;
    }
  }

  private void found(Severity severity, String key, Object value, Object wanted, String reason) {
    findings.add(new Finding(severity, key, String.valueOf(value), String.valueOf(wanted), reason));
  }

  /**
   * Looks at the settings of a bookie that uses the plug-in.
   *
   * @param configured the value of a key; null where it isn't set
   * @param writesDurable on every journal device a write alone is durable
   * @return what should be another, the dangerous first; empty if all is well
   */
  public static List<Finding> examine(UnaryOperator<String> configured, boolean writesDurable) {
    BookieSettings settings = new BookieSettings(configured);
    settings.promises(writesDurable);
    settings.grouping();
    settings.files();
    return List.copyOf(settings.findings);
  }

  /** Does the file name the plug-in as the journal's provider? */
  public static boolean namesProvider(UnaryOperator<String> configured) {
    return PROVIDER.equals(new BookieSettings(configured).value("journalChannelProvider", ""));
  }

  /** Does the bookie acknowledge after a force only? */
  public static boolean syncsData(UnaryOperator<String> configured) {
    return new BookieSettings(configured).on("journalSyncData", true);
  }

  private void promises(boolean writesDurable) {
    if (!on("journalWriteData", true)) {
      found(
          Severity.UNSAFE,
          "journalWriteData",
          false,
          true,
          "entries are acknowledged without being in any journal, so a crash loses them and the"
              + " plug-in does nothing");
    }
    boolean syncs = on("journalSyncData", true);
    if (!syncs && !writesDurable) {
      found(
          Severity.UNSAFE,
          "journalSyncData",
          false,
          true,
          "entries are acknowledged before they are forced, and on this device a write alone isn't"
              + " durable: a power cut loses them");
    } else if (syncs && writesDurable) {
      found(
          Severity.SLOW,
          "journalSyncData",
          true,
          false,
          "a write alone is durable on this device: false saves the hop to the force-write thread."
              + " Set it back to true before the plug-in is taken out");
    }
  }

  private void grouping() {
    long waitMs = number("journalMaxGroupWaitMSec", 2);
    if (waitMs > 0 && !on("journalFlushWhenQueueEmpty", false)) {
      String reason =
          "an add that comes alone waits for others for " + waitMs + " ms, whatever the device";
      found(Severity.SLOW, "journalMaxGroupWaitMSec", waitMs, 0, reason);
      found(
          Severity.SLOW,
          "journalFlushWhenQueueEmpty",
          false,
          true,
          "write as soon as no more entries wait; " + reason);
    }
    long thresholdBytes = number("journalBufferedWritesThreshold", 512 << 10);
    if (thresholdBytes < THRESHOLD_BYTES_MIN) {
      found(
          Severity.SLOW,
          "journalBufferedWritesThreshold",
          thresholdBytes,
          512 << 10,
          "groups of a few KiB under load: each is padded and handed from thread to thread");
    }
    long bufferKibibytes = number("journalWriteBufferSizeKB", 64);
    if (bufferKibibytes << 10 < Math.min(thresholdBytes, 512 << 10)) {
      found(
          Severity.SLOW,
          "journalWriteBufferSizeKB",
          bufferKibibytes,
          512,
          "a group of up to journalBufferedWritesThreshold bytes then goes out in one write");
    }
    long thresholdEntries = number("journalBufferedEntriesThreshold", 0);
    if (thresholdEntries > 0) {
      found(
          Severity.SLOW,
          "journalBufferedEntriesThreshold",
          thresholdEntries,
          0,
          "cuts groups by number under load; journalBufferedWritesThreshold limits their bytes");
    }
    long alignmentBytes = number("journalAlignmentSize", ALIGNMENT_BYTES);
    if (alignmentBytes > ALIGNMENT_BYTES) {
      found(
          Severity.SLOW,
          "journalAlignmentSize",
          alignmentBytes,
          ALIGNMENT_BYTES,
          "every group is padded to it, which costs the device's bandwidth and room");
    }
  }

  private void files() {
    if (on("journalRemoveFromPageCache", true)) {
      found(
          Severity.SLOW,
          "journalRemoveFromPageCache",
          true,
          false,
          "a journal on such a device has no page cache to drop, and since Java 16 BookKeeper can't"
              + " see the descriptor it needs: it only warns");
    }
    if (!on("journalReuseFiles", false)) {
      found(
          Severity.SLOW,
          "journalReuseFiles",
          false,
          true,
          "a new file's pages must be allocated and zeroed as it grows; an old one, zeroed in the"
              + " background, has them");
    }
  }
}
