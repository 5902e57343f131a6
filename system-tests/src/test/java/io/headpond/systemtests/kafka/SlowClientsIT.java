// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.systemtests.Monitored;
import io.headpond.systemtests.Workspace;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker that is produced to at a fixed rate, in turns with and without a thousand clients that
 * hang on its HTTP port, send too much, and try paths. Prints the latencies of both; what may be
 * said of them depends on the machine, so only what was acknowledged and what was served is judged.
 */
@Tag("extra")
class SlowClientsIT {
  private static final int TURNS = Integer.getInteger("headpond.test.turns", 3);
  private static final int RECORDS = 10_000;
  private static final long NANOS_PER_RECORD = 1_000_000;
  private static final int RECORD_BYTES = 1_024;
  private static final long LATENCY_MAX_NANOS = 60_000_000_000L;

  private final AtomicReference<Exception> failure = new AtomicReference<>();

  @Test
  void producingGoesOnBesideThem() throws Exception {
    int port = Ports.free(1)[0];
    try (Workspace workspace = Workspace.create("slow-clients");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker.node().set("headpond.http.port", String.valueOf(port)).format().start();
      Topics.create(broker.node(), "orders", 1, 1, Map.of());
      Histogram alone = new ConcurrentHistogram(LATENCY_MAX_NANOS, 3);
      Histogram beside = new ConcurrentHistogram(LATENCY_MAX_NANOS, 3);
      Map<String, Object> settings = new HashMap<>(broker.node().clientProperties());
      settings.putAll(Map.of("acks", "all", "linger.ms", "0"));
      try (Producer<byte[], byte[]> producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        phase(producer, new ConcurrentHistogram(LATENCY_MAX_NANOS, 3)); // warms up
        for (int turn = 0; turn < TURNS; turn++) {
          phase(producer, alone);
          try (SlowClients clients = new SlowClients(port)) {
            phase(producer, beside);
            assertThat(clients.served()).isEmpty();
            assertThat(clients.requests()).isPositive();
          }
        }
      }
      assertThat(failure.get()).isNull();
      assertThat(alone.getTotalCount()).isEqualTo((long) TURNS * RECORDS);
      assertThat(beside.getTotalCount()).isEqualTo((long) TURNS * RECORDS);
      print("without clients", alone);
      print("beside 1,000 slow clients", beside);
      assertThat(Monitored.metric(port, "headpond_appends_total")).isPositive();
      broker.node().stop();
    }
  }

  /** Sends at the rate, and waits for the last acknowledgement; latencies count from when due. */
  private void phase(Producer<byte[], byte[]> producer, Histogram latency) {
    byte[] value = new byte[RECORD_BYTES];
    long start = System.nanoTime();
    for (int i = 0; i < RECORDS; i++) {
      long due = start + i * NANOS_PER_RECORD;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      producer.send(
          new ProducerRecord<>("orders", value),
          (metadata, error) -> {
            if (error == null) {
              latency.recordValue(Math.min(System.nanoTime() - due, LATENCY_MAX_NANOS));
            } else {
              failure.compareAndSet(null, error);
            }
          });
    }
    producer.flush();
  }

  private static void print(String what, Histogram latency) {
    System.out.printf(
        "SlowClientsIT: %s: produce P50 %.2f ms, P99 %.2f ms, max %.2f ms of %,d records%n",
        what,
        latency.getValueAtPercentile(50) / 1e6,
        latency.getValueAtPercentile(99) / 1e6,
        latency.getMaxValue() / 1e6,
        latency.getTotalCount());
  }
}
