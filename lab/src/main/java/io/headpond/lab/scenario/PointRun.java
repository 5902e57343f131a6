// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.OthersShare;
import io.headpond.lab.comparison.Percentile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Measures one {@link Point} on one {@link Rig}: the ramp, then second by second. At full speed the
 * ramp takes a fifth of what there is room for at most, and goes on until the first answer. At a
 * pace, what was due before the end and is answered after it counts in the latencies, with its
 * whole wait. At full speed nothing is due, and only what is answered in the measured time counts.
 */
public final class PointRun {

  /** Longest latency that is told from longer ones: ten minutes, in nanoseconds. */
  public static final long LATENCY_MAX_NANOS = 600_000_000_000L;

  /** Significant digits of all histograms. */
  public static final int DIGITS = 3;

  private static final long TICK_NANOS = 50_000_000;
  private static final double RAMP_SHARE = 0.2;

  /** A broker that has just started on a busy machine may take its time. */
  private static final double FIRST_ANSWER_SECONDS_MAX = 30;

  private final Rig rig;
  private final Point point;
  private final String text;
  private final Consumer<String> progress;
  private final Histogram publish = new Histogram(DIGITS);
  private final Histogram sendLag = new Histogram(DIGITS);
  private final Histogram endToEnd = new Histogram(DIGITS);
  private final List<SecondFigures> series = new ArrayList<>();
  private long messages;
  private long bytes;
  private long replayed;
  private long failures;
  private TierState tierBefore;

  private PointRun(Rig rig, Point point, String text, Consumer<String> progress) {
    this.rig = rig;
    this.point = point;
    this.text = text;
    this.progress = progress;
  }

  /**
   * Measures it.
   *
   * @param text what is being done, for whoever looks on
   * @param progress told often how it goes on
   */
  public static PointFigures measure(Rig rig, Point point, String text, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept(text);
    try (RunningLoad load = rig.begin(point)) {
      return measure(rig, load, point, text, progress);
    }
  }

  /** Measures a load that has begun; it is stopped then, and for the caller to close. */
  public static PointFigures measure(
      Rig rig, RunningLoad load, Point point, String text, Consumer<String> progress)
      throws IOException, InterruptedException {
    return new PointRun(rig, point, text, progress).measure(load);
  }

  private PointFigures measure(RunningLoad load) throws IOException, InterruptedException {
    ramp(load);
    tierBefore = rig.tier().orElse(null);
    OthersShare others = new OthersShare(rig::cpu);
    others.begin();
    CpuTime before = rig.cpu();
    long began = System.currentTimeMillis();
    publish.setStartTimeStamp(began);
    endToEnd.setStartTimeStamp(began);
    long start = System.nanoTime();
    long last = start;
    for (double until = 1; seconds(start) < point.seconds() && load.spent() < 1; until++) {
      await(load, start, Math.min(until, point.seconds()), 1, "");
      last = second(load.interval(), start, last);
    }
    double seconds = (last - start) / 1e9;
    CpuTime cpu = rig.cpu().since(before);
    double otherShare = others.end();
    TierState tierAfter = rig.tier().orElse(null);
    load.stop();
    LoadInterval late = load.interval();
    if (!point.pace().fullSpeed()) {
      addTimes(late);
    }
    long ended = System.currentTimeMillis();
    publish.setEndTimeStamp(ended);
    endToEnd.setEndTimeStamp(ended);
    return new PointFigures(
        seconds,
        messages,
        failures,
        messages / seconds,
        bytes / seconds,
        publish,
        sendLag,
        endToEnd,
        replayed / seconds,
        cpu,
        otherShare,
        tierAfter == null ? -1 : tierAfter.overflowSegments() - tierBefore.overflowSegments(),
        tierAfter == null || tierAfter.appended() == null
            ? null
            : TierFigures.between(tierBefore, tierAfter, seconds),
        series);
  }

  private void ramp(RunningLoad load) throws IOException, InterruptedException {
    long start = System.nanoTime();
    boolean fullSpeed = point.pace().fullSpeed() && point.producers() > 0;
    await(load, start, point.rampSeconds(), fullSpeed ? RAMP_SHARE : 1, "ramp");
    LoadInterval first = load.interval();
    double giveUp = seconds(start) + FIRST_ANSWER_SECONDS_MAX;
    while (fullSpeed && first.messages() + first.failures() == 0 && seconds(start) < giveUp) {
      await(load, start, seconds(start) + TICK_NANOS / 1e9, 2, "waiting for the first answer");
      first = load.interval();
    }
  }

  private void await(RunningLoad load, long start, double until, double share, String phase)
      throws IOException, InterruptedException {
    while (seconds(start) < until && load.spent() < share) {
      rig.check();
      double last = series.isEmpty() ? 0 : series.get(series.size() - 1).perSecond();
      progress.accept(
          phase.isEmpty()
              ? String.format(Locale.ROOT, "%s, %.0f s, %,.0f/s", text, seconds(start), last)
              : text + ", " + phase);
      double left = until - seconds(start);
      LockSupport.parkNanos(Math.min(TICK_NANOS, (long) (left * 1e9)));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Adds one second up; answers its end by {@link System#nanoTime}. */
  private long second(LoadInterval interval, long start, long last) throws IOException {
    long now = System.nanoTime();
    messages += interval.messages();
    bytes += interval.bytes();
    replayed += interval.replayedBytes();
    failures += interval.failures();
    addTimes(interval);
    Optional<TierState> tier = rig.tier();
    series.add(
        new SecondFigures(
            (now - start) / 1e9,
            interval.messages() * 1e9 / (now - last),
            Percentile.micros(interval.publish(), 99),
            tier.map(TierState::usedBytes).orElse(-1L),
            tier.map(t -> t.migratedBytes() - tierBefore.migratedBytes()).orElse(-1L)));
    return now;
  }

  private void addTimes(LoadInterval interval) {
    publish.add(interval.publish());
    sendLag.add(interval.sendLag());
    endToEnd.add(interval.endToEnd());
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
