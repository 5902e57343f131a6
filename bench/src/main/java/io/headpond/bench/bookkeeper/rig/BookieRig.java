// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.rig;

import io.headpond.bench.bookkeeper.BookieNode;
import io.headpond.bench.bookkeeper.LedgerLoad;
import io.headpond.bench.bookkeeper.LedgerLoadSettings;
import io.headpond.bench.bookkeeper.ZooKeeperNode;
import io.headpond.bench.bookkeeper.speed.JournalVariant;
import io.headpond.bench.bookkeeper.speed.VariantBookie;
import io.headpond.bench.comparison.CpuTime;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.JavaHome;
import io.headpond.bench.scenario.Point;
import io.headpond.bench.scenario.Rig;
import io.headpond.bench.scenario.RunningLoad;
import io.headpond.bench.scenario.TierState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * One bookie of one variant, alone in its cluster, and a client in a process of its own. A producer
 * writes one ledger; ledgers are deleted after each load, and the bookie frees their space.
 */
public final class BookieRig implements Rig {

  /** Never reached: each load writes ledgers of its own. */
  private static final long ENTRIES_MAX = 1L << 26;

  /** Adds of all producers that may wait for their answer. */
  private static final int WINDOW_MAX = 10_000;

  private static final int FULL_SPEED_WINDOW_MAX = 1_000;
  private static final long IN_FLIGHT_BYTES_MAX = 32L << 20;

  private final JournalVariant variant;
  private final BookieNode bookie;
  private final EngineRelease release;
  private final JavaHome java;
  private final Path clientFolder;
  private final String metadataUri;
  private final long pointBytesMax;
  private volatile LedgerLoad client;

  /**
   * Nothing runs yet.
   *
   * @param bookie of that variant
   * @param root of its cluster's metadata in ZooKeeper, which must run
   * @param home gets the client's folder
   * @param pointBytesMax what one load may send; then it ends early
   */
  public BookieRig(
      JournalVariant variant,
      BookieNode bookie,
      EngineRelease release,
      JavaHome java,
      ZooKeeperNode zooKeeper,
      String root,
      Path home,
      long pointBytesMax) {
    this.variant = variant;
    this.bookie = bookie;
    this.release = release;
    this.java = java;
    this.clientFolder = home.resolve("client");
    this.metadataUri = zooKeeper.metadataUri(root);
    this.pointBytesMax = pointBytesMax;
    VariantBookie.freeSpaceSoon(bookie);
  }

  /** The bookie, to be configured further before {@link #start}. */
  public BookieNode bookie() {
    return bookie;
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
            release,
            java,
            clientFolder,
            LedgerLoadSettings.of(metadataUri, 1)
                .writers(1, 1)
                .entries(1024, false, true)
                .entriesPerLedger(ENTRIES_MAX));
  }

  @Override
  public void store(Point point) {
    throw new IllegalArgumentException("bookies are written to only: no backlog");
  }

  @Override
  public RunningLoad begin(Point point) throws IOException, InterruptedException {
    if (point.consumers() > 0 || point.backlogBytes() > 0 || point.producers() == 0) {
      throw new IllegalArgumentException("bookies are written to only: no consumers, no backlog");
    }
    int most = point.pace().fullSpeed() ? FULL_SPEED_WINDOW_MAX : WINDOW_MAX;
    long room = Math.min(most, IN_FLIGHT_BYTES_MAX / point.messageBytes());
    int window = (int) Math.max(1, room / point.producers());
    client.start(point.messageBytes(), point.producers(), window, point.pace());
    return new BookieLoad(client, pointBytesMax);
  }

  @Override
  public CpuTime cpu() {
    return new CpuTime(
        bookie.server().cpuTime(), client == null ? Duration.ZERO : client.cpuTime());
  }

  @Override
  public Optional<TierState> tier() {
    return Optional.empty();
  }

  @Override
  public void check() throws IOException {
    if (!bookie.server().running()) {
      throw new IOException("the bookie ended while it was measured\n" + bookie.server().tail());
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    bookie.close();
  }
}
