// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.Mount;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A soak of a bookie, which is written to by BookKeeper's client or a Pulsar broker all the time.
 */
final class BookieSoak extends Soak<BookieSoakEvent, ContentReport> {
  /** Entries or messages that an event goes on for: some seconds. */
  private static final int ENTRIES = 16_000;

  private static final Duration CALM_LAP = Duration.ofMinutes(10);

  /** The time that a device is full, at most. */
  private static final Duration FULL = Duration.ofSeconds(5);

  private static final int DRAIN_MILLIS_MAX = 1500;

  /** The memory is for heap, direct buffers, code and RocksDB. */
  private static final Footprint LIMIT = new Footprint(3L << 29, 500, 1500);

  /** A log is open once for reading, and once while it is moved or scanned. */
  private static final int PER_LOG = 2;

  private final BookieClients clients;
  private final SoakedBookie bookie;
  private final Optional<Mount> device;
  private long acknowledged;
  private long deleted;

  /**
   * @param engine a bookie alone, or one below a broker
   * @param device of the fast directory for itself, if it may be filled
   * @param random of events and settings
   */
  BookieSoak(
      SoakedEngine engine,
      BookieClients clients,
      Optional<Mount> device,
      long seed,
      Random random,
      SoakView view) {
    super(
        engine,
        clients.bookie(),
        view,
        seed,
        random,
        new SoakTally<>(
            BookieSoakEvent.class, new ContentReport(0, 0, 0, 0, 0, List.of()), LIMIT, PER_LOG));
    this.clients = clients;
    this.bookie = clients.bookie();
    this.device = device;
  }

  @Override
  void prepare() throws IOException, InterruptedException {
    view.progress("making the metadata");
    clients.prepare();
  }

  @Override
  void lap() throws IOException, InterruptedException {
    clients.begin(tally.laps);
    clients.write();
    events(this::any);
    view.progress("waiting for the last acknowledgements");
    clients.pause();
    compareAndLeave();
  }

  private void any(boolean calm) throws IOException, InterruptedException {
    BookieSoakEvent event =
        BookieSoakEvent.any(random, calm, device.isPresent(), clients.broker().isPresent());
    String more = happen(event);
    tally.happened(event);
    view.line(
        String.format(
            "lap %d: %s%s; %,d acknowledged in this lap; %s",
            tally.laps, event.words(), more, clients.acknowledged(), footprint()));
  }

  private String footprint() throws IOException {
    Footprint now = bookie.footprint();
    return String.format(
        "%s, %d logs at home, %d on the fast device",
        now.text(), bookie.logs(false), bookie.logs(true));
  }

  private String happen(BookieSoakEvent event) throws IOException, InterruptedException {
    switch (event) {
      case WRITING -> written(ENTRIES);
      case FULL_DEVICE -> {
        return fullDevice();
      }
      case READ_ALL -> {
        clients.pause();
        compare("between the writing");
        clients.write();
      }
      case DELETION -> {
        clients.pause();
        long entries = clients.deleteHalf();
        deleted += entries;
        clients.write();
        written(ENTRIES);
        return String.format(": %,d entries", entries);
      }
      case KILL -> {
        return killedInWriting(false);
      }
      case KILL_IN_A_MOVE -> {
        return killedInWriting(true);
      }
      case RESTART -> {
        written(random.nextInt(ENTRIES));
        bookie.stop();
        String drawn = start();
        written(ENTRIES);
        return "; on with " + drawn;
      }
      case BROKER_KILL -> {
        written(random.nextInt(ENTRIES));
        clients.broker().orElseThrow().kill();
        clients.broker().orElseThrow().start();
        written(ENTRIES);
      }
      case BROKER_RESTART -> {
        written(random.nextInt(ENTRIES));
        clients.broker().orElseThrow().stop();
        clients.broker().orElseThrow().start();
        written(ENTRIES);
      }
    }
    return "";
  }

  /**
   * Until there isn't a free byte in the middle of a log. No flush succeeds then until the bookie
   * was restarted with room; it is what an operator does.
   */
  private String fullDevice() throws IOException, InterruptedException {
    long goal = clients.acknowledged() + ENTRIES;
    FullDevice full = new FullDevice(device.orElseThrow().folder());
    try {
      await(FULL, () -> clients.acknowledged() >= goal);
    } finally {
      full.close();
    }
    return kill(false);
  }

  private String killedInWriting(boolean inAMove) throws IOException, InterruptedException {
    written(random.nextInt(ENTRIES));
    return kill(inAMove);
  }

  private String kill(boolean inAMove) throws IOException, InterruptedException {
    return kill(inAMove, () -> written(1), "acknowledging again");
  }

  /** Until so many more are acknowledged. */
  private void written(long entries) throws IOException, InterruptedException {
    long goal = clients.acknowledged() + entries;
    if (!await(PATIENCE, () -> clients.acknowledged() >= goal)) {
      throw new IOException(
          entries + " entries took more than " + PATIENCE.toMinutes() + " min\n" + bookie.tail());
    }
  }

  /** With Headpond at rest, with the unmodified bookie, and with that when Headpond has left. */
  private void compareAndLeave() throws IOException, InterruptedException {
    acknowledged += clients.acknowledged();
    if (random.nextBoolean()) {
      bookie.kill();
    } else {
      bookie.stop();
    }
    start();
    compare("with Headpond");
    sample();
    ContentReport last = compareUnmodified();
    tally.lapEnds();
    view.line(
        String.format(
            "lap %d ends: %,d entries compared with Headpond, with the unmodified bookie and after"
                + " a drain",
            tally.laps, last.verified()));
    if (!view.over()) {
      bookie.stop();
      start();
      clients.end();
    }
  }

  @Override
  ContentReport read() throws IOException, InterruptedException {
    return clients.compare();
  }

  @Override
  void drain() throws IOException, InterruptedException {
    drainTo(DRAIN_MILLIS_MAX);
    if (bookie.logs(true) > 0) {
      throw new IOException("a drain has left " + bookie.logs(true) + " logs");
    }
  }

  @Override
  Duration calmLap() {
    return CALM_LAP;
  }

  @Override
  long files() throws IOException {
    return bookie.logs(false) + bookie.logs(true);
  }

  @Override
  SoakResult.Records records() {
    ContentReport all = tally.all();
    return new SoakResult.Records(
        acknowledged, all.verified(), deleted, all.lost(), all.corrupt(), all.clean());
  }

  @Override
  String position() throws IOException, InterruptedException {
    return String.format("%,d acknowledged", clients.acknowledged());
  }

  /** Any thread: the processes are killed, and nothing starts again. */
  @Override
  public void close() {
    clients.close();
  }
}
