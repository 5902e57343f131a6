// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads what partitions hold now again and again, as fast as the broker hands it out, and looks at
 * sizes only. One thread.
 */
public final class Rereading implements AutoCloseable {

  /** A partition that was read to its end must not hold up the others. */
  private static final int BRIEF_MS = 1;

  /** Longest wait for some records. */
  public static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<Integer, Integer> consumer;
  private final Map<TopicPartition, Long> ends;
  private final Again again;
  private long records;
  private long bytes;

  /** Is told before a partition that was read to its end is read again. */
  public interface Again {
    void from(TopicPartition partition);
  }

  /**
   * Begins with what there is first.
   *
   * @param config of a client of the broker; it is changed
   */
  public Rereading(Map<String, Object> config, List<TopicPartition> partitions, Again again) {
    this.again = again;
    this.consumer = open(config, new SizeDeserializer(), false);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    this.ends = new HashMap<>(consumer.endOffsets(partitions));
  }

  /**
   * A consumer without group and partitions. The broker answers a fetch at once, with nothing if
   * there is nothing, unless the configuration has another wait.
   *
   * @param config of a client of the broker; it is changed
   */
  public static <T> Consumer<T, T> open(
      Map<String, Object> config, Deserializer<T> deserializer, boolean checksums) {
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.CHECK_CRCS_CONFIG, checksums);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 8 << 20);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    config.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, BRIEF_MS);
    return new KafkaConsumer<>(config, deserializer, deserializer);
  }

  /** Reads some; false if the broker gave nothing for a moment. */
  public boolean poll() {
    ConsumerRecords<Integer, Integer> polled = consumer.poll(POLL);
    for (ConsumerRecord<Integer, Integer> r : polled) {
      // A record without a key has none to be measured.
      bytes += (r.key() == null ? 0 : r.key()) + r.value();
    }
    records += polled.count();
    for (TopicPartition partition : polled.partitions()) {
      if (consumer.position(partition) >= ends.get(partition)) {
        again.from(partition);
        consumer.seekToBeginning(List.of(partition));
      }
    }
    return !polled.isEmpty();
  }

  /** Records read so far. */
  public long records() {
    return records;
  }

  /** Bytes of their keys and values. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** A key or value's size, its bytes left where they are. */
  private static final class SizeDeserializer implements Deserializer<Integer> {
    @Override
    public Integer deserialize(String topic, byte[] data) {
      return data == null ? 0 : data.length;
    }

    @Override
    public Integer deserialize(String topic, Headers headers, ByteBuffer data) {
      return data == null ? 0 : data.remaining();
    }
  }
}
