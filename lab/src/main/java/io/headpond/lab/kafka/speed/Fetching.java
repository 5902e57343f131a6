// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.lab.comparison.CpuTime;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic: first once, comparing every record, which also brings all of it into the page
 * cache; then again and again ({@link Rereading}).
 */
public final class Fetching {

  private static final long SILENCE_NANOS = 30_000_000_000L;
  private static final double RAMP_SHARE = 0.2;

  private final KafkaNode node;
  private final List<TopicPartition> partitions;
  private final RecordRing ring;
  private final Watch watch;

  /**
   * Of a whole topic.
   *
   * @param node one that is reached; it must live
   * @param ring what the records were made from
   */
  public Fetching(KafkaNode node, String topic, int partitions, RecordRing ring, Watch watch) {
    this.node = node;
    this.partitions =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    this.ring = ring;
    this.watch = watch;
  }

  /**
   * Reads everything once; an error if a record isn't as it was sent, or if there are fewer or more
   * than {@code expectedRecords}.
   *
   * @param text what is done, for the progress
   */
  public void verify(String text, long expectedRecords) throws IOException {
    try (Consumer<byte[], byte[]> consumer =
        Rereading.open(node.clientProperties(), new ByteArrayDeserializer(), true)) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long records = 0;
      long silentSince = System.nanoTime();
      while (records < expectedRecords) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Rereading.POLL);
        for (ConsumerRecord<byte[], byte[]> r : polled) {
          if (!ring.holds(r.key(), r.value())) {
            throw new IOException(
                "record " + r.topic() + "-" + r.partition() + " " + r.offset() + " is corrupt");
          }
        }
        records += polled.count();
        silentSince =
            stillHeard(!polled.isEmpty(), silentSince, records + " of " + expectedRecords);
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
    try (Rereading reading = new Rereading(node.clientProperties(), partitions, again -> {})) {
      read(reading, text, RAMP_SHARE * seconds);
      CpuTime cpu = CpuTime.besideThisProcess(node.cpuTime());
      long records = reading.records();
      long bytes = reading.bytes();
      long start = System.nanoTime();
      read(reading, text, seconds);
      long nanos = System.nanoTime() - start;
      if (reading.records() == records) {
        throw new IOException(
            "nothing was read within " + seconds + " s; measure for more --seconds");
      }
      return ThroughputFigures.of(
          nanos,
          reading.records() - records,
          reading.bytes() - bytes,
          CpuTime.besideThisProcess(node.cpuTime()).since(cpu));
    }
  }

  private void read(Rereading reading, String text, double seconds) throws IOException {
    long start = System.nanoTime();
    long bytes = reading.bytes();
    long silentSince = start;
    for (double passed = 0; passed < seconds; passed = (System.nanoTime() - start) / 1e9) {
      silentSince = stillHeard(reading.poll(), silentSince, "the records");
      watch.progress(
          String.format(
              Locale.ROOT,
              "%s, %.0f s, %,.0f MB/s",
              text,
              passed,
              passed == 0 ? 0 : (reading.bytes() - bytes) / passed / 1e6));
    }
  }

  private long stillHeard(boolean heard, long silentSince, String what) throws IOException {
    watch.check();
    long now = System.nanoTime();
    if (!heard && now - silentSince > SILENCE_NANOS) {
      throw new IOException("the broker stopped handing out " + what + "\n" + node.tail());
    }
    return heard ? now : silentSince;
  }
}
