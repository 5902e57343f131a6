// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import io.headpond.harness.kafka.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A remote store of Kafka's tiered storage (KIP-405): Kafka's own {@code LocalTieredStorage} in a
 * folder that can be out of reach.
 */
final class RemoteStore {
  /** Of its topics: as small as Kafka takes. */
  static final int SEGMENT_BYTES = 1 << 20;

  private final Path store;
  private final Path way;

  /**
   * Nothing in it, and within reach.
   *
   * @param folder an empty folder of its own
   */
  RemoteStore(final Path folder) throws IOException {
    store = Files.createDirectory(folder.resolve("store"));
    way = folder.resolve("way");
    reach(store);
  }

  /** Makes a broker keep what it uploads here; before its first start. */
  void serve(final HeadpondBroker broker) {
    broker
        .node()
        .set("remote.log.storage.system.enable", "true")
        .set(
            "remote.log.storage.manager.class.name",
            "org.apache.kafka.server.log.remote.storage.LocalTieredStorage")
        .set("remote.log.storage.manager.class.path", System.getProperty("headpond.kafka.remote"))
        .set("remote.log.storage.manager.impl.prefix", "rsm.config.")
        .set("rsm.config.dir", way.toString())
        .set("rsm.config.delete.on.close", "false")
        .set("remote.log.metadata.manager.listener.name", "PLAINTEXT")
        .set("rlmm.config.remote.log.metadata.topic.replication.factor", "1")
        .set("rlmm.config.remote.log.metadata.topic.num.partitions", "2")
        .set("remote.log.manager.task.interval.ms", "500");
  }

  /** A topic with segments of 1 MiB, uploaded as soon as they are sealed. */
  static void createTopic(
      final HeadpondBroker broker,
      final String topic,
      final int partitions,
      final int localRetentionBytes)
      throws IOException, InterruptedException {
    Topics.create(
        broker.node(),
        topic,
        partitions,
        1,
        Map.of(
            "segment.bytes",
            Integer.toString(SEGMENT_BYTES),
            "remote.storage.enable",
            "true",
            "local.retention.bytes",
            Integer.toString(localRetentionBytes),
            "file.delete.delay.ms",
            "500"));
  }

  /** From now on every upload, read and deletion fails; what is in the store stays there. */
  void fail() throws IOException {
    // The way to every file leads through a plain file: not a directory.
    Path file = way.resolveSibling("failed");
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    reach(file);
  }

  /** The store is back, with what it held. */
  void recover() throws IOException {
    reach(store);
  }

  /** Number of segments in it. */
  long segments() throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(file -> file.toString().endsWith(".log")).count();
    }
  }

  /** The first offset that a broker still has in its log directory. */
  static long firstLocalOffset(final Admin admin, final TopicPartition partition) throws Exception {
    return offset(admin, partition, OffsetSpec.earliestLocal());
  }

  /** The offset of a partition that a request asks for. */
  static long offset(final Admin admin, final TopicPartition partition, final OffsetSpec which)
      throws Exception {
    return admin
        .listOffsets(Map.of(partition, which))
        .partitionResult(partition)
        .get(30, TimeUnit.SECONDS)
        .offset();
  }

  /** By rename: at no instant is there neither the one nor the other. */
  private void reach(final Path target) throws IOException {
    Path next = Files.createSymbolicLink(way.resolveSibling("next"), target);
    Files.move(next, way, StandardCopyOption.ATOMIC_MOVE);
  }
}
