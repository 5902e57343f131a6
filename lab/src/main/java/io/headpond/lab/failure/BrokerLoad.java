// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.load.AckGap;
import io.headpond.harness.load.DueTimes;
import io.headpond.harness.load.Pace;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.scenario.PointRun;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One producer with a thread of its own, which sends what is due and goes on while a broker is
 * dead: the client looks for the new leader by itself. Its figures are for one other thread.
 */
final class BrokerLoad implements AutoCloseable {

  private static final long BUFFER_BYTES = 64 << 20;

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final RecordRing ring;
  private final DueTimes dueTimes;
  private final Thread sender = new Thread(this::send, "bench-sender");
  private final Recorder publish = new Recorder(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile boolean sending = true;
  private final AckGap gap = new AckGap(System.nanoTime());
  private final AtomicLong acknowledged = new AtomicLong();

  /**
   * Begins to send.
   *
   * @param config of a client of the cluster; it is changed
   */
  BrokerLoad(Map<String, Object> config, String topic, RecordRing ring, Pace pace) {
    this.topic = topic;
    this.ring = ring;
    this.dueTimes = pace.dueTimes(0, 1);
    this.producer = Producers.ALL.open(config, ring.value(0).length, 0, BUFFER_BYTES);
    sender.start();
  }

  private void send() {
    long start = System.nanoTime();
    try {
      for (long number = 0; ; number++) {
        long due = start + dueTimes.nextNanos();
        if (!DueTimes.await(due, () -> sending)) {
          return;
        }
        producer.send(
            new ProducerRecord<>(topic, ring.key(number), ring.value(number)), answered(due));
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private Callback answered(long due) {
    return (metadata, error) -> {
      if (error != null) {
        failure.compareAndSet(null, error);
      } else {
        acknowledged(System.nanoTime(), due);
      }
    };
  }

  private void acknowledged(long now, long due) {
    publish.recordValue(Math.min(now - due, PointRun.LATENCY_MAX_NANOS));
    gap.acknowledged(now);
    acknowledged.incrementAndGet();
  }

  /** The figures since the last call; an error if a message was refused. */
  OutageInterval interval() throws IOException {
    check();
    return new OutageInterval(publish.getIntervalHistogram(), gap.take(System.nanoTime()) / 1e9);
  }

  private void check() throws IOException {
    Exception e = failure.get();
    if (e != null) {
      throw new IOException("a message wasn't acknowledged, so the figures mean nothing: " + e, e);
    }
  }

  /** Messages acknowledged so far. */
  long acknowledged() {
    return acknowledged.get();
  }

  /** Sends no more and waits for all answers. */
  void stop() throws IOException, InterruptedException {
    sending = false;
    sender.join();
    producer.flush();
    check();
  }

  @Override
  public void close() {
    sending = false;
    producer.close(Duration.ZERO);
    try {
      sender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
