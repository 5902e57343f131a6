// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.process.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic from its start to its end and compares every record with what its {@link Workload}
 * sent and what the broker acknowledged. The workload must be stopped.
 */
public final class Verification {

  /** The acknowledged records that must still be there. */
  public enum Expect {
    /** All of them. */
    EVERYTHING,
    /** Those from the log's start on: for topics with retention or DeleteRecords. */
    FROM_LOG_START,
    /** The last one of each key: for compacted topics. */
    LATEST_PER_KEY
  }

  private static final Duration LIMIT = Patience.ofSeconds(60);

  /** Partitions read together. */
  private static final int GROUP = 64;

  private final Workload workload;
  private final Expect expect;
  private final LongAdder read = new LongAdder();
  private final VerificationReport.Builder report = new VerificationReport.Builder();

  private Verification(Workload workload, Expect expect) {
    this.workload = workload;
    this.expect = expect;
  }

  /** Of a workload's topic, as a reader of committed records sees it. */
  public static Verification of(Workload workload, Expect expect) {
    return new Verification(workload, expect);
  }

  /** Records read so far; any thread. */
  public long recordsRead() {
    return read.sum();
  }

  /** Reads from the broker that the workload wrote to. */
  public VerificationReport run() throws IOException {
    return run(workload.clientProperties());
  }

  /** Reads from any broker of the cluster; once. */
  public VerificationReport run(Map<String, Object> clientProperties) throws IOException {
    Map<String, Object> config = consumerConfig(clientProperties);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, workload.settings().partitions())
              .mapToObj(p -> new TopicPartition(workload.settings().topic(), p))
              .toList();
      Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions, LIMIT);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, LIMIT);
      BitSet ids = new BitSet();
      for (int from = 0; from < partitions.size(); from += GROUP) {
        Map<TopicPartition, Progress> group = new HashMap<>();
        for (TopicPartition p :
            partitions.subList(from, Math.min(from + GROUP, partitions.size()))) {
          long[] expected = workload.acknowledgements().idsByOffset(p.partition());
          group.put(p, new Progress(p, expected, starts.get(p), ends.get(p)));
        }
        verify(consumer, group, ids);
      }
    }
    report.acknowledged = workload.acknowledgements().count();
    long replaced = workload.acknowledgements().replaced();
    if (replaced > 0) {
      report.lost += replaced;
      report.example(replaced + " offsets were given out twice");
    }
    return report.build();
  }

  static Map<String, Object> consumerConfig(Map<String, Object> clientProperties) {
    Map<String, Object> config = new HashMap<>(clientProperties);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5000);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
    config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return config;
  }

  /** The state of one partition while it is read. */
  private static final class Progress {
    private final TopicPartition partition;
    private final long[] expected;
    private final BitSet seen;
    private final Map<Long, Long> lastOffsetOfKey = new HashMap<>();
    private final long end;
    private long start;
    private long position;

    Progress(TopicPartition partition, long[] expected, long start, long end) {
      this.partition = partition;
      this.expected = expected;
      this.seen = new BitSet(expected.length);
      this.start = start;
      this.position = start;
      this.end = end;
    }
  }

  /** Some partitions at a time, so that only their expectations are in memory. */
  private void verify(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Progress> group, BitSet ids)
      throws IOException {
    consumer.assign(group.keySet());
    group.values().forEach(p -> consumer.seek(p.partition, p.start));
    long progressNanos = System.nanoTime();
    while (group.values().stream().anyMatch(p -> p.position < p.end)) {
      poll(consumer, group, ids);
      if (advance(consumer, group)) {
        progressNanos = System.nanoTime();
      } else if (System.nanoTime() - progressNanos > LIMIT.toNanos()) {
        throw new IOException(
            "reading stands still since " + LIMIT.toSeconds() + " s: " + unfinished(group));
      }
    }
    group.values().forEach(this::findMissing);
  }

  private void poll(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Progress> group, BitSet ids) {
    try {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        Progress progress = group.get(new TopicPartition(record.topic(), record.partition()));
        if (record.offset() < progress.end) {
          check(progress, record, ids);
        }
      }
    } catch (OffsetOutOfRangeException e) {
      if (expect != Expect.FROM_LOG_START) {
        throw e;
      }
      // These logs were shortened while they were read.
      consumer
          .beginningOffsets(e.offsetOutOfRangePartitions().keySet(), LIMIT)
          .forEach(
              (partition, start) -> {
                group.get(partition).start = start;
                consumer.seek(partition, start);
              });
    }
  }

  private static boolean advance(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Progress> group) {
    boolean advanced = false;
    for (Progress progress : group.values()) {
      if (progress.position < progress.end) {
        long now = consumer.position(progress.partition);
        advanced |= now > progress.position;
        progress.position = now;
        if (now >= progress.end) {
          consumer.pause(List.of(progress.partition));
        }
      }
    }
    return advanced;
  }

  private static String unfinished(Map<TopicPartition, Progress> group) {
    return group.values().stream()
        .filter(p -> p.position < p.end)
        .limit(3)
        .map(p -> p.partition + " at offset " + p.position + " of " + p.end)
        .toList()
        .toString();
  }

  private void check(Progress progress, ConsumerRecord<byte[], byte[]> record, BitSet ids) {
    read.increment();
    String place = progress.partition + " at offset " + record.offset();
    long id = workload.payload().verify(record.key(), record.value());
    if (id < 0 || id > Integer.MAX_VALUE) {
      report.corrupt++;
      report.example(place + ": content isn't what was sent");
      return;
    }
    if (ids.get((int) id)) {
      report.duplicates++;
      report.example(place + ": record " + id + " is there a second time");
    }
    ids.set((int) id);
    if (expect == Expect.LATEST_PER_KEY) {
      progress.lastOffsetOfKey.put(workload.payload().keyNumber(id), record.offset());
    }
    if (workload.acknowledgements().isAborted(id)) {
      report.abortedSeen++;
      report.example(place + ": record " + id + " belongs to an aborted transaction");
    }
    long acknowledged =
        record.offset() < progress.expected.length ? progress.expected[(int) record.offset()] : -1;
    if (acknowledged == -1) {
      report.unacknowledged++;
    } else if (acknowledged == id) {
      progress.seen.set((int) record.offset());
      report.verified++;
    } else {
      report.corrupt++;
      report.example(
          place + ": record " + acknowledged + " was acknowledged, record " + id + " is there");
    }
  }

  private void findMissing(Progress progress) {
    long[] expected = progress.expected;
    for (int offset = 0; offset < expected.length; offset++) {
      if (expected[offset] == -1 || progress.seen.get(offset)) {
        continue;
      }
      long key = workload.payload().keyNumber(expected[offset]);
      if (expect == Expect.FROM_LOG_START && offset < progress.start) {
        report.expired++;
      } else if (expect == Expect.LATEST_PER_KEY
          && progress.lastOffsetOfKey.getOrDefault(key, -1L) > offset) {
        report.superseded++;
      } else {
        report.lost++;
        report.example(
            progress.partition
                + " at offset "
                + offset
                + ": acknowledged record "
                + expected[offset]
                + " is lost");
      }
    }
  }
}
