// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.load.DueTimes;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Watch;
import java.io.IOException;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Produces at a fixed rate, whatever the broker does. A record's latency counts from the moment it
 * was due, not from when it could be sent, so a stall counts for all the records it holds up.
 */
final class OpenLoop {

  private static final long LATENCY_MAX_NANOS = 600_000_000_000L;
  private static final int DIGITS = 3;

  /** How far behind the rate it may fall, in multiples of the phase, before it is given up. */
  private static final int PATIENCE = 3;

  private final KafkaNode node;
  private final String topic;
  private final Load load;
  private final RecordRing ring;
  private final Watch watch;

  /** Written by the producer's own thread only, read after its end. */
  private final Histogram latency = new Histogram(LATENCY_MAX_NANOS, DIGITS);

  private final Histogram sendLag = new Histogram(LATENCY_MAX_NANOS, DIGITS);

  OpenLoop(KafkaNode node, String topic, Load load, RecordRing ring, Watch watch) {
    this.node = node;
    this.topic = topic;
    this.load = load;
    this.ring = ring;
    this.watch = watch;
  }

  /** Seconds at the rate before the measuring begins. */
  static double rampSeconds(KafkaBenchSettings settings) {
    return Math.max(1, settings.seconds() / 5.0);
  }

  /** The figures, without a number of segments. */
  LatencyFigures run(String text, double ratePerSecond, double rampSeconds, double seconds)
      throws IOException, InterruptedException {
    CpuTime cpu;
    try (Producer<byte[], byte[]> producer =
        load.producers().open(node.clientProperties(), load.recordBytes(), 0, 64 << 20)) {
      long ramp = Math.round(rampSeconds * ratePerSecond);
      long records = Math.max(1, Math.round(seconds * ratePerSecond));
      long start = System.nanoTime();
      double nanosPerRecord = 1e9 / ratePerSecond;
      long giveUp = start + (long) ((ramp + records) * nanosPerRecord) * PATIENCE;
      CpuTime cpuStart = null;
      for (long number = 0; number < ramp + records; number++) {
        long due = start + (long) (number * nanosPerRecord);
        if (number == ramp) {
          cpuStart = CpuTime.besideThisProcess(node.cpuTime());
          latency.setStartTimeStamp(System.currentTimeMillis());
        }
        awaitDue(due, text, start);
        send(producer, number, due, number >= ramp);
        if (System.nanoTime() - giveUp > 0) {
          throw new IOException(
              String.format(
                  Locale.ROOT,
                  "the broker doesn't keep up with %,.0f records/s: after %d times the phase's length %d of %d were sent; choose a lower rate",
                  ratePerSecond,
                  PATIENCE,
                  number,
                  ramp + records));
        }
      }
      producer.flush();
      cpu = CpuTime.besideThisProcess(node.cpuTime()).since(cpuStart);
      latency.setEndTimeStamp(System.currentTimeMillis());
    }
    watch.check();
    return LatencyFigures.of(ratePerSecond, latency, sendLag, cpu);
  }

  private void awaitDue(long due, String text, long start)
      throws IOException, InterruptedException {
    if (due - System.nanoTime() > 0) {
      watch.progress(
          String.format(Locale.ROOT, "%s, %.0f s", text, (System.nanoTime() - start) / 1e9));
      watch.check();
    }
    if (!DueTimes.await(due, () -> !Thread.interrupted())) {
      throw new InterruptedException();
    }
  }

  private void send(Producer<byte[], byte[]> producer, long number, long due, boolean measured) {
    if (measured) {
      sendLag.recordValue(Math.min(Math.max(0, System.nanoTime() - due), LATENCY_MAX_NANOS));
    }
    producer.send(
        new ProducerRecord<>(topic, ring.key(number), ring.value(number)),
        (metadata, error) -> {
          if (error != null) {
            watch.failed(error);
          } else if (measured) {
            latency.recordValue(Math.min(System.nanoTime() - due, LATENCY_MAX_NANOS));
          }
        });
  }
}
