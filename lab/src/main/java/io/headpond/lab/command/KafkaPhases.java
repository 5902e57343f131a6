// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.lab.kafka.rig.KafkaLoad;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointFigures;
import io.headpond.lab.scenario.PointRun;
import io.headpond.lab.scenario.RunningLoad;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** The phases of one broker in one round; each of them is measured while the others are idle. */
final class KafkaPhases {

  /** The smallest that Kafka takes. */
  private static final Map<String, String> ROLLING =
      Map.of("segment.bytes", Integer.toString(1 << 20));

  /** The factor by which a broker may fall short of its rate before it is given up. */
  private static final int PATIENCE = 3;

  private final KafkaPlan plan;
  private final KafkaTurn.Load load;
  private final KafkaRig rig;
  private final int round;
  private final Consumer<String> progress;
  private KafkaTurn.Paced latency;
  private KafkaTurn.Paced roll;
  private KafkaTurn.FullSpeed produce;
  private KafkaTurn.FullSpeed consume;
  private int overflowed;
  private double othersShareMax;

  KafkaPhases(
      KafkaPlan plan, KafkaTurn.Load load, KafkaRig rig, int round, Consumer<String> progress) {
    this.plan = plan;
    this.load = load;
    this.rig = rig;
    this.round = round;
    this.progress = progress;
  }

  /** Lets the JIT compile the code of broker and client at full speed and at the rate. */
  void warmUp() throws IOException, InterruptedException {
    double half = plan.warmUpSeconds() / 2;
    String text = text("warming up");
    Point fullSpeed = plan.fullSpeed(load).lasting(0, half);
    try (KafkaLoad sent = rig.load(fullSpeed)) {
      PointRun.measure(rig, sent, fullSpeed, text, progress);
      sent.verify(text);
    }
    PointRun.measure(rig, plan.paced(load).lasting(0, half), text, progress);
  }

  /** Measures; producing also consumes, if that is wanted. */
  void take(KafkaMeasure measure) throws IOException, InterruptedException {
    switch (measure) {
      case LATENCY -> latency = paced("latency", Map.of());
      case ROLL -> roll = paced("rolling", ROLLING);
      case PRODUCE, CONSUME -> fullSpeed();
    }
  }

  private KafkaTurn.Paced paced(String what, Map<String, String> topicSettings)
      throws IOException, InterruptedException {
    Point point = plan.paced(load);
    rig.topicSettings(topicSettings);
    long writtenBefore = writtenBytes();
    try (KafkaLoad sent = rig.load(point)) {
      PointFigures figures = measure(sent, point, text("round " + round + ", " + what));
      if (figures.perSecond() * PATIENCE < plan.rate(load)) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "the broker doesn't keep up with %,.0f records/s: it took %,.0f; choose a lower rate",
                plan.rate(load),
                figures.perSecond()));
      }
      overflowed += sent.overflowed();
      long bytes = sent.logBytes();
      return KafkaTurn.Paced.of(
          plan.rate(load),
          figures,
          (writtenBytes() - writtenBefore) / (double) bytes,
          topicSettings.isEmpty() ? 0 : sent.rolled());
    } finally {
      rig.topicSettings(Map.of());
    }
  }

  private long writtenBytes() throws IOException {
    try {
      return rig.broker().node().writtenBytes();
    } catch (NoSuchFileException ended) {
      rig.watch().check();
      throw ended;
    }
  }

  private void fullSpeed() throws IOException, InterruptedException {
    Point point = plan.fullSpeed(load);
    try (KafkaLoad sent = rig.load(point)) {
      produce = fullSpeed(sent, point, "produce");
      overflowed += sent.overflowed();
      if (plan.measures().contains(KafkaMeasure.CONSUME)) {
        sent.verify(text("round " + round + ", consume"));
        try (RunningLoad reading = sent.reread()) {
          consume = fullSpeed(reading, point, "consume");
        }
      }
    }
  }

  private KafkaTurn.FullSpeed fullSpeed(RunningLoad running, Point point, String what)
      throws IOException, InterruptedException {
    PointFigures figures = measure(running, point, text("round " + round + ", " + what));
    if (figures.messages() == 0) {
      throw new IOException(
          String.format(
              "%s: no record within %s s; measure for longer%n%s",
              what, plan.seconds(), rig.broker().node().tail()));
    }
    return KafkaTurn.FullSpeed.of(figures, plan.window() > 0 && running instanceof KafkaLoad);
  }

  private PointFigures measure(RunningLoad running, Point point, String text)
      throws IOException, InterruptedException {
    PointFigures figures = PointRun.measure(rig, running, point, text, progress);
    othersShareMax = Math.max(othersShareMax, figures.otherCpuShare());
    return figures;
  }

  private String text(String what) {
    return rig.variant() + ", " + load.recordBytes() + " B, " + what;
  }

  /**
   * The figures of all phases.
   *
   * @param bareForceUs as {@link KafkaTurn} has it
   */
  KafkaTurn turn(Double bareForceUs) {
    return new KafkaTurn(
        load,
        round,
        rig.variant(),
        latency,
        roll,
        produce,
        consume,
        overflowed,
        othersShareMax,
        bareForceUs);
  }
}
