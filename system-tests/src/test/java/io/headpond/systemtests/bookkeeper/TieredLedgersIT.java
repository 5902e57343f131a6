// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Headpond;
import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGKILL of a bookie whose entry logs are created in memory and migrated to disk all the while;
 * then the plug-in is taken out, put in again, and taken out for good.
 */
@Tag("extra")
class TieredLedgersIT {
  private static final String TIERED = "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage";
  private static final String VANILLA = "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage";

  /** Kills; more of them, and the older releases too, in the stage {@code bookkeeper}. */
  private static final int ROUNDS = Integer.getInteger("headpond.bookkeeper.rounds", 1);

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  static Stream<Arguments> releases() throws IOException {
    List<Arguments> all = new ArrayList<>();
    EngineRelease current = Engine.BOOKKEEPER.current();
    all.add(Arguments.of(current.version(), current));
    if (Boolean.getBoolean("headpond.bookkeeper.all")) {
      for (String older : List.of("4.17", "4.16")) {
        EngineRelease release = Engine.BOOKKEEPER.find(older);
        all.add(Arguments.of(release.version(), release));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "BookKeeper {0}")
  @MethodSource("releases")
  void noAcknowledgedEntryIsLostByKillsNorByADrain(String version, EngineRelease release)
      throws Exception {
    System.out.println("seed " + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    try (Cluster cluster = new Cluster("tiered-ledgers", release, JavaHome.current(), 1)) {
      Path fast = cluster.workspace().tier("ledgers");
      BookieNode bookie = tiered(cluster.bookie(), fast).start();
      Path logs = logs(bookie);
      LedgerLoad load = load(cluster).start();
      for (int round = 0; round < ROUNDS; round++) {
        load.awaitAcknowledged(
            load.figures().acknowledged() + random.nextInt(20_000, 60_000), PATIENCE);
        bookie.kill();
        bookie.start();
      }
      load.awaitAcknowledged(load.figures().acknowledged() + 20_000, PATIENCE).stop();
      System.out.println(version + ", " + ROUNDS + " kills: " + Cluster.verified(load));
      assertThat(count(logs, false)).as("migrated logs").isPositive();
      assertThat(count(logs, true)).as("logs on the fast device").isPositive();

      verifiedAndTakenOut(cluster, load, fast);
    }
  }

  /** As long as the fast device is there, nothing needs to be drained. */
  @ParameterizedTest(name = "BookKeeper {0}")
  @MethodSource("releases")
  void aKilledBookieGoesOnWithoutHeadpondAndWithItAgain(String version, EngineRelease release)
      throws Exception {
    System.out.println("seed " + SEED);
    try (Cluster cluster = new Cluster("links-read", release, JavaHome.current(), 1)) {
      Path fast = cluster.workspace().tier("ledgers");
      BookieNode bookie = tiered(cluster.bookie(), fast).start();
      LedgerLoad load = load(cluster).start().awaitAcknowledged(60_000, PATIENCE);
      bookie.kill();
      assertThat(count(logs(bookie), true)).isPositive();
      vanilla(bookie).start();
      load.awaitAcknowledged(load.figures().acknowledged() + 10_000, PATIENCE).stop();
      Cluster.verified(load);
      load.start().awaitAcknowledged(load.figures().acknowledged() + 10_000, PATIENCE);
      bookie.kill();
      tiered(bookie, fast).start();
      load.awaitAcknowledged(load.figures().acknowledged() + 10_000, PATIENCE).stop();
      System.out.println(version + ", taken out and put in: " + Cluster.verified(load));
    }
  }

  /** Ends with BookKeeper alone and without the fast directory; the load must be stopped. */
  static void verifiedAndTakenOut(Cluster cluster, LedgerLoad load, Path fast) throws Exception {
    BookieNode bookie = cluster.bookie();
    headpond("verify", bookie);
    bookie.stop();
    headpond("status", bookie);
    headpond("verify", bookie);
    headpond("drain", bookie);
    assertThat(count(logs(bookie), true)).isZero();
    Files.move(fast, fast.resolveSibling("gone"));
    vanilla(bookie).start();
    Cluster.verified(load);
  }

  private static LedgerLoad load(Cluster cluster) throws IOException {
    return cluster.load(
        LedgerLoadSettings.of(cluster.metadataUri(), SEED)
            .writers(2, 64)
            .bytesPerSecond(24 << 20)
            .entriesPerLedger(7_000));
  }

  private static BookieNode vanilla(BookieNode bookie) {
    return bookie.vanilla().set("ledgerStorageClass", VANILLA);
  }

  /** Where a bookie's entry logs have their names. */
  static Path logs(BookieNode bookie) {
    return bookie.ledgerDirs().get(0).resolve("current");
  }

  /** Runs a command on a bookie; it must succeed. */
  static void headpond(String command, BookieNode bookie) {
    String conf = bookie.configuration().toString();
    assertThat(Headpond.commandLine().execute(command, "--bookkeeper", conf)).isZero();
  }

  /** Small logs, flushed twice a second, all of which are to go to disk. */
  static BookieNode tiered(BookieNode bookie, Path fast) throws IOException {
    return bookie
        .with(JournalPlugIn.find())
        .set("ledgerStorageClass", TIERED)
        .set("headpond.ledger.fast.directories", fast.toString())
        .set("headpond.ledger.fast.capacity", "48MiB")
        .set("headpond.ledger.migrate.threshold", "0.25")
        .set("dbStorage_writeCacheMaxSizeMb", "16")
        .set("logSizeLimit", Integer.toString(4 << 20))
        .set("flushInterval", "500");
  }

  /** Entry logs in a folder that are links, or that are files. */
  static long count(Path logs, boolean links) throws IOException {
    try (Stream<Path> all = Files.list(logs)) {
      return all.filter(path -> path.toString().endsWith(".log"))
          .filter(path -> Files.isSymbolicLink(path) == links)
          .count();
    }
  }
}
