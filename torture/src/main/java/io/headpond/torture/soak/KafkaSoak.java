// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.kafka.Follower;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.store.facts.Count;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** A soak of Kafka: each lap writes new topics, in bursts and steadily. */
final class KafkaSoak extends Soak<VerificationReport, KafkaSoakTally> {
  private static final int BURST_RECORDS = 16_000;
  private static final int PASSING_RECORDS = 6_000;

  private static final Duration CALM_LAP = Duration.ofMinutes(5);

  /** The time that home is full, at most. */
  private static final Duration FULL = Duration.ofSeconds(3);

  private static final int FULL_RECORDS = 1_000;
  private static final long FULL_BYTES = 16 << 20;
  private static final long HOME_LEFT_BYTES = 2 << 20;

  /** The time in which a tier gets as empty as its threshold says. */
  private static final Duration MIGRATION = Duration.ofSeconds(30);

  private static final int DRAIN_MILLIS_MAX = 2500;

  private final SoakPlace place;
  private final long seed;
  private final SoakedBroker broker;
  private SoakLoad load;

  /**
   * @param place what of it has a file system for itself may be filled
   * @param random of events and settings
   */
  KafkaSoak(SoakedBroker broker, SoakPlace place, long seed, Random random, SoakView view) {
    super(SoakedEngine.KAFKA, broker, view, random, new KafkaSoakTally());
    this.broker = broker;
    this.place = place;
    this.seed = seed;
  }

  /** Until the time is over, or something is wrong. */
  KafkaSoakResult run() throws IOException, InterruptedException {
    view.line("starting Kafka " + start());
    laps();
    long overflow =
        broker.counted(Count.OVERFLOW_SEGMENTS) + broker.counted(Count.EVACUATED_SEGMENTS);
    long[] moves = {
      broker.counted(Count.DOWN_SEGMENTS), broker.counted(Count.UP_SEGMENTS), overflow
    };
    return KafkaSoakResult.of(seed, view.time().toSeconds(), tally, moves, place.devices());
  }

  @Override
  void lap() throws IOException, InterruptedException {
    load = new SoakLoad(broker.node(), tally.laps, seed);
    try {
      load.startSteady();
      events(this::any);
      view.progress("waiting for the last acknowledgements");
      load.stop();
      compareAndLeave();
    } finally {
      load.close();
    }
  }

  private void any(boolean calm) throws IOException, InterruptedException {
    KafkaSoakEvent event = KafkaSoakEvent.any(random, calm, place.devices());
    if (event == KafkaSoakEvent.FULL_HOME && !await(MIGRATION, this::fastHasRoom)) {
      view.line("lap " + tally.laps + ": home isn't filled, for the fast tier is full as well");
      return;
    }
    String more = happen(event);
    tally.happened(event);
    sample();
    view.line(
        String.format(
            "lap %d: %s%s; %,d records acknowledged in this lap; %s",
            tally.laps, event.words(), more, load.acknowledged(), broker.footprint().text()));
  }

  private String happen(KafkaSoakEvent event) throws IOException, InterruptedException {
    return switch (event) {
      case BURST -> burst();
      case FULL_DEVICE -> fullDevice();
      case FULL_HOME -> fullHome();
      case READ_ALL -> readAll();
      case DELETED_TOPIC -> {
        tally.foundForGood(load.passingTopic(PASSING_RECORDS));
        yield "";
      }
      case KILL -> endInABurst(false);
      case KILL_IN_A_MOVE -> endInABurst(true);
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
    FullDevice full = new FullDevice(place.device().orElseThrow().folder(), 0);
    try {
      return burst();
    } finally {
      full.close();
    }
  }

  /** For what comes while home is full. */
  private boolean fastHasRoom() throws IOException {
    return broker.fastBytes() <= SoakedBroker.FAST_BYTES - FULL_BYTES;
  }

  /** The fast tier has room for what comes meanwhile; the engine's own files need the ballast. */
  private String fullHome() throws IOException, InterruptedException {
    long goal = load.acknowledged() + FULL_RECORDS;
    FullDevice full = new FullDevice(place.limitedHome().orElseThrow(), HOME_LEFT_BYTES);
    try {
      boolean went = await(FULL, () -> load.acknowledged() >= goal);
      return went ? "" : " (appends waited)";
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

  private String endInABurst(boolean inAMove) throws IOException, InterruptedException {
    long before = load.burstsAnswered();
    load.burst(BURST_RECORDS);
    long some = before + 1 + random.nextInt(BURST_RECORDS);
    await("a burst", PATIENCE, () -> load.burstsAnswered() >= some);
    return kill(inAMove, () -> burstEnds(before + BURST_RECORDS), "the burst ended");
  }

  private String restart() throws IOException, InterruptedException {
    long end = load.burstsAnswered() + BURST_RECORDS;
    load.burst(BURST_RECORDS);
    broker.stop();
    String drawn = start();
    burstEnds(end);
    return "; on with " + drawn;
  }

  /** With Headpond at rest, with vanilla Kafka, and with vanilla Kafka when Headpond has left. */
  private void compareAndLeave() throws IOException, InterruptedException {
    broker.stop();
    starting();
    broker.startAtRest();
    compare("with Headpond");
    await("unfinished moves to be put away", PATIENCE, () -> !broker.copying());
    sample();
    compareUnmodified();
    broker.stop();
    VerificationReport all = tally.all();
    tally.lapEnds();
    view.line(
        String.format(
            "lap %d ends: %,d records compared with Headpond, with vanilla Kafka and after a drain;"
                + " so far %d lost, %d corrupt",
            tally.laps, load.acknowledged(), all.lost(), all.corrupt() + all.duplicates()));
    if (!view.over() && !tally.bad()) {
      start();
      load.delete();
    }
  }

  @Override
  VerificationReport read() throws IOException {
    return load.verify();
  }

  @Override
  void drain() throws IOException, InterruptedException {
    drainTo(DRAIN_MILLIS_MAX);
  }

  @Override
  Duration calmLap() {
    return CALM_LAP;
  }

  @Override
  void holds(Footprint now) throws IOException {
    tally.holds(now, broker.segments());
  }

  @Override
  String position() {
    return String.format("%,d records acknowledged", load.acknowledged());
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
              + broker.tail());
    }
  }

  /** Any thread: the broker is killed, and nothing starts again. */
  @Override
  public void close() {
    broker.close();
  }
}
