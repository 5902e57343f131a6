// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.lab.kafka.variant.Watch;
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
 * Reads a whole topic once, and compares every record; all of it is in the page cache then.
 *
 * @param node one that is reached; it must live
 * @param ring what the records were made from
 */
public record TopicCheck(
    KafkaNode node, String topic, int partitions, RecordRing ring, Watch watch) {

  private static final long SILENCE_NANOS = 30_000_000_000L;

  /**
   * Reads it; an error if a record isn't as it was sent, or if there are fewer or more than {@code
   * expectedRecords}.
   *
   * @param text what is done, for the progress
   */
  public void verify(String text, long expectedRecords) throws IOException {
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    try (Consumer<byte[], byte[]> consumer =
        Rereading.open(node.clientProperties(), new ByteArrayDeserializer(), true)) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      long records = 0;
      long heard = System.nanoTime();
      while (records < expectedRecords) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Rereading.POLL);
        for (ConsumerRecord<byte[], byte[]> r : polled) {
          if (!ring.holds(r.key(), r.value())) {
            throw new IOException(
                "record " + r.topic() + "-" + r.partition() + " " + r.offset() + " is corrupt");
          }
        }
        records += polled.count();
        watch.check();
        heard = polled.isEmpty() ? heard : System.nanoTime();
        if (System.nanoTime() - heard > SILENCE_NANOS) {
          throw new IOException(
              String.format(
                  "the broker stopped handing out %d of %d records%n%s",
                  records, expectedRecords, node.tail()));
        }
        watch.progress(String.format(Locale.ROOT, "%s, comparing all records, %,d", text, records));
      }
      long end = consumer.endOffsets(all).values().stream().mapToLong(o -> o).sum();
      if (end != expectedRecords) {
        throw new IOException(
            expectedRecords + " records were acknowledged, and the log ends after " + end);
      }
    }
  }
}
