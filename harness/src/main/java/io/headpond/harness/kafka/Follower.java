// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer that follows a running {@link Workload}, over restarts of the broker too, and compares
 * the content of every record it gets. Only a {@link Verification} afterwards can tell whether any
 * is missing.
 */
public final class Follower implements AutoCloseable {

  private final Workload workload;
  private final LongAdder whole = new LongAdder();
  private final LongAdder corrupt = new LongAdder();
  private final Thread thread;
  private volatile boolean running = true;
  private volatile String error = "";

  /** Starts to follow. */
  public Follower(Workload workload) {
    this.workload = workload;
    this.thread = new Thread(this::follow, "follower-" + workload.settings().topic());
    thread.setDaemon(true);
    thread.start();
  }

  /** Records read so far whose every byte is as sent. */
  public long whole() {
    return whole.sum();
  }

  /** Records read so far with other content. */
  public long corrupt() {
    return corrupt.sum();
  }

  /** The reason why it ended by itself; empty if it didn't. */
  public String error() {
    return error;
  }

  private void follow() {
    Map<String, Object> config = Verification.consumerConfig(workload.clientProperties());
    List<TopicPartition> partitions =
        IntStream.range(0, workload.settings().partitions())
            .mapToObj(p -> new TopicPartition(workload.settings().topic(), p))
            .toList();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      partitions.forEach(p -> consumer.seek(p, 0));
      while (running) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          check(record);
        }
      }
    } catch (KafkaException e) {
      error = e.toString();
    }
  }

  private void check(ConsumerRecord<byte[], byte[]> record) {
    (workload.payload().verify(record.key(), record.value()) >= 0 ? whole : corrupt).increment();
  }

  @Override
  public void close() {
    running = false;
  }
}
