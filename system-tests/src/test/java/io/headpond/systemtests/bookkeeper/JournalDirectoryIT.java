// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Mount;
import io.headpond.systemtests.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Journal directories that are full, read-only, gone, shared, or hold what a crash has left half
 * done.
 */
@Tag("extra")
class JournalDirectoryIT {

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int HEADER_BYTES = 512;

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
      bookie.launch();
      Await.until("the bookie ends", () -> !bookie.server().running());
      assertThat(bookie.server().log())
          .content()
          .contains(mount.folder().toString(), "is mounted read-only");
      mount.readOnly(false);
      bookie.start();
      Cluster.verified(load);
    }
  }

  @Test
  void aFileThatACrashLeftWithoutAWholeHeaderHoldsNothing() throws Exception {
    try (Cluster cluster = cluster("header")) {
      BookieNode bookie = plain(cluster.bookie()).start();
      LedgerLoad load = load(cluster, 8 << 20);
      for (int bytes : new int[] {0, 8, HEADER_BYTES - 1}) {
        load.start().awaitAcknowledged(load.figures().acknowledged() + 3_000, PATIENCE);
        bookie.kill();
        load.stop();
        Path newest = newest(bookie);
        byte[] header = header(newest);
        Files.write(after(newest), Arrays.copyOf(header, bytes));
        bookie.start();
        Cluster.verified(load);
      }
    }
  }

  @Test
  void aFileThatWasAboutToBeUsedAgainBringsNothingOldBack() throws Exception {
    try (Cluster cluster = cluster("stale")) {
      BookieNode bookie =
          plain(cluster.bookie())
              .set("journalReuseFiles", "true")
              .set("journalMaxBackups", "12")
              .start();
      LedgerLoad load = load(cluster, 8 << 20);
      for (boolean headpond : new boolean[] {true, false}) {
        load.start().awaitAcknowledged(load.figures().acknowledged() + 8_000, PATIENCE);
        bookie.kill();
        load.stop();
        Path newest = newest(bookie);
        // As a rename of the oldest file to the next name leaves it, before anything is written.
        Files.copy(oldest(bookie), after(newest));
        if (!headpond) {
          bookie.vanilla();
        }
        bookie.start();
        Cluster.verified(load);
      }
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

  private static byte[] header(Path file) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.read(header, 0);
    }
    return header.array();
  }

  private static Path newest(BookieNode bookie) throws IOException {
    return files(bookie).get(files(bookie).size() - 1);
  }

  private static Path oldest(BookieNode bookie) throws IOException {
    return files(bookie).get(0);
  }

  /** Journals are numbered in hexadecimal. */
  private static Path after(Path file) {
    return file.resolveSibling(Long.toHexString(number(file) + 1) + ".txn");
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().replace(".txn", ""), 16);
  }

  private static List<Path> files(BookieNode bookie) throws IOException {
    try (Stream<Path> files = Files.list(bookie.journalDirs().get(0).resolve("current"))) {
      return files
          .filter(file -> file.toString().endsWith(".txn"))
          .sorted(Comparator.comparingLong(JournalDirectoryIT::number))
          .toList();
    }
  }
}
