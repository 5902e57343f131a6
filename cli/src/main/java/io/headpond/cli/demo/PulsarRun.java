// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.bookkeeper.JournalPlugIn;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.JavaHome;
import io.headpond.bench.pulsar.PulsarReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The Pulsar demo itself: two Pulsars that take turns under the same load; a turn in which the
 * bookie with the fast journal is killed and started again; turns beside which the queues' backlogs
 * are drained; everything compared.
 */
final class PulsarRun implements AutoCloseable {

  private static final long INTERVAL_MS = 250;
  private static final Duration TURN = Duration.ofMillis(2500);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

  /** Far below what two cores can do, so that latency shows the journal and not the load. */
  private static final long BYTES_PER_SECOND = 3L << 20;

  private final PulsarView view;
  private final EngineRelease release;
  private final Duration duration;
  private final boolean fastVolatile;
  private final PulsarSide disk;
  private final PulsarSide fast;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "demo-view");
            thread.setDaemon(true);
            return thread;
          });
  private volatile boolean closed;

  /**
   * @param duration of the turns of both sides together
   */
  PulsarRun(DemoPlace place, PulsarView view, EngineRelease release, Duration duration)
      throws IOException {
    this.view = view;
    this.release = release;
    this.duration = duration;
    this.fastVolatile = place.fastIsVolatile();
    Path home = place.home();
    this.disk =
        new PulsarSide(
            release, home.resolve("disk"), home.resolve("disk/journal"), Optional.empty());
    this.fast =
        new PulsarSide(
            release,
            home.resolve("fast"),
            place.fast().resolve("journal"),
            Optional.of(JournalPlugIn.find()));
  }

  /** Runs it; Ctrl-C ends the JVM, whose hooks clean up. */
  PulsarResult run() throws IOException, InterruptedException {
    try {
      start();
      turns();
      List<PulsarReport> reports = List.of(compare(disk, "disk"), compare(fast, "fast device"));
      timer.shutdownNow();
      view.phase("done");
      view.show(disk, fast);
      return result(reports.get(0), reports.get(1));
    } catch (IOException e) {
      if (closed) {
        // Ctrl-C: the JVM's hook ends everything, and the JVM ends when that has cleaned up.
        new CountDownLatch(1).await();
      }
      view.say(disk.tail());
      view.say(fast.tail());
      throw e;
    }
  }

  private void start() throws IOException, InterruptedException {
    long seed = System.nanoTime();
    timer.scheduleAtFixedRate(this::look, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    view.say("Starting two Pulsars " + release.version() + " ...");
    view.phase("starting ZooKeeper, bookie and broker, journal on disk");
    disk.start(seed, BYTES_PER_SECOND);
    view.phase("starting ZooKeeper, bookie and broker, journal on the fast device");
    fast.start(seed + 1, BYTES_PER_SECOND);
  }

  private void turns() throws IOException, InterruptedException {
    int pairs = (int) Math.max(2, duration.toMillis() / (2 * TURN.toMillis()));
    Duration length = duration.dividedBy(2L * pairs);
    turn(disk, "warming up, journal on disk", false, length);
    turn(fast, "warming up, journal on the fast device", false, length);
    for (int pair = 1; pair <= pairs; pair++) {
      String which = "turn " + pair + " of " + pairs + ", the queue waits: journal on ";
      turn(disk, which + "disk", true, length);
      turn(fast, which + "the fast device", true, length);
      if (pair == (pairs + 1) / 2) {
        killAndRestart(length);
      }
    }
    drain(disk, "disk");
    drain(fast, "the fast device");
  }

  private void turn(PulsarSide side, String phase, boolean counted, Duration length)
      throws IOException, InterruptedException {
    view.phase(phase);
    side.begin(counted);
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
    side.end();
  }

  private void killAndRestart(Duration length) throws IOException, InterruptedException {
    view.phase("a turn with a kill: journal on the fast device");
    fast.begin(false);
    TimeUnit.NANOSECONDS.sleep(length.toNanos() / 2);
    long pid = fast.kill();
    view.say(
        "Killed the bookie with the fast journal (SIGKILL, process "
            + pid
            + "); starting it again ...");
    view.phase("bookie killed; it starts again and replays its journal");
    fast.restart();
    view.phase("the bookie is back; the broker opens new ledgers");
    fast.awaitAcknowledging();
    TimeUnit.NANOSECONDS.sleep(length.toNanos() / 2);
    fast.end();
  }

  /** Publishing goes on until the queue has caught up, so that its backlog is drained beside it. */
  private void drain(PulsarSide side, String where) throws IOException, InterruptedException {
    view.phase("the queue's backlog is drained beside publishing: journal on " + where);
    side.begin(false);
    side.load().openQueue();
    long limit = System.nanoTime() + DRAIN_LIMIT.toNanos();
    while (!side.caughtUp() && System.nanoTime() < limit) {
      Thread.sleep(20);
    }
    side.end();
    side.load().awaitConsumed();
    side.awaitDrained();
  }

  private PulsarReport compare(PulsarSide side, String where)
      throws IOException, InterruptedException {
    view.phase("comparing every acknowledged message: journal on " + where);
    PulsarReport report = side.verify();
    report.examples().forEach(view::say);
    side.figures().errors().forEach(view::say);
    return report;
  }

  private void look() {
    try {
      disk.look();
      fast.look();
      view.show(disk, fast);
    } catch (IOException e) {
      // The thread that runs the demo meets it too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private PulsarResult result(PulsarReport onDisk, PulsarReport onFast) {
    return new PulsarResult(
        "pulsar",
        release.version(),
        JavaHome.current().feature(),
        true,
        onDisk.acknowledged() + onFast.acknowledged(),
        onDisk.verified() + onFast.verified(),
        onDisk.lost() + onFast.lost(),
        onDisk.corrupt() + onFast.corrupt(),
        onDisk.copies() + onFast.copies(),
        onDisk.streamMissing() + onFast.streamMissing(),
        onDisk.streamDisordered() + onFast.streamDisordered(),
        onDisk.queueMissing() + onFast.queueMissing(),
        onDisk.redelivered() + onFast.redelivered(),
        1,
        fast.outage().toMillis(),
        fastVolatile,
        fast.journalBytes(),
        fast.backlogMax(),
        fast.seconds(),
        fast.mbPerS(),
        fast.latencyMs(50),
        fast.latencyMs(99),
        fast.overRestartMaxMs(),
        disk.seconds(),
        disk.mbPerS(),
        disk.latencyMs(50),
        disk.latencyMs(99));
  }

  /** Kills what lives, and waits until it is gone. */
  @Override
  public void close() throws IOException {
    closed = true;
    timer.shutdownNow();
    disk.close();
    fast.close();
  }
}
