// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Notices segments that the engine makes around the plug-in, or in log directories that aren't
 * configured.
 *
 * <p>With {@code preallocate=true} Kafka creates a segment through {@code RandomAccessFile}, which
 * no provider sees. Such a segment is a plain file that appeared after the claim and that the store
 * doesn't know when the engine renames it, or opens it again. It works, and stays home.
 */
final class Bypass {
  static final String SNAPSHOT = ".snapshot";
  private static final String LOG = ".log";
  private static final String METADATA = ConfigKey.HOME_ONLY.standard() + "-";

  private final TieredStore store;
  private final StoreConfig config;
  private final AtomicLong noticed = new AtomicLong();
  private final AtomicBoolean elsewhere = new AtomicBoolean();
  private volatile long claimedMillis;

  Bypass(final TieredStore store, final StoreConfig config) {
    this.store = store;
    this.config = config;
  }

  /** The store is owned from now on. */
  void claimed() {
    claimedMillis = System.currentTimeMillis();
  }

  /**
   * A segment that lies in no log directory of the configuration is about to be opened for writing,
   * while the store isn't owned. Kafka's metadata log may have a directory of its own.
   */
  void elsewhere(final Path name) {
    final Path partition = name.toAbsolutePath().getParent();
    if (partition.getFileName() != null
        && !partition.getFileName().toString().startsWith(METADATA)
        && !config.tiers().isEmpty()
        && elsewhere.compareAndSet(false, true)) {
      KafkaCodes.ELSEWHERE.log(
          name,
          config.source(),
          config.logDirs().stream().map(Path::toString).collect(Collectors.joining(", ")));
    }
  }

  /** A segment is about to be opened for writing. */
  void opening(final Path name) {
    notice(name);
  }

  /** A segment, or a partition directory, is about to be renamed. */
  void moving(final Path name) {
    notice(name);
  }

  /**
   * A snapshot of the producers is about to be written, as right after each roll. Segments before
   * it that are grown ahead must end where their log goes on, also if that was made around us:
   * zeros in the middle of a log are its end to Kafka's recovery.
   *
   * @param snapshot the one spelling of its name
   */
  void rolled(final Path snapshot) throws IOException {
    final String fileName = snapshot.getFileName().toString();
    final String successor = fileName.replace(SNAPSHOT, LOG);
    if (SegmentName.isPlain(successor)) {
      store.sealBefore(snapshot.resolveSibling(successor));
    }
  }

  private void notice(final Path name) {
    try {
      if (!store.diverts(name) || store.knows(name) || store.staysHome(name)) {
        return;
      }
      if (!Files.isRegularFile(name, LinkOption.NOFOLLOW_LINKS)) {
        return; // a link, or a new segment: since Java 21 that costs a roll no exception
      }
      if (Files.getLastModifiedTime(name).toMillis() > claimedMillis) {
        report(name, noticed.incrementAndGet());
      }
    } catch (final IOException goneMeanwhile) {
      return;
    }
  }

  /** The 1st, 10th, 100th and so on: a warning for each would drown the engine's log. */
  private static void report(final Path name, final long count) {
    long power = 1;
    while (power < count) {
      power *= 10;
    }
    if (power == count) {
      KafkaCodes.WRITTEN_AROUND.log(name, count);
    }
  }
}
