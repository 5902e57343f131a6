// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.ledgers;

import io.headpond.cli.measure.Spread;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.ledgers.BacklogBookie.Slice;
import io.headpond.lab.ledgers.LedgersReport.Place;
import io.headpond.pmem.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures add latencies at a fixed rate while an old backlog is replayed from the slow device, and
 * while it isn't: with all entry logs in the ledger directory, and with new ones on the fast
 * device. Journals are on the fast device in both cases, so that entry logs make the difference.
 * The two bookies take turns.
 */
public final class LedgersBench {
  private final Options options;

  /**
   * Sets up the measurement.
   *
   * @param fast a folder on the fast device
   * @param home a folder on the slow device
   * @param backlogBytes what is replayed
   * @param bytesPerSecond what is published meanwhile
   * @param slice length of each measurement
   * @param rounds how often
   * @param progress is told what goes on
   */
  public record Options(
      Path fast,
      Path home,
      long backlogBytes,
      long bytesPerSecond,
      Duration slice,
      int rounds,
      PrintStream progress) {}

  /** One bookie's slices. */
  private static final class Measured {
    final List<Double> quietMicros = new ArrayList<>();
    final List<Double> replayMicros = new ArrayList<>();
    final List<Double> replayRates = new ArrayList<>();

    void add(Slice quiet, Slice replay) {
      quietMicros.add(p99Micros(quiet));
      replayMicros.add(p99Micros(replay));
      replayRates.add(replay.replayedBytesPerSecond());
    }

    private static double p99Micros(Slice slice) {
      return slice.nanos().getValueAtPercentile(99) / 1e3;
    }

    Place place() {
      return new Place(
          Spread.of(quietMicros),
          Spread.of(replayMicros),
          Spread.ofRatios(replayMicros, quietMicros).orElse(null),
          Spread.of(replayRates));
    }
  }

  /** Measures nothing yet. */
  public LedgersBench(Options options) {
    this.options = options;
  }

  /**
   * Measures; everything that it wrote is removed afterwards.
   *
   * @throws IOException if a bookie fails, or the backlog doesn't read as it was written
   */
  public LedgersReport run() throws IOException, InterruptedException {
    EngineRelease release = Engine.BOOKKEEPER.current();
    Path folder = Files.createTempDirectory(options.home(), "headpond-bench-");
    Path fast = Files.createTempDirectory(options.fast(), "headpond-bench-");
    try (ZooKeeperNode zooKeeper =
            new ZooKeeperNode(release, JavaHome.current(), folder.resolve("zookeeper")).start();
        BacklogBookie one = new BacklogBookie(release, zooKeeper, folder, fast, false, options);
        BacklogBookie two = new BacklogBookie(release, zooKeeper, folder, fast, true, options)) {
      say("writing two backlogs of " + (options.backlogBytes() >> 20) + " MiB");
      one.fill();
      two.fill();
      return measure(release, fast, one, two);
    } finally {
      FolderRemoval.remove(folder, true);
      FolderRemoval.remove(fast, true);
    }
  }

  private LedgersReport measure(
      EngineRelease release, Path fast, BacklogBookie one, BacklogBookie two)
      throws IOException, InterruptedException {
    Measured inOnePlace = new Measured();
    Measured inTwo = new Measured();
    for (int round = 0; round < options.rounds(); round++) {
      say("round " + (round + 1) + " of " + options.rounds());
      slices(one, inOnePlace);
      slices(two, inTwo);
    }
    return new LedgersReport(
        release.version(),
        Device.detect(fast).toString(),
        Device.detect(options.home()).toString(),
        options.backlogBytes(),
        options.bytesPerSecond(),
        inOnePlace.place(),
        inTwo.place(),
        Spread.ofRatios(inTwo.replayMicros, inOnePlace.replayMicros).orElse(null));
  }

  private void slices(BacklogBookie bookie, Measured measured)
      throws IOException, InterruptedException {
    Slice quiet = bookie.publish(options.slice(), false);
    measured.add(quiet, bookie.publish(options.slice(), true));
  }

  private void say(String what) {
    options.progress().println(what);
  }
}
