// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.kafka.KafkaNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads a topic: first once, comparing every record, which also brings all of it into the page
 * cache; then again and again, as fast as the broker hands it out, by a consumer that looks at
 * sizes only.
 */
final class Fetching {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long SILENCE_NANOS = 30_000_000_000L;
  private static final double RAMP_SHARE = 0.2;

  private final KafkaNode node;
  private final List<TopicPartition> partitions;
  private final RecordRing ring;
  private final Watch watch;

  Fetching(KafkaNode node, String topic, int partitions, RecordRing ring, Watch watch) {
    this.node = node;
    this.partitions =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    this.ring = ring;
    this.watch = watch;
  }

  /** Reads everything once; an error if a record isn't as it was sent, or if some are missing. */
  void verify(String text, long expectedRecords) throws IOException {
    try (Consumer<byte[], byte[]> consumer = open(new ByteArrayDeserializer(), true)) {
      long records = 0;
      long silentSince = System.nanoTime();
      while (records < expectedRecords) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> r : polled) {
          if (!ring.holds(r.key(), r.value())) {
            throw new IOException(
                "record " + r.topic() + "-" + r.partition() + " " + r.offset() + " is corrupt");
          }
        }
        records += polled.count();
        silentSince = stillHeard(polled, silentSince, records + " of " + expectedRecords);
        watch.progress(String.format(Locale.ROOT, "%s, comparing all records, %,d", text, records));
      }
      long end = consumer.endOffsets(partitions).values().stream().mapToLong(o -> o).sum();
      if (end != expectedRecords) {
        throw new IOException(
            expectedRecords + " records were acknowledged, and the log ends after " + end);
      }
    }
  }

  /** Reads for a ramp of a fifth of {@code seconds}, then measures for {@code seconds}. */
  ThroughputFigures run(String text, double seconds) throws IOException {
    try (Consumer<Integer, Integer> consumer = open(new SizeDeserializer(), false)) {
      Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
      Totals ramp = new Totals();
      read(consumer, ends, text, RAMP_SHARE * seconds, ramp);
      CpuTime cpu = CpuTime.soFar(node);
      Totals totals = new Totals();
      long start = System.nanoTime();
      read(consumer, ends, text, seconds, totals);
      long nanos = System.nanoTime() - start;
      if (totals.records == 0) {
        throw new IOException(
            "nothing was read within " + seconds + " s; measure for more --seconds");
      }
      return ThroughputFigures.of(
          nanos, totals.records, totals.bytes, CpuTime.soFar(node).since(cpu));
    }
  }

  private static final class Totals {
    private long records;
    private long bytes;
  }

  private void read(
      Consumer<Integer, Integer> consumer,
      Map<TopicPartition, Long> ends,
      String text,
      double seconds,
      Totals totals)
      throws IOException {
    long start = System.nanoTime();
    long silentSince = start;
    for (double passed = 0; passed < seconds; passed = (System.nanoTime() - start) / 1e9) {
      ConsumerRecords<Integer, Integer> polled = consumer.poll(POLL);
      for (ConsumerRecord<Integer, Integer> r : polled) {
        totals.bytes += r.key() + r.value();
      }
      totals.records += polled.count();
      for (TopicPartition partition : polled.partitions()) {
        if (consumer.position(partition) >= ends.get(partition)) {
          consumer.seekToBeginning(List.of(partition));
        }
      }
      silentSince = stillHeard(polled, silentSince, "the records");
      watch.progress(
          String.format(
              Locale.ROOT,
              "%s, %.0f s, %,.0f MB/s",
              text,
              passed,
              passed == 0 ? 0 : totals.bytes / passed / 1e6));
    }
  }

  private long stillHeard(ConsumerRecords<?, ?> polled, long silentSince, String what)
      throws IOException {
    watch.check();
    long now = System.nanoTime();
    if (polled.isEmpty() && now - silentSince > SILENCE_NANOS) {
      throw new IOException("the broker stopped handing out " + what + "\n" + node.tail());
    }
    return polled.isEmpty() ? silentSince : now;
  }

  private <T> Consumer<T, T> open(Deserializer<T> deserializer, boolean checksums) {
    Map<String, Object> config = node.clientProperties();
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.CHECK_CRCS_CONFIG, checksums);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 8 << 20);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    // A partition that was read to its end must not hold up the others.
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 1);
    Consumer<T, T> consumer = new KafkaConsumer<>(config, deserializer, deserializer);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
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
