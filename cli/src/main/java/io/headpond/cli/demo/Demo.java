// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * The demo itself: the same load on an engine without Headpond and on one with it, which is killed
 * and started again; everything that was acknowledged is compared. One thread, but for {@link
 * #close}.
 */
final class Demo implements AutoCloseable {

  private static final long LOOK_MILLIS = 250;
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  /** The load goes on for so long after the restart, and again until enough was written. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(3);

  private static final int AFTERWARDS_MAX = 20;

  private final DemoEngine engine;
  private final Duration measured;
  private final DemoScreen screen;
  private final long startNanos = System.nanoTime();
  private volatile DemoSide side;
  private volatile boolean closed;
  private String phase = "";
  private boolean loading;
  private SentFigures last;
  private long lastNanos;
  private Histogram latency = new Histogram(3);

  /**
   * @param duration of both measurements together
   */
  Demo(DemoEngine engine, Duration duration, PrintWriter out) {
    this.engine = engine;
    this.measured = duration.dividedBy(2);
    this.screen = new DemoScreen(out);
  }

  /** Runs it and says what it found; Ctrl-C ends the JVM, whose hooks clean up. */
  DemoResult run(DemoPlace place) throws IOException, InterruptedException {
    screen.say(
        "Headpond demo: %s %s without Headpond, and then with it",
        engine.engine().title(), engine.release().version());
    screen.say("  disk         %s (%s)", place.home(), place.homeFileSystem());
    screen.say("  fast device  %s (%s)", place.fast(), place.fastText());
    if (place.fastIsVolatile()) {
      screen.say(
          "               a power cut would lose it; memory stands in for persistent memory");
    }
    screen.say("  %s", engine.forced());
    try {
      return sides(place);
    } catch (IOException e) {
      if (closed) {
        new CountDownLatch(1).await(); // Ctrl-C: the JVM's hook cleans up, and the JVM ends
      }
      screen.say("%s", side.tail());
      throw e;
    }
  }

  private DemoResult sides(DemoPlace place) throws IOException, InterruptedException {
    DemoFigures without;
    ContentReport report;
    try (DemoSide vanilla = start(place, false)) {
      without = measure(vanilla, "without Headpond");
      report = compare(vanilla, "without Headpond");
    }
    try (DemoSide headpond = start(place, true)) {
      DemoFigures with = measure(headpond, "with Headpond");
      long restartMs = killAndRestart(headpond);
      report = report.plus(compare(headpond, "with Headpond"));
      List<String> problems = new ArrayList<>(report.clean() ? List.of() : report.examples());
      problems.addAll(during("checking the files", headpond::check));
      DemoResult result =
          new DemoResult(
              engine.engine().id(),
              engine.release().version(),
              JavaHome.current().feature(),
              report.acknowledged(),
              report.verified(),
              report.lost(),
              report.corrupt(),
              restartMs,
              place.fastIsVolatile(),
              headpond.fastBytes(),
              problems,
              without,
              with);
      summarise(place, headpond, result);
      return result;
    }
  }

  private DemoSide start(DemoPlace place, boolean headpond)
      throws IOException, InterruptedException {
    DemoSide started = engine.side(place, headpond);
    side = started;
    if (closed) {
      throw new IOException("interrupted");
    }
    during(
        "starting " + engine.engine().title() + (headpond ? " with" : " without") + " Headpond",
        () -> {
          started.start();
          return null;
        });
    return started;
  }

  private DemoFigures measure(DemoSide loaded, String name)
      throws IOException, InterruptedException {
    last = null;
    loaded.produce();
    loading = true;
    load(name + ", warming up", WARM_UP);
    look();
    long bytes = last.bytes();
    long begin = lastNanos;
    latency = new Histogram(3);
    load(name + ", writing", measured);
    look();
    return DemoFigures.of(last.bytes() - bytes, lastNanos - begin, latency);
  }

  private void load(String what, Duration length) throws IOException, InterruptedException {
    phase = what;
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      look();
    }
  }

  /** Returns the milliseconds until something was acknowledged again. */
  private long killAndRestart(DemoSide loaded) throws IOException, InterruptedException {
    long killNanos = System.nanoTime();
    long pid = loaded.kill();
    screen.say(
        "Killed the %s (SIGKILL, process %d) while clients were writing; starting it again.",
        engine.killed(), pid);
    phase = engine.killed() + " killed, starting it again";
    // Answers from before its death may still be on their way.
    long before;
    do {
      before = last.acknowledged();
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      look();
    } while (last.acknowledged() > before);
    during(
        phase,
        () -> {
          loaded.restart();
          return null;
        });
    phase = engine.killed() + " serves again";
    while (last.acknowledged() == before) {
      TimeUnit.MILLISECONDS.sleep(10);
      look();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(lastNanos - killNanos);
    int times = 0;
    do {
      load("with Headpond, writing on", AFTERWARDS);
      times++;
    } while (times < AFTERWARDS_MAX && !loaded.wroteEnough());
    return millis;
  }

  private ContentReport compare(DemoSide loaded, String name)
      throws IOException, InterruptedException {
    phase = name + ", waiting for answers";
    loaded.pause();
    look();
    loading = false;
    return during(name + ", reading back", loaded::compare);
  }

  /** Does something, and shows meanwhile how far it is. */
  private <T> T during(String what, Callable<T> work) throws IOException, InterruptedException {
    phase = what;
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "demo");
    thread.setDaemon(true);
    thread.start();
    while (true) {
      try {
        look();
        return task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        continue;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException io) {
          throw io;
        }
        throw new IOException(what + " failed: " + e.getCause(), e.getCause());
      }
    }
  }

  private void look() throws IOException, InterruptedException {
    long now = System.nanoTime();
    DemoProgress.Work work = null;
    if (loading) {
      SentFigures figures = side.figures();
      double seconds = (now - lastNanos) / 1e9;
      double rate = last == null ? 0 : (figures.bytes() - last.bytes()) / seconds;
      work =
          new DemoProgress.Writing(
              figures.acknowledged(),
              rate,
              figures.latency().getTotalCount() == 0
                  ? Double.NaN
                  : figures.latency().getValueAtPercentile(99) / 1e6);
      latency.add(figures.latency());
      last = figures;
      lastNanos = now;
    } else if (side.compared() > 0) {
      work = new DemoProgress.Comparing(side.compared(), last.acknowledged());
    }
    screen.show(new DemoProgress((now - startNanos) / 1_000_000_000, phase, work));
  }

  private void summarise(DemoPlace place, DemoSide headpond, DemoResult r) throws IOException {
    String acknowledged =
        Units.count(
            r.recordsAcknowledged(),
            "acknowledged " + engine.one(),
            "acknowledged " + engine.many());
    screen.say("");
    if (r.clean()) {
      screen.say("All %s are there, each compared byte by byte.", acknowledged);
    } else {
      r.problems().forEach(problem -> screen.say("%s", problem));
      screen.say(
          "SOMETHING IS WRONG: of %s %,d verified, %,d lost, %,d corrupt; %s on the fast device.",
          acknowledged,
          r.recordsVerified(),
          r.recordsLost(),
          r.recordsCorrupt(),
          Units.bytes(r.fastBytes()));
    }
    screen.say(
        "  killed       the %s once, by SIGKILL; acknowledging again after %s",
        engine.killed(), Units.milliseconds(r.restartMs()));
    for (String line : headpond.files()) {
      screen.say("  %s", line);
    }
    screen.say("");
    row("", "without Headpond", "with Headpond");
    row("written to", place.homeFileSystem() + ", on disk", place.fastText());
    row("rate", Units.rate(r.without().mbPerS() * 1e6), Units.rate(r.headpond().mbPerS() * 1e6));
    row("latency P50", ms(r.without().p50Ms()), ms(r.headpond().p50Ms()));
    row("latency P99", ms(r.without().p99Ms()), ms(r.headpond().p99Ms()));
  }

  private void row(String name, String without, String headpond) {
    screen.say("  %s", String.format(Locale.ROOT, "%-12s %-18s %s", name, without, headpond));
  }

  private static String ms(double value) {
    return Units.milliseconds(value);
  }

  /** Kills every process that lives; also beside {@link #run}, by another thread (Ctrl-C). */
  @Override
  public void close() throws IOException {
    closed = true;
    DemoSide started = side;
    if (started != null) {
      started.close();
    }
  }
}
