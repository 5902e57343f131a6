// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

import io.headpond.harness.kafka.KafkaNode;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producers of the measures, all configured alike but for their patience. */
public final class Producers {

  private static final int BATCH_BYTES_MIN = 64 << 10;
  private static final long BUFFER_BYTES = 64 << 20;

  private Producers() {}

  /**
   * A producer for {@code load}.
   *
   * @param lingerMs how long it waits for more records of a batch, milliseconds
   */
  public static Producer<byte[], byte[]> open(KafkaNode node, Load load, int lingerMs) {
    return open(node.clientProperties(), load, lingerMs, BUFFER_BYTES);
  }

  /**
   * The same for any broker.
   *
   * @param config to begin with; it is changed
   * @param bufferBytes what may wait to be sent
   */
  public static Producer<byte[], byte[]> open(
      Map<String, Object> config, Load load, int lingerMs, long bufferBytes) {
    config.put(ProducerConfig.ACKS_CONFIG, load.acks());
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, load.acks().equals("all"));
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, load.compression());
    config.put(ProducerConfig.LINGER_MS_CONFIG, lingerMs);
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, Math.max(BATCH_BYTES_MIN, 2 * load.recordBytes()));
    config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
