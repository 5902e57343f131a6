// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.rig;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.bookkeeper.variant.VariantBookie;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.scenario.ClientLoad;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.RunningLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One bookie of one variant, alone in its cluster, and a client in a process of its own. A producer
 * writes one ledger; ledgers are deleted after each load, and the bookie frees their space.
 */
public final class BookieRig implements Rig {

  /** Never reached: each load writes ledgers of its own. */
  private static final long ENTRIES_MAX = 1L << 26;

  private static final int FULL_SPEED_WINDOW_MAX = 1_000;
  private static final long END_MILLIS_MAX = 10_000;

  private final JournalVariant variant;
  private final BookieNode bookie;
  private final RigSettings settings;
  private final String metadataUri;
  private final Path clientFolder;
  private final boolean countsFailures;
  private volatile LedgerLoad client;
  private Duration bookieCpu = Duration.ZERO;

  /**
   * Nothing runs yet.
   *
   * @param bookie of that variant
   * @param metadataUri of its cluster, in a ZooKeeper that must run
   * @param home gets the client's folder
   * @param countsFailures adds that fail are counted, also of a bookie that has ended; else both
   *     are errors
   */
  public BookieRig(
      JournalVariant variant,
      BookieNode bookie,
      RigSettings settings,
      String metadataUri,
      Path home,
      boolean countsFailures) {
    this.variant = variant;
    this.bookie = bookie;
    this.settings = settings;
    this.metadataUri = metadataUri;
    this.clientFolder = home.resolve("client");
    this.countsFailures = countsFailures;
  }

  @Override
  public JournalVariant variant() {
    return variant;
  }

  @Override
  public void start() throws IOException, InterruptedException {
    bookie.initNewCluster().start();
    client =
        new LedgerLoad(
            settings.release(),
            settings.java(),
            clientFolder,
            LedgerLoadSettings.of(metadataUri, 1)
                .writers(1, 1)
                .entries(1024, false, true)
                .entriesPerLedger(ENTRIES_MAX));
  }

  @Override
  public RunningLoad begin(Point point) throws IOException, InterruptedException {
    ClientLoad load =
        ClientLoad.begin(client, point, FULL_SPEED_WINDOW_MAX, settings.pointBytesMax());
    return countsFailures ? load.countFailures() : load;
  }

  @Override
  public Duration quiet() {
    return VariantBookie.QUIET;
  }

  /** Of a bookie that has ended, the last that is known. */
  @Override
  public CpuTime cpu() {
    Duration now = bookie.server().cpuTime();
    bookieCpu = now.compareTo(bookieCpu) > 0 ? now : bookieCpu;
    return new CpuTime(bookieCpu, client == null ? Duration.ZERO : client.cpuTime());
  }

  @Override
  public void check() throws IOException {
    if (!countsFailures && !bookie.server().running()) {
      throw new IOException("the bookie ended while it was measured\n" + bookie.server().tail());
    }
  }

  /** Waits until the bookie is gone: what it writes in the end must not meet a folder's removal. */
  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    if (bookie.server().running()) {
      bookie.close();
      try {
        bookie.server().endsWithin(END_MILLIS_MAX);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
