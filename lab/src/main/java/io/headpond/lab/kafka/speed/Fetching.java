// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.load.Rereading;
import io.headpond.lab.kafka.variant.Watch;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** Reads a topic again and again ({@link Rereading}). */
final class Fetching {

  private static final long SILENCE_NANOS = 30_000_000_000L;
  private static final double RAMP_SHARE = 0.2;

  private final KafkaNode node;
  private final List<TopicPartition> partitions;
  private final Watch watch;

  /**
   * Of a whole topic.
   *
   * @param node one that is reached; it must live
   */
  Fetching(KafkaNode node, String topic, int partitions, Watch watch) {
    this.node = node;
    this.partitions =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    this.watch = watch;
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
