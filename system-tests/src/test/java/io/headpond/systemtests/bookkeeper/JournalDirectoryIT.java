// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Mount;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.LastWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Journal directories on a disk, on a full device, and gone. */
@Tag("extra")
class JournalDirectoryIT {
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @Test
  void onOrdinaryDiskWhatIsAcknowledgedSurvivesAKill() throws Exception {
    try (Cluster cluster = cluster("disk")) {
      BookieNode bookie =
          journal(cluster, cluster.workspace().folder("journal-on-disk"), "on-disk").start();
      LedgerLoad load = load(cluster, 4 << 20);
      load.start().awaitAcknowledged(4_000, PATIENCE);
      bookie.kill();
      bookie.start();
      load.stop();
      Cluster.verified(load);
    }
  }

  @Test
  @Tag("HP0704")
  void aFullDeviceFailsAddsAndLosesNothingThatWasAcknowledged() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a small device");
    try (Cluster cluster = cluster("full");
        Mount mount = Mount.tmpfs(cluster.workspace().folder("small"), 12)) {
      // Nothing is given up within the test, so that the device must run full.
      BookieNode bookie =
          journal(cluster, mount.folder(), "on-small").set("flushInterval", "600000").start();
      LedgerLoad load = load(cluster, 16 << 20);
      load.start();
      Await.until("the bookie refuses adds", () -> load.figures().failures() > 0);
      Await.until(
          "the bookie says why",
          () -> Files.readString(bookie.server().log()).contains("its device is full"));
      mount.resize(200);
      if (bookie.server().running()) {
        bookie.kill();
      }
      bookie.start();
      load.awaitAcknowledged(load.figures().acknowledged() + 2_000, PATIENCE).stop();
      Cluster.verified(load);
    }
  }

  @Test
  void aReadOnlyJournalDirectoryEndsTheBookieAndIsNamed() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a small device");
    try (Cluster cluster = cluster("read-only");
        Mount mount = Mount.tmpfs(cluster.workspace().folder("device"), 64)) {
      BookieNode bookie = journal(cluster, mount.folder(), "on-device").start();
      LedgerLoad load = load(cluster, 4 << 20).start().awaitAcknowledged(2_000, PATIENCE);
      bookie.kill();
      load.stop();
      mount.readOnly(true);
      Files.delete(bookie.server().log());
      bookie.launch();
      LastWords.assertRefused(
          bookie.server().awaitExit(PATIENCE),
          bookie.server().log(),
          bookie.server().output(),
          "HP0709",
          mount.folder().toString());
      mount.readOnly(false);
      bookie.start();
      Cluster.verified(load);
    }
  }

  @Test
  void aMovedJournalDirectoryIsReplayedThroughALinkInItsPlace() throws Exception {
    try (Cluster cluster = cluster("moved")) {
      BookieNode bookie = plain(cluster.bookie()).start();
      LedgerLoad load = load(cluster, 4 << 20).start().awaitAcknowledged(2_000, PATIENCE);
      bookie.kill();
      load.stop();
      Path there = bookie.journalDirs().get(0);
      Path moved = there.resolveSibling("moved journal");
      Files.createSymbolicLink(there, Files.move(there, moved));
      bookie.start();
      Cluster.verified(load);
    }
  }

  @Test
  void aJournalDirectoryThatIsGoneEndsTheStart() throws Exception {
    try (Cluster cluster = cluster("gone")) {
      BookieNode bookie = plain(cluster.bookie()).start();
      bookie.stop();
      FolderRemoval.remove(bookie.journalDirs().get(0), false);
      assertThatThrownBy(bookie::start).hasMessageContaining("Cookie");
    }
  }

  private static Cluster cluster(String name) throws Exception {
    System.out.println("seed " + SEED);
    return new Cluster(name, Engine.BOOKKEEPER.current(), JavaHome.current(), 1);
  }

  /** A bookie beside the cluster's own, which isn't started then. */
  private static BookieNode journal(Cluster cluster, Path journal, String name) throws Exception {
    return plain(cluster.add(name, journal));
  }

  private static BookieNode plain(BookieNode bookie) throws IOException {
    return bookie
        .with(JournalPlugIn.find())
        .set("journalMaxSizeMB", "2")
        .set("journalPreAllocSizeMB", "1")
        .set("journalMaxBackups", "2")
        .set("flushInterval", "500");
  }

  private static LedgerLoad load(Cluster cluster, long bytesPerSecond) throws IOException {
    return cluster.load(
        LedgerLoadSettings.of(cluster.metadataUri(), SEED)
            .bytesPerSecond(bytesPerSecond)
            .entriesPerLedger(3_000));
  }
}
