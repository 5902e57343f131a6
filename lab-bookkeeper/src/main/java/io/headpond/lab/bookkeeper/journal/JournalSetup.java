// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

/**
 * A bookie's journal, set up alike whatever its provider.
 *
 * @param folder of its own, for journals and marks
 * @param provider class name, as {@code journalChannelProvider} names it
 * @param reuse {@code journalReuseFiles}
 * @param maxMebibytes {@code journalMaxSizeMB}
 * @param backups {@code journalMaxBackups}
 * @param writeBufferKibibytes {@code journalWriteBufferSizeKB}
 */
public record JournalSetup(
    String folder,
    String provider,
    boolean reuse,
    int maxMebibytes,
    int backups,
    int writeBufferKibibytes) {
  /** BookKeeper's own provider. */
  public static final String DEFAULT_PROVIDER =
      "org.apache.bookkeeper.bookie.DefaultFileChannelProvider";
}
