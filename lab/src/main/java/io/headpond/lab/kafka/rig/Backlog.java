// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.Pace;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.place.LogsAtHome;
import io.headpond.lab.scenario.Point;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A topic that is full before a load begins, and is read again and again beside it. */
final class Backlog {

  private static final Duration SETTLED_WITHIN = Duration.ofMinutes(5);

  /** The last record may not fit in. */
  private static final double SETTLED = 0.99;

  private static final long SEAL_BUFFER_BYTES = 8 << 20;

  /** Kafka begins a segment when a record is so much newer than the present one's first. */
  private static final long ROLL_MS = 30 * 60_000;

  private final KafkaRig rig;
  private final String topic;
  private final Point point;

  private Backlog(KafkaRig rig, String topic, Point point) {
    this.rig = rig;
    this.topic = topic;
    this.point = point;
  }

  /** Creates a topic and writes the backlog of {@code point} into it. */
  static Backlog write(KafkaRig rig, String topic, Point point, RecordRing ring)
      throws IOException, InterruptedException {
    rig.broker()
        .createTopic(topic, point.partitions(), Map.of("segment.ms", Long.toString(ROLL_MS)));
    SendingPlan plan =
        new SendingPlan(
            List.of(topic),
            point.messageBytes(),
            rig.producers(),
            Pace.FULL_SPEED,
            0,
            1,
            1,
            point.backlogBytes(),
            0,
            false);
    Sending sending =
        new Sending(plan, ring, rig.node()::clientProperties, e -> rig.watch().failed(e));
    sending.start(System.nanoTime());
    try {
      while (!sending.ended()) {
        rig.watch().tick(rig.variant() + ": writing the backlog");
      }
    } finally {
      sending.abandon();
      sending.join();
    }
    rig.watch().check();
    return new Backlog(rig, topic, point);
  }

  /** Lets all of it get old: its last segments are sealed, and it goes where old data lies. */
  void settle(RecordRing ring) throws IOException, InterruptedException {
    try (Producer<byte[], byte[]> producer =
        rig.producers()
            .open(rig.node().clientProperties(), point.messageBytes(), 0, SEAL_BUFFER_BYTES)) {
      long later = System.currentTimeMillis() + 3 * ROLL_MS / 2;
      for (TopicPartition partition : partitions()) {
        producer.send(
            new ProducerRecord<>(topic, partition.partition(), later, ring.key(0), ring.value(0)),
            (metadata, error) -> {
              if (error != null) {
                rig.watch().failed(error);
              }
            });
      }
    } catch (KafkaException e) {
      throw new IOException("the backlog's last segments can't be sealed: " + e.getMessage(), e);
    }
    logs(partitions())
        .await(
            (long) (SETTLED * point.backlogBytes()),
            SETTLED_WITHIN,
            () -> rig.watch().tick(rig.variant() + ": waiting until the backlog lies at home"));
  }

  /** True if a load that wants one can have this. */
  boolean serves(Point other) {
    return other.backlogBytes() == point.backlogBytes() && other.partitions() == point.partitions();
  }

  String topic() {
    return topic;
  }

  List<TopicPartition> partitions() {
    return KafkaRig.partitions(List.of(topic), point.partitions());
  }

  /** Drops from memory what these have on disk. */
  void forget(List<TopicPartition> partitions) throws IOException, InterruptedException {
    if (!rig.broker().logDirOnFast()) {
      logs(partitions).forget();
    }
  }

  private LogsAtHome logs(List<TopicPartition> partitions) {
    Path logDir = rig.node().logDirs().get(0);
    return new LogsAtHome(partitions.stream().map(p -> logDir.resolve(p.toString())).toList());
  }
}
