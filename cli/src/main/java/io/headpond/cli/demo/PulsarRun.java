// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The Pulsar demo itself: the turns of two Pulsars, the last ones beside queues whose backlogs are
 * drained. Everything is compared.
 */
final class PulsarRun implements JournalRun<PulsarResult> {

  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

  /** Far below what two cores can do, so that latency shows the journal and not the load. */
  private static final long BYTES_PER_SECOND = 3L << 20;

  private final EngineRelease release;
  private final Duration duration;
  private final boolean fastVolatile;
  private final PulsarSide disk;
  private final PulsarSide fast;
  private final JournalView<PulsarSide> view;
  private final JournalTurns<PulsarSide> turns;

  /**
   * @param duration of the turns of both sides together
   */
  PulsarRun(DemoPlace place, LiveBlock screen, EngineRelease release, Duration duration)
      throws IOException {
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
    this.view = new JournalView<>(screen, place, new PulsarColumns());
    this.turns = new JournalTurns<>(view, disk, fast);
  }

  @Override
  public PulsarResult run() throws IOException, InterruptedException {
    return turns.run(this::script);
  }

  private PulsarResult script() throws IOException, InterruptedException {
    start();
    turns.take(duration, PulsarJournals.WORDS);
    drain(disk, "disk");
    drain(fast, "the fast device");
    PulsarReport onDisk = compare(disk, "disk");
    PulsarReport onFast = compare(fast, "fast device");
    view.phase("done");
    return result(onDisk, onFast);
  }

  private void start() throws IOException, InterruptedException {
    long seed = System.nanoTime();
    turns.watch();
    view.say("Starting two Pulsars " + release.version() + " ...");
    view.phase("starting ZooKeeper, bookie and broker, journal on disk");
    disk.start(seed, BYTES_PER_SECOND);
    view.phase("starting ZooKeeper, bookie and broker, journal on the fast device");
    fast.start(seed + 1, BYTES_PER_SECOND);
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

  private PulsarResult result(PulsarReport onDisk, PulsarReport onFast) throws IOException {
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
        onDisk.disordered() + onFast.disordered(),
        onDisk.streamMissing() + onFast.streamMissing(),
        onDisk.streamDisordered() + onFast.streamDisordered(),
        onDisk.queueMissing() + onFast.queueMissing(),
        onDisk.redelivered() + onFast.redelivered(),
        1,
        fast.seen().outage().length().toMillis(),
        fastVolatile,
        fast.journalBytes(),
        fast.backlogMax(),
        JournalFigures.of(fast.seen(), disk.seen()));
  }

  @Override
  public void close() throws IOException {
    turns.close();
  }
}
