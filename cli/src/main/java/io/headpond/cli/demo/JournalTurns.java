// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The turns of two sides under the same load. In the middle of one, the side with the fast journal
 * is killed and restarted.
 */
final class JournalTurns<S extends JournalSide> implements AutoCloseable {

  private static final long INTERVAL_MS = 250;
  private static final Duration TURN = Duration.ofMillis(2500);

  /** All that a demo does with the two. */
  interface Script<R> {
    R run() throws IOException, InterruptedException;
  }

  private final JournalView<S> view;
  private final S disk;
  private final S fast;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "demo-view");
            thread.setDaemon(true);
            return thread;
          });
  private volatile boolean closed;

  JournalTurns(JournalView<S> view, S disk, S fast) {
    this.view = view;
    this.disk = disk;
    this.fast = fast;
  }

  /** Runs {@code script}; Ctrl-C ends the JVM, whose hooks clean up. */
  <R> R run(Script<R> script) throws IOException, InterruptedException {
    try {
      R result = script.run();
      timer.shutdownNow();
      view.show(disk, fast);
      return result;
    } catch (IOException e) {
      if (closed) {
        // Ctrl-C: the JVM's hook ends everything, and the JVM ends when that has cleaned up.
        new CountDownLatch(1).await();
      }
      for (S side : List.of(disk, fast)) {
        String tail = side.tail();
        if (!tail.isEmpty()) {
          view.say(tail);
        }
      }
      throw e;
    }
  }

  /** From now on both are looked at and shown. */
  void watch() {
    timer.scheduleAtFixedRate(this::look, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      disk.look();
      fast.look();
      view.show(disk, fast);
    } catch (IOException e) {
      // This was the last look. The thread that runs the demo meets it too.
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The turns.
   *
   * @param duration of all that count together
   * @param words what the engine calls things
   */
  void take(Duration duration, JournalWords words) throws IOException, InterruptedException {
    int pairs = (int) Math.max(2, duration.toMillis() / (2 * TURN.toMillis()));
    Duration length = duration.dividedBy(2L * pairs);
    turn(disk, "warming up, journal on disk", false, length);
    turn(fast, "warming up, journal on the fast device", false, length);
    for (int pair = 1; pair <= pairs; pair++) {
      String which = "turn " + pair + " of " + pairs + words.meanwhile() + ": journal on ";
      turn(disk, which + "disk", true, length);
      turn(fast, which + "the fast device", true, length);
      if (pair == (pairs + 1) / 2) {
        killAndRestart(length, words);
      }
    }
  }

  private void turn(S side, String phase, boolean counted, Duration length)
      throws IOException, InterruptedException {
    view.phase(phase);
    side.begin(counted);
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
    side.end();
  }

  private void killAndRestart(Duration length, JournalWords words)
      throws IOException, InterruptedException {
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
    view.phase(words.back());
    fast.awaitAcknowledging();
    TimeUnit.NANOSECONDS.sleep(length.toNanos() / 2);
    fast.end();
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
