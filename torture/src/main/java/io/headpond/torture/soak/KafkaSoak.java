// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.kafka.Follower;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.process.Mount;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** A soak of Kafka: each lap writes new topics, in bursts and steadily. */
final class KafkaSoak extends Soak<KafkaSoakEvent, VerificationReport> {
  private static final int BURST_RECORDS = 16_000;
  private static final int PASSING_RECORDS = 6_000;

  private static final Duration CALM_LAP = Duration.ofMinutes(5);

  /** The memory is for heap, code and buffers. */
  private static final Footprint LIMIT = new Footprint(1L << 30, 600, 1500);

  /** A segment is open, and so may its indexes be; these are mapped too. */
  private static final int PER_SEGMENT = 4;

  private static final int DRAIN_MILLIS_MAX = 2500;

  private final Optional<Mount> device;
  private final SoakedBroker broker;
  private SoakLoad load;

  /**
   * @param device of the fast tier for itself, if it may be filled
   * @param random of events and settings
   */
  KafkaSoak(SoakedBroker broker, Optional<Mount> device, long seed, Random random, SoakView view) {
    super(
        SoakedEngine.KAFKA,
        broker,
        view,
        seed,
        random,
        new SoakTally<>(KafkaSoakEvent.class, VerificationReport.EMPTY, LIMIT, PER_SEGMENT));
    this.broker = broker;
    this.device = device;
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
    KafkaSoakEvent event = KafkaSoakEvent.any(random, calm, device.isPresent());
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
  long files() throws IOException {
    return broker.segments();
  }

  @Override
  SoakResult.Records records() {
    VerificationReport all = tally.all();
    return new SoakResult.Records(
        all.acknowledged(),
        all.verified(),
        all.superseded(),
        all.lost(),
        all.corrupt() + all.duplicates() + all.abortedSeen(),
        all.clean());
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
