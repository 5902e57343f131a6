// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.Findings;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * The course of a soak: lap after lap, events by chance while the server is written to, then
 * everything is compared with Headpond, with the unmodified server on the same files, and with the
 * unmodified server after a drain. One thread, but {@link #close}.
 *
 * @param <E> the events that happen
 * @param <F> the findings of a comparison
 */
abstract class Soak<E extends Enum<E>, F extends Findings<F>> implements Closeable {
  private static final int EVENTS_PER_LAP = 10;

  /** One of so many laps leaves every process running. */
  private static final int CALM_LAPS = 3;

  static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The time that a kill waits for a file that is copied. */
  private static final Duration MOVE_AWAITED = Duration.ofSeconds(8);

  private static final int DRAIN_MILLIS_MIN = 300;
  private static final long STEP_NANOS_MAX = 1_000_000_000;
  private static final long SAMPLE_NANOS = 1_000_000_000;
  private static final long POLL_MILLIS = 50;

  final SoakedEngine engine;
  final SoakView view;
  final Random random;
  final SoakTally<E, F> tally;
  final long seed;
  private final SoakedServer server;
  private Growth growth = new Growth();
  private long sampledNanos;

  /** An event of a lap. */
  interface Event {
    /**
     * @param calm it must leave every process running
     */
    void happen(boolean calm) throws IOException, InterruptedException;
  }

  /** A condition that may hold for some time. */
  interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /** The writing that shows that a server is there again. */
  interface Writing {
    void goesOn() throws IOException, InterruptedException;
  }

  /**
   * @param random of events and settings, from the seed
   */
  Soak(
      SoakedEngine engine,
      SoakedServer server,
      SoakView view,
      long seed,
      Random random,
      SoakTally<E, F> tally) {
    this.engine = engine;
    this.seed = seed;
    this.server = server;
    this.view = view;
    this.random = random;
    this.tally = tally;
  }

  /** One lap. */
  abstract void lap() throws IOException, InterruptedException;

  /** Reads all that this lap has written and compares it. */
  abstract F read() throws IOException, InterruptedException;

  /** Leaves the tiers by a drain, with the server ended. */
  abstract void drain() throws IOException, InterruptedException;

  /** The length of a lap that leaves every process running. */
  abstract Duration calmLap();

  /** The number of files that the server may hold open. */
  abstract long files() throws IOException;

  /** The records of all laps. */
  abstract SoakResult.Records records();

  /** Progress of the lap, in words. */
  abstract String position() throws IOException, InterruptedException;

  /** The events of a lap, one after the other. */
  final void events(Event event) throws IOException, InterruptedException {
    boolean calm = tally.laps % CALM_LAPS == CALM_LAPS - 1;
    growth = new Growth();
    Duration end = view.time().plus(calmLap());
    for (int i = 0;
        (calm ? view.time().compareTo(end) < 0 : i < EVENTS_PER_LAP)
            && !view.over()
            && !tally.bad();
        i++) {
      event.happen(calm);
    }
    if (calm) {
      tellGrowth();
    }
  }

  private void tellGrowth() {
    tally.grew(growth);
    if (growth.known()) {
      view.line(
          String.format(
              "lap %d: memory grew by %,d KiB from its middle third to its last",
              tally.laps, growth.bytes() >> 10));
    }
  }

  /** Shows how it goes while something is awaited, and sleeps for a moment. */
  private void passTime() throws IOException, InterruptedException {
    long now = System.nanoTime();
    if (now - sampledNanos > SAMPLE_NANOS) {
      sampledNanos = now;
      sample();
      view.progress(String.format("lap %d, %s", tally.laps, position()));
    }
    Thread.sleep(POLL_MILLIS);
  }

  /** Takes the server's present footprint. */
  final void sample() throws IOException {
    Footprint now = server.footprint();
    growth.add(now.memoryBytes());
    tally.holds(now, files());
  }

  /** Prepares what the server needs. */
  void prepare() throws IOException, InterruptedException {}

  /** Runs until the time is over, or something is wrong. */
  final SoakResult run() throws IOException, InterruptedException {
    prepare();
    view.line("starting " + engine.server() + ": " + start());
    do {
      tally.laps++;
      lap();
    } while (!view.over() && !tally.bad());
    return SoakResult.of(engine, seed, view.time(), tally, records());
  }

  final String start() throws IOException, InterruptedException {
    starting();
    return server.start();
  }

  /** Tells and counts a start with Headpond. */
  final void starting() {
    view.progress("starting " + engine.server());
    tally.starts++;
  }

  private void startVanilla() throws IOException, InterruptedException {
    view.progress("starting " + engine.vanilla());
    tally.vanillaStarts++;
    server.startVanilla();
  }

  /**
   * Kills the server and starts it again.
   *
   * @param inAMove is a file that is copied awaited for some time? Only an unfinished copy that the
   *     kill leaves shows that it met one
   * @param writing that ends the outage
   * @param again the same in words
   */
  final String kill(boolean inAMove, Writing writing, String again)
      throws IOException, InterruptedException {
    if (inAMove) {
      await(MOVE_AWAITED, server::copying);
    }
    server.kill();
    long killed = System.nanoTime();
    boolean met = inAMove && server.copying();
    if (met) {
      tally.killsInMoves++;
    }
    String drawn = start();
    writing.goesOn();
    Duration outage = Duration.ofNanos(System.nanoTime() - killed);
    return (met || !inAMove ? "" : " (none was)")
        + String.format("; on with %s; %s %d s later", drawn, again, outage.toSeconds());
  }

  final F compare(String when) throws IOException, InterruptedException {
    view.progress("reading and comparing everything " + when);
    F findings = read();
    tally.found(findings);
    findings.examples().forEach(example -> view.line(when + ": " + example));
    if (tally.bad()) {
      throw new IOException(when + ", " + engine.records() + " are lost or altered: " + findings);
    }
    return findings;
  }

  /** With the unmodified server, and with that when Headpond has left; it runs at the end. */
  final F compareUnmodified() throws IOException, InterruptedException {
    server.stop();
    server.commands().verify();
    startVanilla();
    compare("with " + engine.vanilla());
    server.stop();
    drain();
    startVanilla();
    return compare("with " + engine.vanilla() + " after a drain");
  }

  /**
   * Drains, and perhaps kills another drain before.
   *
   * @param millisMax that it has at most until it is killed
   */
  final void drainTo(int millisMax) throws IOException, InterruptedException {
    view.progress("draining");
    if (random.nextBoolean()
        && server.commands().drainKilledAfter(random.nextInt(DRAIN_MILLIS_MIN, millisMax))) {
      tally.drainsKilled++;
    }
    server.commands().drain();
    tally.drains++;
  }

  /** False if it didn't hold in time. */
  final boolean await(Duration limit, Condition condition)
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
      if (!server.running()) {
        throw new IOException(engine.server() + " ended by itself\n" + server.tail());
      }
      passTime();
    }
    return true;
  }
}
