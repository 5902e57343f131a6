// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.variant;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.comparison.Settling;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The bookie of one variant, alone or as that of a Pulsar. */
public final class VariantBookie {

  private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(2);

  /** A machine that was idle for so long has no bookie that is still to flush what it took. */
  public static final Duration QUIET = FLUSH_INTERVAL.plus(Settling.BRIEF);

  private VariantBookie() {}

  /**
   * A bookie that isn't started yet.
   *
   * @param root of its cluster's metadata in ZooKeeper
   * @param home gets everything but the journals
   * @param journals its {@code journalDirectories}
   */
  public static BookieNode of(
      JournalVariant variant,
      EngineRelease release,
      JavaHome java,
      ZooKeeperNode zooKeeper,
      String root,
      Path home,
      List<Path> journals)
      throws IOException {
    BookieNode bookie =
        new BookieNode(
                release,
                "the bookie " + variant,
                home.resolve("bookie"),
                zooKeeper,
                root,
                journals,
                List.of(home.resolve("ledgers")))
            .java(java);
    configure(bookie, variant);
    return bookie;
  }

  /** Configures all but its directories, alike for all variants but for the journal. */
  public static void configure(BookieNode bookie, JournalVariant variant) throws IOException {
    // See BookieNode for the rest. More files than are filled between two
    // checkpoints: BookKeeper deletes those beyond journalMaxBackups, and none would be reused.
    bookie
        .memoryAsShipped()
        .set("journalMaxSizeMB", "64")
        .set("journalMaxBackups", "16")
        .set("journalReuseFiles", "true")
        .set("flushInterval", Long.toString(FLUSH_INTERVAL.toMillis()))
        .set("diskUsageThreshold", "0.99")
        // Ledgers deleted after one load are gone when the next but one needs their space.
        .set("gcWaitTime", "1000")
        .set("logSizeLimit", Long.toString(64 << 20))
        .set("minorCompactionInterval", "0")
        .set("majorCompactionInterval", "0");
    if (variant.headpond()) {
      bookie.with(JournalPlugIn.find());
    }
    if (variant == JournalVariant.HEADPOND_NO_HOP) {
      // In memory the plug-in accepts it only if it is told to.
      bookie.set("journalSyncData", "false").set("headpond.journal.accept.unsynced", "true");
    }
  }
}
