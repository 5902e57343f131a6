// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Headpond;
import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.ToolRun;
import io.headpond.systemtests.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bookie is killed under load and loses the fast device of its entry logs, in some lives with its
 * journal. What only that device had comes back from the other bookies: every copy of every
 * acknowledged entry is read from the bookie that the metadata names, and compared. In each second
 * life it is killed again while it repairs itself.
 *
 * <p>{@code -Dheadpond.lost.lives=N} loses it more often.
 */
@Tag("extra")
class LostFastDeviceIT {
  private static final int LIVES = Integer.getInteger("headpond.lost.lives", 1);

  private static final int BOOKIES = 4;
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** BookKeeper says so when its data integrity check has missed nothing any more. */
  private static final String REPAIRED = "Clearing integrity check flag";

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<BookieNode, Path> fast = new HashMap<>();

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  @Tag("HP0802")
  void theBookieBringsBackWhatOnlyItsFastDeviceHad(int written) throws Exception {
    System.out.println("seed " + SEED);
    ContentReport all = new ContentReport(0, 0, 0, 0, 0, List.of());
    try (Cluster cluster = cluster()) {
      for (BookieNode bookie : cluster.bookies()) {
        tiered(cluster, bookie).start();
      }
      LedgerLoad load = load(cluster, new LedgerQuorum(3, written, 2, false));
      for (int life = 1; life <= LIVES; life++) {
        load.start().awaitAcknowledged(load.figures().acknowledged() + 12_000, PATIENCE);
        BookieNode lost = cluster.bookies().get(random.nextInt(BOOKIES));
        lost.kill();
        boolean journal = random.nextBoolean();
        lose(lost, journal);
        refused(lost);
        recovered(lost);
        if (life == 1) {
          refused(lost); // by its cookie
        }
        repaired(lost, life % 2 == 1);
        load.awaitAcknowledged(load.figures().acknowledged() + 2_000, PATIENCE).stop();
        Cluster.verified(load);
        ContentReport copies = clean(load.verifyReplicas());
        all = all.plus(copies);
        System.out.printf(
            "life %d of %d, of each entry %d copies; journal lost: %b; %s%n",
            life, LIVES, written, journal, copies);
      }
    }
    System.out.println("copies compared in all lives: " + all);
  }

  @Test
  void autoRecoveryRestoresWhatABookieThatComesBackEmptyHad() throws Exception {
    System.out.println("seed " + SEED);
    try (Cluster cluster = cluster()) {
      for (BookieNode bookie : cluster.bookies()) {
        tiered(cluster, bookie)
            .set("autoRecoveryDaemonEnabled", "true")
            .set("lostBookieRecoveryDelay", "0")
            .set("openLedgerRereplicationGracePeriod", "1000")
            .start();
      }
      LedgerLoad load = load(cluster, new LedgerQuorum(3, 2, 2, false));
      load.start().awaitAcknowledged(12_000, PATIENCE);
      BookieNode lost = cluster.bookies().get(1 + random.nextInt(BOOKIES - 1));
      lost.kill();
      lose(lost, true);
      refused(lost);
      shell(cluster.bookie(), "decommissionbookie", "-bookieid", lost.id());
      shell(lost, "bookieformat", "-nonInteractive", "-force");
      Files.createDirectories(fast.get(lost));
      lost.start();
      load.awaitAcknowledged(load.figures().acknowledged() + 6_000, PATIENCE).stop();
      Cluster.verified(load);
      System.out.println("as a new bookie: " + clean(load.verifyReplicas()));
    }
  }

  private static Cluster cluster() throws Exception {
    return new Cluster("lost-fast", Engine.BOOKKEEPER.current(), JavaHome.current(), BOOKIES);
  }

  private BookieNode tiered(Cluster cluster, BookieNode bookie) throws IOException {
    Path folder = cluster.workspace().tier(bookie.id().replace(':', '-') + "-fast");
    fast.put(bookie, folder);
    return TieredLedgersIT.tiered(bookie, folder).set("headpond.ledger.fast.capacity", "24MiB");
  }

  private static LedgerLoad load(Cluster cluster, LedgerQuorum quorum) throws IOException {
    return cluster.load(
        LedgerLoadSettings.of(cluster.metadataUri(), SEED)
            .quorum(quorum)
            .writers(2, 64)
            .bytesPerSecond(6 << 20)
            .entriesPerLedger(3_000));
  }

  /** The device is empty, or it isn't there at all. */
  private void lose(BookieNode bookie, boolean journal) throws IOException {
    Path device = fast.get(bookie);
    assertThat(TieredLedgersIT.count(TieredLedgersIT.logs(bookie), true)).isPositive();
    FolderRemoval.remove(device, true);
    if (random.nextBoolean()) {
      Files.createDirectory(device);
    }
    if (journal) {
      for (Path folder : bookie.journalDirs()) {
        FolderRemoval.remove(folder, false);
      }
    }
  }

  /** By Headpond, or by BookKeeper where the cookie is gone, with the journal or with the tier. */
  private static void refused(BookieNode bookie) throws Exception {
    long before = Files.size(bookie.server().log());
    bookie.launch();
    Await.until("the bookie ends", () -> !bookie.server().running());
    assertThat(since(bookie, before)).containsAnyOf("HP0102", "HP0802", "InvalidCookie");
  }

  private void recovered(BookieNode bookie) throws IOException {
    String conf = bookie.configuration().toString();
    String[] command = {"recover", conf, "--accept-loss"};
    assertThat(Headpond.commandLine().execute(command)).isZero();
    Files.createDirectories(fast.get(bookie));
  }

  /** Starts it with BookKeeper's data integrity check, and again after a kill in the middle. */
  private static void repaired(BookieNode bookie, boolean killed) throws Exception {
    long before = Files.size(bookie.server().log());
    bookie
        .set("dataIntegrityChecking", "true")
        .set("dataIntegrityStampMissingCookies", "true")
        .start();
    if (killed && !since(bookie, before).contains(REPAIRED)) {
      bookie.kill();
      System.out.println("killed before it was repaired");
      before = Files.size(bookie.server().log());
      bookie.start();
    }
    long from = before;
    Await.until("BookKeeper misses nothing any more", () -> since(bookie, from).contains(REPAIRED));
  }

  private static String since(BookieNode bookie, long offset) throws IOException {
    byte[] log = Files.readAllBytes(bookie.server().log());
    return new String(log, (int) offset, log.length - (int) offset, StandardCharsets.UTF_8);
  }

  private static void shell(BookieNode bookie, String... command) throws Exception {
    ToolRun run = bookie.shell(command);
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  private static ContentReport clean(ContentReport copies) {
    assertThat(copies.examples()).isEmpty();
    assertThat(copies.clean()).as(copies.toString()).isTrue();
    assertThat(copies.verified()).isPositive();
    return copies;
  }
}
