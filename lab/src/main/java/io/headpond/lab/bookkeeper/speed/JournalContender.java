// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.speed;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.Pace;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.bookkeeper.variant.VariantBookie;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.OthersShare;
import io.headpond.lab.comparison.Settling;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One variant's bookie, alone in its cluster, and its client. */
final class JournalContender implements AutoCloseable {

  /** A new ledger, and the first adds, don't count. */
  private static final long RAMP_MILLIS = 400;

  /** Never reached: each turn writes a ledger of its own. */
  private static final long ENTRIES_MAX = 1L << 26;

  private final JournalVariant variant;
  private final Path home;
  private final Path journal;
  private final BookieNode bookie;
  private final LedgerLoad load;

  /**
   * Starts it.
   *
   * @param root of its cluster's metadata in ZooKeeper
   * @param home gets everything but the journal
   * @param journal its {@code journalDirectories}
   */
  JournalContender(
      JournalVariant variant,
      EngineRelease release,
      JavaHome java,
      ZooKeeperNode zooKeeper,
      String root,
      Path home,
      Path journal)
      throws IOException, InterruptedException {
    this.variant = variant;
    this.home = home;
    this.journal = journal;
    this.bookie = VariantBookie.of(variant, release, java, zooKeeper, root, home, List.of(journal));
    try {
      bookie.initNewCluster().start();
      this.load =
          new LedgerLoad(
              release,
              java,
              home.resolve("client"),
              LedgerLoadSettings.of(zooKeeper.metadataUri(root), 1)
                  .writers(1, 1)
                  .entries(1024, false, true)
                  .entriesPerLedger(ENTRIES_MAX));
    } catch (IOException | InterruptedException e) {
      bookie.close();
      throw e;
    }
  }

  void warmUp(LoadPoint point, double seconds) throws IOException, InterruptedException {
    load.start(fullSpeed(point));
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1000));
    load.end(true);
  }

  TurnFigures turn(LoadPoint point, int round, double seconds)
      throws IOException, InterruptedException {
    Settling.await(VariantBookie.QUIET);
    load.start(fullSpeed(point));
    TimeUnit.MILLISECONDS.sleep(RAMP_MILLIS);
    OthersShare others = new OthersShare(this::cpu);
    others.begin();
    CpuTime cpu = cpu();
    long start = System.nanoTime();
    SentFigures before = load.figures();
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1000));
    SentFigures after = load.figures();
    long nanos = System.nanoTime() - start;
    CpuTime used = cpu().since(cpu);
    double othersShare = others.end();
    load.end(true);
    return TurnFigures.of(point, round, variant, nanos, before, after, used, othersShare);
  }

  private CpuTime cpu() {
    return new CpuTime(bookie.server().cpuTime(), load.cpuTime());
  }

  private static SendingOrder fullSpeed(LoadPoint point) {
    return new SendingOrder(point.entryBytes(), 1, point.window(), Pace.FULL_SPEED);
  }

  @Override
  public void close() throws IOException {
    load.close();
    try {
      if (bookie.server().running()) {
        bookie.kill();
      }
    } catch (InterruptedException e) {
      bookie.close();
      Thread.currentThread().interrupt();
    }
  }

  /** Once it is closed. */
  void removeFolders() throws IOException {
    FolderRemoval.remove(journal, true);
    FolderRemoval.remove(home, true);
  }
}
