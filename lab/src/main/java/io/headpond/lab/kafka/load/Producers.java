// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The producers of a measure, all configured alike but for their patience.
 *
 * @param acks {@code 1} or {@code all}
 * @param compression {@code none}, {@code lz4} or another of Kafka's
 */
public record Producers(String acks, String compression) {

  /** Acknowledgement as soon as the leader has a record. */
  public static final Producers LEADER = new Producers("1", "none");

  /** Acknowledgement when all replicas in sync have a record. */
  public static final Producers ALL = new Producers("all", "none");

  private static final int BATCH_BYTES_MIN = 64 << 10;

  public Producers {
    if (!acks.equals("1") && !acks.equals("all")) {
      throw new IllegalArgumentException("acks is 1 or all, not '" + acks + "'");
    }
  }

  /**
   * One of them.
   *
   * @param config of a client of the broker; it is changed
   * @param lingerMs how long it waits for more records of a batch, milliseconds
   * @param bufferBytes what may wait to be sent
   */
  public Producer<byte[], byte[]> open(
      Map<String, Object> config, int recordBytes, int lingerMs, long bufferBytes) {
    config.put(ProducerConfig.ACKS_CONFIG, acks);
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, acks.equals("all"));
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    config.put(ProducerConfig.LINGER_MS_CONFIG, lingerMs);
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, Math.max(BATCH_BYTES_MIN, 2 * recordBytes));
    config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
