// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import io.headpond.harness.load.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Records of one topic, and when each of them was acknowledged. One load at a time. */
final class TimedRecords {
  /** Some 8 MiB/s of 1 KiB each. */
  private static final int BURST = 80;

  private static final long PAUSE_NANOS = 10_000_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String topic;
  private final Map<String, Object> client;
  private final Payload payload;
  private final List<ConcurrentSkipListMap<Long, Acknowledged>> partitions;
  private long nextId;

  /**
   * One acknowledged record.
   *
   * @param atMs when its producer was told, milliseconds since 1970
   */
  record Acknowledged(long id, long atMs) {}

  /**
   * Those that are gone.
   *
   * @param firstMs when the first of them was acknowledged
   * @param lastMs when the last record at all was
   */
  record Lost(int records, long firstMs, long lastMs) {}

  TimedRecords(String topic, int partitions, long seed, Map<String, Object> client) {
    this.topic = topic;
    this.client = client;
    payload = new Payload(seed, 1024, true, 1000);
    this.partitions =
        IntStream.range(0, partitions)
            .mapToObj(p -> new ConcurrentSkipListMap<Long, Acknowledged>())
            .toList();
  }

  /** A producer at work, whose broker may be killed. */
  final class Load implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread = new Thread(this::run, "timed-records");
    private volatile boolean running = true;
    private volatile long acknowledged;

    Load(String acks) {
      Map<String, Object> settings = new HashMap<>(client);
      settings.put(ProducerConfig.ACKS_CONFIG, acks);
      settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
      settings.put(ProducerConfig.RETRIES_CONFIG, 0);
      settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
      producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      while (running) {
        for (int i = 0; i < BURST && running; i++) {
          send(nextId++);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void send(long id) {
      int partition = (int) (id % partitions.size());
      producer.send(
          new ProducerRecord<>(topic, partition, payload.key(id), payload.value(id)),
          (metadata, failure) -> {
            if (failure == null) {
              Acknowledged answer = new Acknowledged(id, System.currentTimeMillis());
              partitions.get(partition).put(metadata.offset(), answer);
              acknowledged++; // by the producer's one thread
            }
          });
    }

    long acknowledged() {
      return acknowledged;
    }

    @Override
    public void close() {
      running = false;
      producer.close(Duration.ZERO);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Reads everything; what is there is as it was sent, and at its offset. Those that are gone are
   * forgotten: their offsets will be given out again.
   */
  Lost takeLost() {
    int lost = 0;
    long firstMs = Long.MAX_VALUE;
    long lastMs = 0;
    List<Map<Long, Long>> there = read();
    for (int p = 0; p < partitions.size(); p++) {
      for (Map.Entry<Long, Acknowledged> each : List.copyOf(partitions.get(p).entrySet())) {
        Long id = there.get(p).get(each.getKey());
        lastMs = Math.max(lastMs, each.getValue().atMs());
        if (id == null) {
          lost++;
          firstMs = Math.min(firstMs, each.getValue().atMs());
          partitions.get(p).remove(each.getKey());
        } else if (id != each.getValue().id()) {
          throw new AssertionError(
              topic + "-" + p + " at offset " + each.getKey() + ": another record, " + id);
        }
      }
    }
    return new Lost(lost, firstMs, lastMs);
  }

  long acknowledged() {
    return partitions.stream().mapToLong(Map::size).sum();
  }

  private List<Map<Long, Long>> read() {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    List<Map<Long, Long>> found = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (int p = 0; p < partitions.size(); p++) {
        found.add(read(consumer, new TopicPartition(topic, p)));
      }
    }
    return found;
  }

  private Map<Long, Long> read(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    Map<Long, Long> found = new HashMap<>();
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = consumer.endOffsets(List.of(partition), LIMIT).get(partition);
    long progressNanos = System.nanoTime();
    while (consumer.position(partition, LIMIT) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        long id = payload.verify(record.key(), record.value());
        if (id < 0) {
          throw new AssertionError(partition + " at offset " + record.offset() + ": altered");
        }
        found.put(record.offset(), id);
        progressNanos = System.nanoTime();
      }
      if (System.nanoTime() - progressNanos > LIMIT.toNanos()) {
        throw new AssertionError(partition + ": reading stands still before " + end);
      }
    }
    return found;
  }
}
