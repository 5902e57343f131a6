// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Watch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Produces as fast as the broker acknowledges: producers that send whenever their buffer has room.
 * What is measured is a stretch in the middle, from acknowledgement to acknowledgement.
 */
public final class FullSpeed {

  private static final int LINGER_MS = 5;
  private static final double RAMP_SHARE = 0.2;
  private static final long FIRST_LIMIT_NANOS = 30_000_000_000L;

  private final KafkaNode node;
  private final String topic;
  private final Load load;
  private final RecordRing ring;
  private final Watch watch;
  private final long bytesMax;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong sentBytes = new AtomicLong();
  private final LongAdder acknowledgedRecords = new LongAdder();
  private final LongAdder acknowledgedBytes = new LongAdder();
  private final AtomicBoolean running = new AtomicBoolean(true);

  /**
   * @param bytesMax keys and values that may be sent at all
   */
  public FullSpeed(
      KafkaNode node, String topic, Load load, RecordRing ring, Watch watch, long bytesMax) {
    this.node = node;
    this.topic = topic;
    this.load = load;
    this.ring = ring;
    this.watch = watch;
    this.bytesMax = bytesMax;
  }

  /** Records acknowledged so far. */
  public long acknowledged() {
    return acknowledgedRecords.sum();
  }

  /**
   * Produces for a ramp of a fifth of {@code seconds}, then measures for {@code seconds} or until
   * the bytes are used up.
   */
  public ThroughputFigures run(String text, int producers, double seconds)
      throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      threads.add(new Thread(this::produce, "bench-producer-" + i));
    }
    try {
      threads.forEach(Thread::start);
      await(text, System.nanoTime(), RAMP_SHARE * seconds, (long) (RAMP_SHARE * bytesMax));
      awaitFirst(text);
      long records = acknowledgedRecords.sum();
      long bytes = acknowledgedBytes.sum();
      CpuTime cpu = CpuTime.besideThisProcess(node.cpuTime());
      long start = System.nanoTime();
      await(text, start, seconds, bytesMax);
      long nanos = System.nanoTime() - start;
      ThroughputFigures figures =
          ThroughputFigures.of(
              nanos,
              acknowledgedRecords.sum() - records,
              acknowledgedBytes.sum() - bytes,
              CpuTime.besideThisProcess(node.cpuTime()).since(cpu));
      if (figures.records() == 0) {
        throw new IOException(
            "nothing was acknowledged within "
                + seconds
                + " s; measure for longer\n"
                + node.tail());
      }
      return figures;
    } finally {
      running.set(false);
      for (Thread thread : threads) {
        thread.join();
      }
      watch.check();
    }
  }

  private void await(String text, long start, double seconds, long bytes)
      throws IOException, InterruptedException {
    long recordsBefore = acknowledgedRecords.sum();
    double passed = 0;
    while (passed < seconds && sentBytes.get() < bytes) {
      watch.tick(
          String.format(
              Locale.ROOT,
              "%s, %.0f s, %,.0f records/s",
              text,
              passed,
              passed == 0 ? 0 : (acknowledgedRecords.sum() - recordsBefore) / passed));
      passed = (System.nanoTime() - start) / 1e9;
    }
  }

  /** A broker that has just started on a busy machine may take its time. */
  private void awaitFirst(String text) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (acknowledgedRecords.sum() == 0) {
      if (System.nanoTime() - start > FIRST_LIMIT_NANOS) {
        throw new IOException(
            "nothing was acknowledged within "
                + FIRST_LIMIT_NANOS / 1_000_000_000
                + " s\n"
                + node.tail());
      }
      watch.tick(text + ", waiting for the first acknowledgement");
    }
  }

  private void produce() {
    try (Producer<byte[], byte[]> producer =
        load.producers().open(node.clientProperties(), load.recordBytes(), LINGER_MS, 64 << 20)) {
      while (running.get()) {
        long number = next.getAndIncrement();
        int bytes = ring.bytes(number);
        if (sentBytes.addAndGet(bytes) > bytesMax) {
          break;
        }
        producer.send(
            new ProducerRecord<>(topic, ring.key(number), ring.value(number)), answered(bytes));
      }
    } catch (KafkaException e) {
      watch.failed(e);
    }
  }

  private Callback answered(int bytes) {
    return (metadata, error) -> {
      if (error != null) {
        watch.failed(error);
      } else {
        acknowledgedRecords.increment();
        acknowledgedBytes.add(bytes);
      }
    };
  }
}
