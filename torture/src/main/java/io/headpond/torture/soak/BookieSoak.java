// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.Units;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.Mount;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/**
 * A soak of a bookie, lap after lap: events by chance while it is written to, then everything is
 * compared with Headpond, with the unmodified bookie on the same files, and with the unmodified
 * bookie after a drain. One thread, but {@link #close}.
 */
final class BookieSoak implements Closeable {
  private static final int EVENTS_PER_LAP = 10;

  /** Entries or messages that an event goes on for: some seconds. */
  private static final int ENTRIES = 16_000;

  /** One of so many laps leaves the processes running, and goes on for longer. */
  private static final int CALM_LAPS = 3;

  private static final Duration CALM_LAP = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The time that a device is full, at most. */
  private static final Duration FULL = Duration.ofSeconds(5);

  /** The time that a kill waits for an entry log that is copied. */
  private static final Duration MOVE_AWAITED = Duration.ofSeconds(8);

  private static final int DRAIN_MILLIS_MIN = 300;
  private static final int DRAIN_MILLIS_MAX = 1500;
  private static final long POLL_MILLIS = 50;
  private static final long SAMPLE_NANOS = 1_000_000_000;
  private static final long STEP_NANOS_MAX = 1_000_000_000;

  private final String engine;
  private final BookieClients clients;
  private final SoakedBookie bookie;
  private final Optional<Mount> device;
  private final SoakView view;
  private final long seed;
  private final Random random;
  private final BookieSoakTally tally = new BookieSoakTally();
  private Growth growth = new Growth();
  private long sampledNanos;

  /** A condition that may hold for some time. */
  private interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /**
   * @param engine as the result names it
   * @param device of the fast directory for itself, if it may be filled
   * @param random of events and settings
   */
  BookieSoak(
      String engine,
      BookieClients clients,
      Optional<Mount> device,
      long seed,
      Random random,
      SoakView view) {
    this.engine = engine;
    this.clients = clients;
    this.bookie = clients.bookie();
    this.device = device;
    this.view = view;
    this.seed = seed;
    this.random = random;
  }

  /** Until the time is over, or something is wrong. */
  BookieSoakResult run() throws IOException, InterruptedException {
    view.progress("making the metadata");
    clients.prepare();
    view.line("starting the bookie: " + start());
    do {
      lap();
    } while (!view.over() && !tally.bad());
    return BookieSoakResult.of(
        engine,
        seed,
        view.time().toSeconds(),
        tally,
        device.isPresent(),
        clients.broker().isPresent());
  }

  private String start() throws IOException, InterruptedException {
    view.progress("starting the bookie");
    tally.starts++;
    return bookie.start();
  }

  private void lap() throws IOException, InterruptedException {
    tally.laps++;
    boolean calm = tally.laps % CALM_LAPS == CALM_LAPS - 1;
    growth = new Growth();
    clients.begin(tally.laps);
    clients.write();
    Duration end = view.time().plus(CALM_LAP);
    for (int i = 0;
        (calm ? view.time().compareTo(end) < 0 : i < EVENTS_PER_LAP) && !view.over();
        i++) {
      BookieSoakEvent event =
          BookieSoakEvent.any(random, calm, device.isPresent(), clients.broker().isPresent());
      String more = happen(event);
      tally.happened(event);
      view.line(
          String.format(
              "lap %d: %s%s; %,d acknowledged in this lap; %s",
              tally.laps, event.words(), more, clients.acknowledged(), footprint()));
    }
    view.progress("waiting for the last acknowledgements");
    clients.pause();
    if (calm) {
      calmLapEnds();
    }
    compareAndLeave();
  }

  private void calmLapEnds() {
    tally.calmLaps++;
    tally.grew(growth);
    if (growth.known()) {
      view.line(
          String.format(
              "lap %d: memory grew by %,d KiB from its middle third to its last",
              tally.laps, growth.bytes() >> 10));
    }
  }

  private String footprint() throws IOException {
    Footprint now = bookie.footprint();
    return String.format(
        "%s resident, %d descriptors, %d mappings, %d logs at home, %d on the fast device",
        Units.bytes(now.memoryBytes()),
        now.descriptors(),
        now.mappings(),
        bookie.logs(false),
        bookie.logs(true));
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
        tally.deleted += entries;
        clients.write();
        written(ENTRIES);
        return String.format(": %,d entries", entries);
      }
      case KILL -> {
        return killedInWriting(() -> true);
      }
      case KILL_IN_A_MOVE -> {
        return killedInWriting(bookie::copying);
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
    return killed(() -> true);
  }

  private String killedInWriting(Condition moment) throws IOException, InterruptedException {
    written(random.nextInt(ENTRIES));
    return killed(moment);
  }

  private String killed(Condition moment) throws IOException, InterruptedException {
    boolean met = await(MOVE_AWAITED, moment);
    bookie.kill();
    long killed = System.nanoTime();
    String drawn = start();
    written(1);
    Duration outage = Duration.ofNanos(System.nanoTime() - killed);
    return (met ? "" : " (none was)")
        + "; on with "
        + drawn
        + "; acknowledging again "
        + outage.toSeconds()
        + " s later";
  }

  /** Until so many more are acknowledged. */
  private void written(long entries) throws IOException, InterruptedException {
    long goal = clients.acknowledged() + entries;
    if (!await(PATIENCE, () -> clients.acknowledged() >= goal)) {
      throw new IOException(
          entries
              + " entries took more than "
              + PATIENCE.toMinutes()
              + " min\n"
              + bookie.node().server().tail());
    }
  }

  /** With Headpond at rest, with the unmodified bookie, and with that when Headpond has left. */
  private void compareAndLeave() throws IOException, InterruptedException {
    long acknowledged = clients.acknowledged();
    if (random.nextBoolean()) {
      bookie.kill();
    } else {
      bookie.stop();
    }
    start();
    compare("with Headpond");
    sample();
    tally.logsAtHome += bookie.logs(false);
    tally.logsOnFast += bookie.logs(true);
    bookie.stop();
    bookie.headpond("verify");
    startVanilla();
    compare("with the unmodified bookie");
    bookie.stop();
    drain();
    startVanilla();
    ContentReport last = compare("with the unmodified bookie after a drain");
    tally.acknowledged += acknowledged;
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

  private void startVanilla() throws IOException, InterruptedException {
    view.progress("starting the unmodified bookie");
    tally.vanillaStarts++;
    bookie.startVanilla();
  }

  private ContentReport compare(String when) throws IOException, InterruptedException {
    view.progress("reading and comparing everything " + when);
    ContentReport report = clients.compare();
    tally.found(report);
    report.examples().forEach(example -> view.line(when + ": " + example));
    if (tally.bad()) {
      throw new IOException(when + ", entries are lost or altered: " + report);
    }
    return report;
  }

  private void drain() throws IOException, InterruptedException {
    view.progress("draining");
    if (random.nextBoolean()
        && bookie.headpondKilledAfter(
            "drain", random.nextInt(DRAIN_MILLIS_MIN, DRAIN_MILLIS_MAX))) {
      tally.drainsKilled++;
    }
    bookie.headpond("drain");
    tally.drains++;
    if (bookie.logs(true) > 0) {
      throw new IOException("a drain has left " + bookie.logs(true) + " logs");
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
      if (!bookie.node().server().running()) {
        throw new IOException("the bookie ended by itself\n" + bookie.node().server().tail());
      }
      if (last - sampledNanos > SAMPLE_NANOS) {
        sampledNanos = last;
        sample();
        view.progress(
            String.format("lap %d, %,d acknowledged", tally.laps, clients.acknowledged()));
      }
      Thread.sleep(POLL_MILLIS);
    }
    return true;
  }

  private void sample() throws IOException {
    Footprint now = bookie.footprint();
    growth.add(now.memoryBytes());
    tally.holds(now, bookie.logs(false) + bookie.logs(true));
    if (clients.broker().isPresent()) {
      tally.brokerHolds(Footprint.of(clients.broker().get().server().pid()));
    }
  }

  /** Any thread: the processes are killed, and nothing starts again. */
  @Override
  public void close() {
    clients.close();
  }
}
