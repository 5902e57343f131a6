// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.OthersShare;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointRun;
import io.headpond.lab.scenario.RunningLoad;
import io.headpond.lab.scenario.TierState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** All bursts on one broker, looked at ten times a second. */
final class BurstRun {

  private static final double SAMPLE_SECONDS = 0.1;

  /** A look at all of the tier's files takes a processor for milliseconds: not with each sample. */
  private static final int SAMPLES_A_LOOK = 5;

  /** Least share of the due bytes. Keys count too, and a burst's end is answered after it. */
  private static final double KEPT_UP = 0.9;

  private final BurstSettings settings;
  private final List<Burst> schedule;
  private final KafkaRig rig;
  private final Consumer<String> progress;
  private final TierForecast forecast;
  private final BurstPartSum inBursts = new BurstPartSum();
  private final BurstPartSum overflowed = new BurstPartSum();
  private final Histogram between = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private final List<BurstSample> samples = new ArrayList<>();
  private long migratedBefore;
  private CpuTime cpuBefore;
  private Optional<TierState> tier = Optional.empty();

  BurstRun(BurstSettings settings, KafkaRig rig, Consumer<String> progress) {
    this.settings = settings;
    this.schedule = settings.schedule();
    this.forecast = settings.forecast();
    this.rig = rig;
    this.progress = progress;
  }

  BurstTurn turn(int round) throws IOException, InterruptedException {
    Point point =
        Point.of(settings.messageBytes(), settings.seconds())
            .at(settings.pace())
            .on(1, BurstSettings.PARTITIONS)
            .lasting(settings.rampSeconds(), settings.seconds());
    String text = rig.variant() + ", round " + round;
    try (RunningLoad load = rig.begin(point)) {
      double first = System.nanoTime() / 1e9 + settings.rampSeconds();
      await(first, text + ", filling the tier");
      load.interval();
      migratedBefore = rig.tier().map(TierState::migratedBytes).orElse(0L);
      OthersShare others = new OthersShare(rig::cpu);
      others.begin();
      cpuBefore = rig.cpu();
      double last = 0;
      while (last < settings.seconds()) {
        await(first + last + SAMPLE_SECONDS, text + said());
        double now = System.nanoTime() / 1e9 - first;
        sample(load.interval(), last, now);
        last = now;
      }
      double othersShare = others.end();
      load.stop();
      between.add(load.interval().publish());
      BurstPart bursts = inBursts.sum();
      return new BurstTurn(
          settings.text(),
          round,
          rig.variant(),
          samples,
          bursts,
          overflowed.sum(),
          between,
          bursts.bytesPerSecond() < KEPT_UP * settings.meanBurstBytesPerSecond(),
          othersShare);
    }
  }

  private void await(double until, String text) throws IOException, InterruptedException {
    double left = until - System.nanoTime() / 1e9;
    while (left > 0) {
      rig.check();
      progress.accept(text);
      LockSupport.parkNanos((long) (Math.min(left, SAMPLE_SECONDS) * 1e9));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      left = until - System.nanoTime() / 1e9;
    }
  }

  private String said() {
    if (samples.isEmpty()) {
      return "";
    }
    BurstSample last = samples.get(samples.size() - 1);
    return String.format(
        Locale.ROOT,
        ", %.0f of %.0f s%s%s",
        last.at(),
        settings.seconds(),
        last.tierUsedBytes() < 0
            ? ""
            : String.format(
                Locale.ROOT, ", tier %.0f %%", 100.0 * last.tierUsedBytes() / settings.tierBytes()),
        last.overflowing() ? ", overflowing" : "");
  }

  private void sample(LoadInterval interval, double last, double now) throws IOException {
    CpuTime cpu = rig.cpu();
    CpuTime used = cpu.since(cpuBefore);
    cpuBefore = cpu;
    Burst burst = burstAt(now);
    if (burst == null) {
      between.add(interval.publish());
    } else {
      inBursts.add(interval, now - last, used);
      if (last >= forecast.fullAt(burst.begin(), burst.end())) {
        overflowed.add(interval, now - last, used);
      }
    }
    if (samples.size() % SAMPLES_A_LOOK == 0) {
      tier = rig.tier();
    }
    samples.add(
        new BurstSample(
            now,
            interval.bytes() / (now - last),
            interval.messages() == 0 ? 0 : interval.publish().getValueAtPercentile(99) / 1e3,
            tier.map(TierState::usedBytes).orElse(-1L),
            tier.map(t -> t.migratedBytes() - migratedBefore).orElse(-1L),
            tier.isPresent() && BurstBench.overflowing(rig.broker().node().logDirs().get(0))));
  }

  private Burst burstAt(double at) {
    return schedule.stream()
        .filter(burst -> at >= burst.begin() && at <= burst.end())
        .findFirst()
        .orElse(null);
  }
}
