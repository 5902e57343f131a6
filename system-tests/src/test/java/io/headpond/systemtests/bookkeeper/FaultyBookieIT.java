// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static io.headpond.systemtests.faulty.FaultyMount.EIO;
import static io.headpond.systemtests.faulty.FaultyMount.ENOSPC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.faulty.Fault.Call;
import io.headpond.systemtests.faulty.FaultyMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real bookie whose journal's device, or whose ledgers' disk, fails by a file system that does so
 * when it is told to. What a failed force has lost is taken away before the next start, as a power
 * cut would: Linux shows it until then, and lets the next force succeed.
 */
@Tag("extra")
class FaultyBookieIT {

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Longer than migration waits before it tries again. */
  private static final Duration RETRIES = Duration.ofSeconds(12);

  private static final String JOURNALS = "/current/[0-9a-f]+[.]txn";
  private static final String COPIES = "/(current/)?headpond-[0-9a-f]*[.]move";
  private static final String ENTRY_LOGS = "/current/[0-9a-f]+[.]log";

  private Cluster cluster;
  private FaultyMount mount;
  private Path fast;
  private BookieNode bookie;
  private LedgerLoad load;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(FaultyMount.impossible().isEmpty(), FaultyMount.impossible());
    System.out.println("seed " + SEED);
    cluster = new Cluster("faulty", Engine.BOOKKEEPER.current(), JavaHome.current(), 1);
    bookie = cluster.bookie();
    load =
        cluster.load(
            LedgerLoadSettings.of(cluster.metadataUri(), SEED)
                .writers(2, 64)
                .bytesPerSecond(16 << 20)
                .entriesPerLedger(7_000));
  }

  @AfterEach
  void end() throws IOException {
    if (cluster != null) {
      bookie.close();
      if (mount != null) {
        mount.close();
      }
      cluster.close();
    }
  }

  @Test
  @Tag("HP0712")
  void aFailedForceOfTheJournalEndsTheBookieUnacknowledged() throws Exception {
    journalOnFaultyDevice();
    load.start().awaitAcknowledged(4_000, PATIENCE);
    mount.fail(Call.FORCE, EIO, 1, JOURNALS);
    Await.until("the bookie ends", () -> !bookie.server().running());
    says("Input/output error", ".txn");
    endsWithEverythingThere();
  }

  @Test
  @Tag("HP0705")
  void aWriteOfTheJournalThatFailsEndsTheBookieAndIsNamed() throws Exception {
    journalOnFaultyDevice();
    load.start().awaitAcknowledged(4_000, PATIENCE);
    mount.fail(Call.WRITE, EIO, 1, JOURNALS);
    Await.until("the bookie ends", () -> !bookie.server().running());
    says("Input/output error", ".txn");
    endsWithEverythingThere();
  }

  @Test
  void aForceOfACopyThatFailsLeavesTheEntryLogWhereItIs() throws Exception {
    ledgersOnFaultyDisk();
    mount.fail(Call.FORCE, EIO, 3, COPIES);
    load.start().awaitAcknowledged(40_000, PATIENCE);
    Await.until("copies have failed", () -> mount.hits() == 3);
    Await.until("the next ones don't", () -> logs(false) > 2);
    says("Input/output error", ".move");
    endsWithEverythingThere();
  }

  /** Neither by those that are moved next, nor by the next try. */
  @Test
  void aLedgerDirectoryThatCouldntBeForcedIsNeverTrustedAgain() throws Exception {
    ledgersOnFaultyDisk();
    load.start().awaitAcknowledged(20_000, PATIENCE);
    mount.fail(Call.FORCE_DIRECTORY, EIO, 1, "/current");
    Await.until("a force has failed", () -> mount.hits() == 1);
    Set<Path> then = fastLogs();
    long until = System.nanoTime() + RETRIES.toNanos();
    Await.until(
        "time for more tries has passed",
        () -> {
          assertThat(fastLogs()).as("what an untrusted name may lead to").containsAll(then);
          return System.nanoTime() > until;
        });
    assertThat(then).isNotEmpty();
    says("current: can't be forced (Input/output error), and isn't tried again");
    endsWithEverythingThere();
  }

  @Test
  void aDiskWithoutRoomForEntryLogsLeavesThemOnTheFastDevice() throws Exception {
    ledgersOnFaultyDisk();
    load.start().awaitAcknowledged(20_000, PATIENCE);
    mount.fail(Call.WRITE, ENOSPC, -1, "(" + COPIES + "|" + ENTRY_LOGS + ")");
    Await.until("no copy can be written", () -> mount.hits() > 2);
    load.awaitAcknowledged(load.figures().acknowledged() + 4_000, PATIENCE);
    says("No space left on device", ".move");
    mount.repair();
    endsWithEverythingThere();
  }

  @Test
  void anEntryLogThatCantBeReadIsLeftWhereItIsAndNeverOtherBytes() throws Exception {
    ledgersOnFaultyDisk();
    load.start().awaitAcknowledged(40_000, PATIENCE);
    Await.until("entry logs are at home", () -> logs(false) > 2);
    load.stop();
    mount.fail(Call.READ, EIO, -1, ENTRY_LOGS);
    ContentReport report = load.verify();
    assertThat(mount.hits()).isPositive();
    assertThat(report.corrupt()).as("%s", report).isZero();
    says("Input/output error");
    endsWithEverythingThere();
  }

  private void journalOnFaultyDevice() throws Exception {
    mount = FaultyMount.on(bookie.journalDirs().get(0), cluster.workspace());
    bookie
        .with(JournalPlugIn.find())
        .set("journalMaxSizeMB", "2")
        .set("journalPreAllocSizeMB", "1")
        .set("journalMaxBackups", "12")
        .set("flushInterval", "500")
        .start();
  }

  private void ledgersOnFaultyDisk() throws Exception {
    mount = FaultyMount.on(bookie.ledgerDirs().get(0), cluster.workspace());
    fast = cluster.workspace().tier("ledgers");
    TieredLedgersIT.tiered(bookie, fast).start();
  }

  private long logs(boolean links) throws IOException {
    return TieredLedgersIT.count(bookie.ledgerDirs().get(0).resolve("current"), links);
  }

  private Set<Path> fastLogs() throws IOException {
    try (Stream<Path> files = Files.walk(fast)) {
      return files.filter(file -> file.toString().endsWith(".log")).collect(Collectors.toSet());
    }
  }

  private void says(String... texts) throws Exception {
    Path log = bookie.server().log();
    Await.until(
        "the bookie says why",
        () -> {
          String all = Files.readString(log);
          for (String text : texts) {
            if (!all.contains(text)) {
              return false;
            }
          }
          return true;
        });
  }

  /** Kills it, cuts the power of what failed, repairs that, and compares everything. */
  private void endsWithEverythingThere() throws Exception {
    if (bookie.server().running()) {
      bookie.kill();
    }
    long lost = mount.cutPower();
    System.out.printf(
        "FaultyBookieIT: %d calls failed, %d B were lost by forces that failed%n",
        mount.repair(), lost);
    bookie.start();
    load.stop(); // nothing is sent any more; what waits is answered
    System.out.println("FaultyBookieIT: " + Cluster.verified(load));
  }
}
