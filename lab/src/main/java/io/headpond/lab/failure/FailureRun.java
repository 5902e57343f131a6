// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.lab.comparison.OthersShare;
import io.headpond.lab.scenario.PointRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** One death and return in one cluster, looked at ten times a second. */
final class FailureRun {

  private static final double SAMPLE_SECONDS = 0.1;
  private static final double RETURN_SECONDS_MAX = 300;

  private final FailureSettings settings;
  private final FailureCluster cluster;
  private final Consumer<String> progress;
  private final Map<FailurePhase, Histogram> publish = new EnumMap<>(FailurePhase.class);
  private final Map<FailurePhase, Double> gaps = new EnumMap<>(FailurePhase.class);
  private final List<FailureSample> samples = new ArrayList<>();
  private NodeOutage outage;
  private long start;
  private double last;
  private String text;

  FailureRun(FailureSettings settings, FailureCluster cluster, Consumer<String> progress) {
    this.settings = settings;
    this.cluster = cluster;
    this.progress = progress;
    for (FailurePhase phase : FailurePhase.values()) {
      publish.put(phase, new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS));
    }
  }

  FailureTurn turn(int round) throws IOException, InterruptedException {
    text = cluster.variant() + ", round " + round;
    progress.accept(text);
    try (NodeOutage running = cluster.begin(round)) {
      outage = running;
      TimeUnit.SECONDS.sleep(FailureSettings.RAMP_SECONDS);
      outage.interval();
      OthersShare others = new OthersShare(cluster::cpu);
      others.begin();
      start = System.nanoTime();
      watch(FailurePhase.BEFORE, settings.beforeSeconds());
      double othersShare = others.end();
      outage.kill();
      watch(FailurePhase.DEAD, settings.deadSeconds());
      double back = comeBack();
      watch(FailurePhase.AFTER, settings.afterSeconds());
      outage.stop();
      publish.get(FailurePhase.AFTER).add(outage.interval().publish());
      progress.accept(text + ", comparing all messages");
      outage.verify();
      return new FailureTurn(
          settings.text(),
          round,
          cluster.variant(),
          outage.victim(),
          publish,
          gaps,
          back,
          outage.acknowledged(),
          outage.resent(),
          othersShare,
          samples);
    }
  }

  /** Starts the node again; seconds until it is in sync. */
  private double comeBack() throws IOException, InterruptedException {
    outage.restart();
    double launched = seconds();
    while (!outage.inSync()) {
      if (!outage.running() || seconds() - launched > RETURN_SECONDS_MAX) {
        throw new IOException(
            String.format(
                "%s %d of %s didn't come back in sync after its kill%n%s",
                settings.engine().node(), outage.victim(), cluster.variant(), outage.tail()));
      }
      watch(FailurePhase.RETURNING, SAMPLE_SECONDS);
    }
    return seconds() - launched;
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Takes samples for some time. */
  private void watch(FailurePhase phase, double length) throws IOException, InterruptedException {
    double end = seconds() + length;
    do {
      double due = Math.min(end, last + SAMPLE_SECONDS);
      for (double left = due - seconds(); left > 0; left = due - seconds()) {
        LockSupport.parkNanos((long) (left * 1e9));
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      sample(phase);
    } while (seconds() < end);
  }

  private void sample(FailurePhase phase) throws IOException, InterruptedException {
    OutageInterval interval = outage.interval();
    double now = seconds();
    publish.get(phase).add(interval.publish());
    gaps.merge(phase, interval.gapSeconds(), Math::max);
    long messages = interval.publish().getTotalCount();
    samples.add(
        new FailureSample(
            now,
            phase,
            messages / (now - last),
            messages == 0 ? 0 : interval.publish().getValueAtPercentile(99) / 1e3));
    last = now;
    progress.accept(String.format(Locale.ROOT, "%s, %s, %.0f s", text, phase.title(), now));
  }
}
