// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.failure;

import io.headpond.bench.comparison.OthersShare;
import io.headpond.bench.kafka.KafkaNode;
import io.headpond.bench.kafka.speed.RecordRing;
import io.headpond.bench.scenario.PointRun;
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
import org.apache.kafka.clients.admin.Admin;

/** One death and return in one cluster, looked at ten times a second. */
final class FailureRun {

  private static final double SAMPLE_SECONDS = 0.1;
  private static final double RETURN_SECONDS_MAX = 300;

  private final FailureSettings settings;
  private final Cluster cluster;
  private final Consumer<String> progress;
  private final Map<FailurePhase, Histogram> publish = new EnumMap<>(FailurePhase.class);
  private final Map<FailurePhase, Double> gaps = new EnumMap<>(FailurePhase.class);
  private final List<FailureSample> samples = new ArrayList<>();
  private ClusterLoad load;
  private long start;
  private double last;
  private String text;

  FailureRun(FailureSettings settings, Cluster cluster, Consumer<String> progress) {
    this.settings = settings;
    this.cluster = cluster;
    this.progress = progress;
    for (FailurePhase phase : FailurePhase.values()) {
      publish.put(phase, new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS));
    }
  }

  FailureTurn turn(int round, RecordRing ring) throws IOException, InterruptedException {
    String topic = "bench-" + round;
    text = cluster.variant() + ", round " + round;
    progress.accept(text);
    cluster.createTopic(topic);
    KafkaNode victim = cluster.victim();
    try (ClusterLoad running =
            new ClusterLoad(
                cluster.nodes().get(0).clientProperties(), topic, ring, settings.pace());
        Admin admin = cluster.nodes().get(0).admin()) {
      load = running;
      TimeUnit.SECONDS.sleep(FailureSettings.RAMP_SECONDS);
      load.interval();
      load.longestGap();
      OthersShare others = new OthersShare(cluster::cpu);
      others.begin();
      start = System.nanoTime();
      watch(FailurePhase.BEFORE, settings.beforeSeconds());
      double othersShare = others.end();
      victim.kill();
      watch(FailurePhase.DEAD, settings.deadSeconds());
      cluster.launch(victim);
      double launched = seconds();
      while (!cluster.inSync(admin, topic)) {
        refuseLate(victim, launched);
        watch(FailurePhase.RETURNING, SAMPLE_SECONDS);
      }
      double back = seconds() - launched;
      watch(FailurePhase.AFTER, settings.afterSeconds());
      long acknowledged = load.stop();
      publish.get(FailurePhase.AFTER).add(load.interval());
      compare(topic, acknowledged);
      return new FailureTurn(
          settings.text(),
          round,
          cluster.variant(),
          victim.id(),
          publish,
          gaps,
          back,
          acknowledged,
          othersShare,
          samples);
    } finally {
      if (cluster.nodes().stream().allMatch(KafkaNode::running)) {
        cluster.deleteTopic(topic);
      }
    }
  }

  private void refuseLate(KafkaNode victim, double launched) throws IOException {
    if (!victim.running() || seconds() - launched > RETURN_SECONDS_MAX) {
      throw new IOException(
          "node "
              + victim.id()
              + " of "
              + cluster.variant()
              + " didn't come back in sync after its kill\n"
              + victim.tail());
    }
  }

  /**
   * The producer repeats nothing twice, so the log holds what was acknowledged, no less, no more.
   */
  private void compare(String topic, long acknowledged) throws IOException, InterruptedException {
    long held = cluster.messages(topic);
    if (held != acknowledged) {
      throw new IOException(
          String.format(
              "%s: %d messages were acknowledged and the log holds %d",
              cluster.variant(), acknowledged, held));
    }
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

  private void sample(FailurePhase phase) throws IOException {
    double now = seconds();
    Histogram interval = load.interval();
    publish.get(phase).add(interval);
    gaps.merge(phase, load.longestGap() / 1e9, Math::max);
    long messages = interval.getTotalCount();
    samples.add(
        new FailureSample(
            now,
            phase,
            messages / (now - last),
            messages == 0 ? 0 : interval.getValueAtPercentile(99) / 1e3));
    last = now;
    progress.accept(String.format(Locale.ROOT, "%s, %s, %.0f s", text, phase.title(), now));
  }
}
