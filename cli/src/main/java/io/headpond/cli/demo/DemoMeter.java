// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.logdir.OwnerLives;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Looks at a running demo four times a second, shows it, and keeps its latencies. Records that
 * waited for the restart are counted apart. Of the others, those answered while segments moved are
 * counted apart too, to the second, by the plug-in's counters.
 */
final class DemoMeter implements AutoCloseable {

  private static final long INTERVAL_MS = 250;

  private final DemoLoad load;
  private final DemoView view;
  private final Path logDir;
  private final OwnerLives lives;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "demo-meter");
            thread.setDaemon(true);
            return thread;
          });
  private final Outage outage = new Outage();
  private final Histogram steady = new Histogram(3);
  private final Histogram whileMigrating = new Histogram(3);
  private final Histogram otherwise = new Histogram(3);

  /** Since the counters' last publication, which says whether anything moved meanwhile. */
  private final Histogram undecided = new Histogram(3);

  private final long startNanos = System.nanoTime();
  private String phase = "";
  private long lastNanos = startNanos;
  private long lastProduced;
  private long lastConsumed;
  private long publishedMs;
  private long movedNanos = startNanos;
  private TierMoves moves;

  DemoMeter(DemoLoad load, DemoView view, Path logDir, Path tier) {
    this.load = load;
    this.view = view;
    this.logDir = logDir;
    this.lives = new OwnerLives(tier);
    this.moves = TierMoves.of(lives);
    timer.scheduleAtFixedRate(this::look, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  /** Names what happens from now on. */
  synchronized void phase(String text) {
    phase = text;
    movedNanos = System.nanoTime();
  }

  /** A line that stays, above the live block. */
  synchronized void say(String line) {
    view.say(line);
  }

  /** The broker is dead since now. */
  synchronized void killed() {
    look();
    decide(moves.running());
    outage.begin();
    outage.acknowledgedBefore(load.acknowledgedRecords());
  }

  /** Bytes appended to the fast tier so far, a lower bound. */
  synchronized long fastTierBytes() {
    look();
    return lives.sum("tier.fast.appended.bytes");
  }

  /** The moves and overflows so far, a lower bound. */
  synchronized TierMoves moves() {
    look();
    return moves;
  }

  /** From the kill to the first acknowledgement after it; zero before that. */
  Duration outage() {
    return outage.length();
  }

  /** Since a move was last seen, or a new phase began. */
  synchronized Duration sinceMove() {
    return Duration.ofNanos(System.nanoTime() - movedNanos);
  }

  private synchronized void look() {
    long now = System.nanoTime();
    Histogram interval = load.latencyInterval();
    outage.look(load.acknowledgedRecords(), now);
    Histogram calm = outage.split(interval, now);
    steady.add(calm);
    undecided.add(calm);
    show(now, interval);
  }

  private void readCounters() throws IOException {
    lives.look();
    long published = lives.latest().map(counters -> counters.get("updated.ms")).orElse(0L);
    if (published != publishedMs) {
      publishedMs = published;
      TierMoves before = moves;
      moves = TierMoves.of(lives);
      decide(before.running() || moves.running() || moves.bytes() != before.bytes());
      if (moves.bytes() != before.bytes()) {
        movedNanos = System.nanoTime();
      }
    }
    if (moves.running()) {
      movedNanos = System.nanoTime();
    }
  }

  private void decide(boolean migrating) {
    (migrating ? whileMigrating : otherwise).add(undecided);
    undecided.reset();
  }

  private void show(long now, Histogram interval) {
    long produced = load.acknowledgedBytes();
    long consumed = load.consumedBytes();
    double seconds = Math.max(1e-3, (now - lastNanos) / 1e9);
    try {
      readCounters();
      view.show(
          new DemoStatus(
              phase,
              Duration.ofNanos(now - startNanos),
              load.acknowledgedRecords(),
              produced,
              load.comparedRecords(),
              (long) ((produced - lastProduced) / seconds),
              (long) ((consumed - lastConsumed) / seconds),
              ms(interval, 50),
              ms(interval, 99),
              TierUsage.of(logDir),
              moves));
    } catch (IOException e) {
      view.say("the log directory can't be read now: " + e.getMessage());
    }
    lastNanos = now;
    lastProduced = produced;
    lastConsumed = consumed;
  }

  private static double ms(Histogram histogram, double percentile) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(percentile) / 1e6;
  }

  /** Of the records that didn't wait for the restart, milliseconds. */
  synchronized double steadyMs(double percentile) {
    return ms(steady, percentile);
  }

  /** Of these, those that were answered while segments moved; NaN if there were none. */
  synchronized double whileMigratingMs(double percentile) {
    return ms(whileMigrating, percentile);
  }

  /** Of these, the others; NaN if there were none. */
  synchronized double otherwiseMs(double percentile) {
    decide(moves.running());
    return ms(otherwise, percentile);
  }

  /** The longest wait of a record over the restart, milliseconds. */
  double overRestartMaxMs() {
    return outage.waitedMaxMs();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try {
      timer.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
