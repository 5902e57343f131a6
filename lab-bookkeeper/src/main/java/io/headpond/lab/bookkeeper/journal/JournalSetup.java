// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

import java.util.Optional;
import java.util.Properties;

/**
 * A bookie's journal, set up alike whatever its provider.
 *
 * @param folder of its own, for journals and marks
 * @param provider class name, as {@code journalChannelProvider} names it
 * @param persist the back end asked for; only with Headpond's provider
 * @param maxMebibytes {@code journalMaxSizeMB}
 * @param backups {@code journalMaxBackups}
 * @param writeBufferKibibytes {@code journalWriteBufferSizeKB}
 */
public record JournalSetup(
    String folder,
    String provider,
    Optional<String> persist,
    int maxMebibytes,
    int backups,
    int writeBufferKibibytes) {
  /** BookKeeper's own provider. */
  public static final String DEFAULT_PROVIDER =
      "org.apache.bookkeeper.bookie.DefaultFileChannelProvider";

  /** For {@link #from}. */
  public Properties toProperties() {
    Properties properties = new Properties();
    properties.setProperty("folder", folder);
    properties.setProperty("provider", provider);
    persist.ifPresent(each -> properties.setProperty("persist", each));
    properties.setProperty("max.mebibytes", Integer.toString(maxMebibytes));
    properties.setProperty("backups", Integer.toString(backups));
    properties.setProperty("write.buffer.kibibytes", Integer.toString(writeBufferKibibytes));
    return properties;
  }

  /** Reads what {@link #toProperties} wrote. */
  public static JournalSetup from(Properties properties) {
    return new JournalSetup(
        properties.getProperty("folder"),
        properties.getProperty("provider"),
        Optional.ofNullable(properties.getProperty("persist")),
        Integer.parseInt(properties.getProperty("max.mebibytes")),
        Integer.parseInt(properties.getProperty("backups")),
        Integer.parseInt(properties.getProperty("write.buffer.kibibytes")));
  }
}
