// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker that makes each record durable before it acknowledges it, and its one producer. */
final class DurableSide implements AutoCloseable {

  private static final String TOPIC = "durable";
  private static final String TIER_CAPACITY = "1GiB";
  private static final String SEGMENT_BYTES = Integer.toString(128 << 20);
  private static final int HEAP_MIB = 256;

  private final KafkaNode node;
  private final Map<String, String> topicSettings;
  private final Histogram latencies = new Histogram(3);
  private final List<Double> rates = new ArrayList<>();
  private Producer<byte[], byte[]> producer;

  private DurableSide(KafkaNode node, Map<String, String> topicSettings) {
    this.node = node;
    this.topicSettings = topicSettings;
  }

  /** Kafka with Headpond, and each append durable. */
  static DurableSide headpond(EngineRelease kafka, PlugIn plugIn, Path folder, Path tier)
      throws IOException {
    KafkaNode node =
        node(kafka, folder)
            .with(plugIn)
            .set("headpond.tiers", "fast")
            .set("headpond.tier.fast.paths", Files.createDirectories(tier).toString())
            .set("headpond.tier.fast.capacity", TIER_CAPACITY)
            .set("headpond.tier.fast.migrate.threshold", "-1")
            .set("headpond.durability", "append");
    return new DurableSide(node, Map.of("segment.bytes", SEGMENT_BYTES));
  }

  /** Unmodified Kafka that forces each record. */
  static DurableSide forced(EngineRelease kafka, Path folder) throws IOException {
    return new DurableSide(
        node(kafka, folder), Map.of("segment.bytes", SEGMENT_BYTES, "flush.messages", "1"));
  }

  private static KafkaNode node(EngineRelease kafka, Path folder) throws IOException {
    Path logDir = Files.createDirectories(folder.resolve("kafka-logs"));
    Path own = Files.createDirectories(folder.resolve("broker"));
    return new KafkaNode(kafka, 1, own, List.of(logDir)).heapMiB(HEAP_MIB);
  }

  /** Begins to start it; {@link #open} waits for it. */
  void launch() throws IOException, InterruptedException {
    node.format().launch();
  }

  /** Makes the topic and the producer. */
  void open() throws IOException, InterruptedException {
    node.awaitReady();
    Topics.create(node, TOPIC, 1, 1, topicSettings);
    Map<String, Object> config = node.clientProperties();
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends records one after the other, each when the one before is acknowledged. */
  void warmUp(Duration length, byte[] value) throws IOException, InterruptedException {
    send(length, value, new Histogram(3));
  }

  /** The same, counted. */
  void turn(Duration length, byte[] value) throws IOException, InterruptedException {
    rates.add(send(length, value, latencies));
  }

  private double send(Duration length, byte[] value, Histogram answered)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long end = begun + length.toNanos();
    long sent = begun;
    long records = 0;
    while (sent < end) {
      try {
        producer.send(new ProducerRecord<>(TOPIC, value)).get();
      } catch (ExecutionException e) {
        throw new IOException("a record wasn't acknowledged\n" + node.tail(), e.getCause());
      }
      long now = System.nanoTime();
      answered.recordValue(now - sent);
      records++;
      sent = now;
    }
    return records / ((sent - begun) / 1e9);
  }

  /** Records per second of each turn. */
  List<Double> rates() {
    return rates;
  }

  /** The 99th percentile over all turns, in milliseconds. */
  double p99Ms() {
    return latencies.getValueAtPercentile(99) / 1e6;
  }

  /** Kills the broker if it lives; by any thread. */
  void kill() throws InterruptedException {
    if (node.running()) {
      node.kill();
    }
  }

  @Override
  public void close() throws IOException {
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
    node.close();
  }
}
