// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.demo.DemoPlace;
import io.headpond.harness.kafka.Follower;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.process.Mount;
import io.headpond.store.Count;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/**
 * A soak of Kafka, lap after lap: new topics, events by chance while they are written, then
 * everything is compared with Headpond, with vanilla Kafka on the same files, and with vanilla
 * Kafka after a drain. One thread, but {@link #close}.
 */
final class KafkaSoak implements Closeable {
  private static final int EVENTS_PER_LAP = 10;
  private static final int BURST_RECORDS = 16_000;
  private static final int PASSING_RECORDS = 6_000;

  /** One of so many laps leaves the process running. */
  private static final int CALM_LAPS = 3;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The time that a kill waits for a segment that is copied. */
  private static final Duration MOVE_AWAITED = Duration.ofSeconds(8);

  private static final int DRAIN_MILLIS_MIN = 300;
  private static final int DRAIN_MILLIS_MAX = 2500;
  private static final long POLL_MILLIS = 20;
  private static final long STEP_NANOS_MAX = 1_000_000_000;

  private final Optional<Mount> device;
  private final SoakView view;
  private final long seed;
  private final Random random;
  private final KafkaSoakTally tally = new KafkaSoakTally();
  private final SoakedBroker broker;
  private SoakLoad load;

  /** A condition that may hold for some time. */
  private interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /**
   * @param fast the fast tier's directory
   * @param device that the fast tier has for itself, if it may be filled
   */
  KafkaSoak(DemoPlace place, Path fast, Optional<Mount> device, long seed, SoakView view)
      throws IOException, InterruptedException {
    this.device = device;
    this.view = view;
    this.seed = seed;
    random = new Random(seed);
    broker = new SoakedBroker(place, fast, random);
  }

  /** Until the time is over, or something is wrong. */
  KafkaSoakResult run() throws IOException, InterruptedException {
    view.line("starting Kafka " + start(true));
    do {
      lap();
    } while (!view.over() && !tally.bad());
    long overflow =
        broker.counted(Count.OVERFLOW_SEGMENTS) + broker.counted(Count.EVACUATED_SEGMENTS);
    long[] moves = {
      broker.counted(Count.DOWN_SEGMENTS), broker.counted(Count.UP_SEGMENTS), overflow
    };
    return KafkaSoakResult.of(seed, view.time().toSeconds(), tally, moves, device.isPresent());
  }

  private String start(boolean moves) throws IOException, InterruptedException {
    view.progress("starting the broker");
    tally.starts++;
    return broker.start(moves);
  }

  private void lap() throws IOException, InterruptedException {
    tally.laps++;
    boolean calm = random.nextInt(CALM_LAPS) == 0;
    load = new SoakLoad(broker.node(), tally.laps, seed);
    try {
      load.startSteady();
      for (int i = 0; i < EVENTS_PER_LAP && !view.over() && !tally.bad(); i++) {
        KafkaSoakEvent event = KafkaSoakEvent.any(random, calm, device.isPresent());
        String more = happen(event);
        tally.happened(event);
        tally.holds(Footprint.of(broker.node().pid()), broker.segments());
        view.line(
            String.format(
                "lap %d: %s%s; %,d records acknowledged in this lap",
                tally.laps, event.words(), more, load.acknowledged()));
      }
      view.progress("waiting for the last acknowledgements");
      load.stop();
      compareAndLeave();
    } finally {
      load.close();
    }
  }

  private String happen(KafkaSoakEvent event) throws IOException, InterruptedException {
    return switch (event) {
      case BURST -> burst();
      case FULL_DEVICE -> fullDevice();
      case READ_ALL -> readAll();
      case DELETED_TOPIC -> {
        tally.foundForGood(load.passingTopic(PASSING_RECORDS));
        yield "";
      }
      case KILL -> endInABurst(() -> true);
      case KILL_IN_A_MOVE -> endInABurst(broker::copying);
      case RESTART -> restart();
    };
  }

  private String burst() throws IOException, InterruptedException {
    long end = load.burstsAnswered() + BURST_RECORDS;
    load.burst(BURST_RECORDS);
    burstEnds(end);
    return "";
  }

  private void burstEnds(long end) throws IOException, InterruptedException {
    await("a burst", PATIENCE, () -> load.burstsAnswered() >= end);
    load.bursts().await();
  }

  private String fullDevice() throws IOException, InterruptedException {
    FullDevice full = new FullDevice(device.orElseThrow().folder());
    try {
      return burst();
    } finally {
      full.close();
    }
  }

  private String readAll() throws IOException, InterruptedException {
    long written = load.bursts().acknowledgedRecords();
    try (Follower reader = new Follower(load.bursts())) {
      await(
          "reading everything",
          PATIENCE,
          () -> reader.whole() + reader.corrupt() >= written || !reader.error().isEmpty());
      if (reader.corrupt() > 0 || !reader.error().isEmpty()) {
        throw new IOException(
            "a consumer read " + reader.corrupt() + " corrupt records " + reader.error());
      }
      tally.compared += reader.whole();
      return String.format(": %,d", reader.whole());
    }
  }

  private String endInABurst(Condition moment) throws IOException, InterruptedException {
    long before = load.burstsAnswered();
    load.burst(BURST_RECORDS);
    long some = before + 1 + random.nextInt(BURST_RECORDS);
    await("a burst", PATIENCE, () -> load.burstsAnswered() >= some);
    boolean met = await(MOVE_AWAITED, moment);
    broker.kill();
    long killed = System.nanoTime();
    String drawn = start(true);
    burstEnds(before + BURST_RECORDS);
    Duration outage = Duration.ofNanos(System.nanoTime() - killed);
    return (met ? "" : " (none was)")
        + "; on with "
        + drawn
        + "; the burst ended "
        + outage.toSeconds()
        + " s later";
  }

  private String restart() throws IOException, InterruptedException {
    long end = load.burstsAnswered() + BURST_RECORDS;
    load.burst(BURST_RECORDS);
    broker.stop();
    String drawn = start(true);
    burstEnds(end);
    return "; on with " + drawn;
  }

  /** With Headpond at rest, with vanilla Kafka, and with vanilla Kafka when Headpond has left. */
  private void compareAndLeave() throws IOException, InterruptedException {
    broker.stop();
    start(false);
    compare("with Headpond");
    await("unfinished moves to be put away", PATIENCE, () -> !broker.copying());
    tally.holds(Footprint.of(broker.node().pid()), broker.segments());
    broker.stop();
    broker.headpond("verify");
    startVanilla();
    compare("with vanilla Kafka");
    broker.stop();
    drain();
    startVanilla();
    compare("with vanilla Kafka after a drain");
    broker.stop();
    VerificationReport all = tally.all();
    tally.lapEnds();
    view.line(
        String.format(
            "lap %d ends: %,d records compared with Headpond, with vanilla Kafka and after a drain;"
                + " so far %d lost, %d corrupt",
            tally.laps, load.acknowledged(), all.lost(), all.corrupt() + all.duplicates()));
    if (!view.over() && !tally.bad()) {
      start(true);
      load.delete();
    }
  }

  private void startVanilla() throws IOException, InterruptedException {
    view.progress("starting vanilla Kafka");
    tally.vanillaStarts++;
    broker.startVanilla();
  }

  private void compare(String by) throws IOException {
    view.progress("reading and comparing everything " + by);
    VerificationReport report = load.verify();
    tally.found(report);
    report.examples().forEach(example -> view.line(by + ": " + example));
    if (tally.bad()) {
      throw new IOException(by + ", records are lost or altered: " + report);
    }
  }

  private void drain() throws IOException, InterruptedException {
    view.progress("draining");
    if (random.nextBoolean()
        && broker.headpondKilledAfter(
            "drain", random.nextInt(DRAIN_MILLIS_MIN, DRAIN_MILLIS_MAX))) {
      tally.drainsKilled++;
    }
    broker.headpond("drain");
    tally.drains++;
  }

  private void await(String what, Duration limit, Condition condition)
      throws IOException, InterruptedException {
    if (!await(limit, condition)) {
      throw new IOException(
          what
              + " took more than "
              + limit.toMinutes()
              + " min; producers: "
              + load.errors()
              + "\n"
              + broker.node().tail());
    }
  }

  private boolean await(Duration limit, Condition condition)
      throws IOException, InterruptedException {
    long left = limit.toNanos();
    long last = System.nanoTime();
    while (!condition.holds()) {
      // A machine that slept in between hasn't taken long.
      left -= Math.min(System.nanoTime() - last, STEP_NANOS_MAX);
      last = System.nanoTime();
      if (left < 0) {
        return false;
      }
      if (!broker.node().running()) {
        throw new IOException("the broker ended by itself\n" + broker.node().tail());
      }
      view.progress(
          String.format("lap %d, %,d records acknowledged", tally.laps, load.acknowledged()));
      Thread.sleep(POLL_MILLIS);
    }
    return true;
  }

  /** Any thread: the broker is killed, and nothing starts again. */
  @Override
  public void close() {
    broker.close();
  }
}
