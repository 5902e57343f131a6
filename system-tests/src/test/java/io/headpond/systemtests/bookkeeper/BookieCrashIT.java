// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Matrix;
import io.headpond.systemtests.Matrix.Place;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGKILL of a bookie while ledgers are written, over journals that roll several times a second and
 * are used again, or aren't; half of the ledgers are never closed. At the end the plug-in is taken
 * out after a kill, and put in again after one.
 *
 * <p>{@code -Dheadpond.bookkeeper.rounds=N} kills more often, {@code
 * -Dheadpond.bookkeeper.all=true} runs the older releases too, which -Pextra brings, and on every
 * Java there is.
 */
class BookieCrashIT {

  private static final int ROUNDS = Integer.getInteger("headpond.bookkeeper.rounds", 2);

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  static Stream<Arguments> releasesAndJavas() throws IOException {
    if (Matrix.asked()) {
      return Matrix.runs(Engine.BOOKKEEPER)
          .map(run -> Arguments.of(run.version(), run.java(), run.release(), run.place()));
    }
    List<Arguments> all = new ArrayList<>();
    EngineRelease current = Engine.BOOKKEEPER.current();
    all.add(Arguments.of(current.version(), JavaHome.current(), current, Place.usual()));
    if (Boolean.getBoolean("headpond.bookkeeper.all")) {
      List<JavaHome> javas = JavaHome.installed();
      for (JavaHome java : javas) {
        if (java.feature() != JavaHome.current().feature()) {
          all.add(Arguments.of(current.version(), java, current, Place.usual()));
        }
      }
      for (String older : List.of("4.17", "4.16")) {
        EngineRelease release = Engine.BOOKKEEPER.find(older);
        all.add(Arguments.of(release.version(), javas.get(0), release, Place.usual()));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "BookKeeper {0} on {1}, {3}")
  @MethodSource("releasesAndJavas")
  void noAcknowledgedEntryIsLostByKillsOrByTakingThePlugInOut(
      String version, JavaHome java, EngineRelease release, Place place) throws Exception {
    System.out.println("seed " + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    try (Cluster cluster = new Cluster(place.workspace("crash"), release, java, 1)) {
      BookieNode bookie = smallJournals(cluster.bookie()).with(JournalPlugIn.find());
      place.settings().forEach(bookie::set);
      LedgerLoad load = cluster.load(load(cluster));
      bookie.set("journalReuseFiles", "true").start();
      load.start();
      for (int round = 0; round < ROUNDS; round++) {
        load.awaitAcknowledged(
            load.figures().acknowledged() + random.nextInt(4_000, 40_000), PATIENCE);
        bookie.kill();
        bookie.set("journalReuseFiles", Boolean.toString(round % 2 == 1)).start();
      }
      load.awaitAcknowledged(load.figures().acknowledged() + 4_000, PATIENCE);
      bookie.kill();
      takenOutAndPutInAgain(cluster, load, place);
      System.out.println(version + " on " + java + ": " + load.verify());
      assertThat(load.figures().failures()).as("adds that the kills cut off").isPositive();
    }
    Matrix.passed(Engine.BOOKKEEPER, version, java, place, getClass());
  }

  /** The journal's files are BookKeeper's own, in both directions. */
  private static void takenOutAndPutInAgain(Cluster cluster, LedgerLoad load, Place place)
      throws Exception {
    BookieNode bookie = cluster.bookie();
    bookie.vanilla().start();
    load.stop();
    Cluster.verified(load);
    load.start().awaitAcknowledged(load.figures().acknowledged() + 10_000, PATIENCE);
    bookie.kill();
    place.settings().forEach(bookie::set);
    bookie.with(JournalPlugIn.find()).set("journalReuseFiles", "true").start();
    load.stop();
    Cluster.verified(load);
  }

  /** Several rolls a second, and files that are given up, and so used again, within a second. */
  private static BookieNode smallJournals(BookieNode bookie) {
    return bookie
        .set("journalMaxSizeMB", "2")
        .set("journalPreAllocSizeMB", "1")
        .set("journalMaxBackups", "12")
        .set("flushInterval", "500");
  }

  private static LedgerLoadSettings load(Cluster cluster) {
    return LedgerLoadSettings.of(cluster.metadataUri(), SEED)
        .writers(3, 64)
        .bytesPerSecond(24 << 20)
        .entriesPerLedger(7_000);
  }
}
