// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.lab.kafka.load.Rereading;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer that waits for what is sent, and says how long it took. */
final class Tail implements Runnable {

  private static final Duration POLL = Duration.ofMillis(50);

  /** Kafka's default: a consumer that asks again at once takes the processors from the broker. */
  private static final int FETCH_WAIT_MS = 500;

  private final KafkaLoad load;
  private final Consumer<byte[], byte[]> consumer;

  /** Stands at the partitions' end from now on. */
  Tail(KafkaLoad load, List<TopicPartition> partitions) {
    this.load = load;
    Map<String, Object> config = load.rig().node().clientProperties();
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    this.consumer = Rereading.open(config, new ByteArrayDeserializer(), true);
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  @Override
  public void run() {
    try (consumer) {
      while (load.reading()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          long due = ByteBuffer.wrap(record.headers().lastHeader(Sender.DUE).value()).getLong();
          load.arrived(System.nanoTime() - due);
        }
      }
    } catch (KafkaException e) {
      load.failed(e);
    }
  }
}
