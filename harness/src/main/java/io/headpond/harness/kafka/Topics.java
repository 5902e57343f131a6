// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.process.Patience;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Creates topics of a broker and waits until they can be used. */
public final class Topics {

  private static final long LIMIT_SECONDS = Patience.ofSeconds(120).toSeconds();

  private Topics() {}

  /**
   * Creates {@code topic} and waits until each partition has a leader that answers, and all its
   * replicas are in sync.
   */
  public static void create(
      KafkaNode node, String topic, int partitions, int replicas, Map<String, String> configuration)
      throws IOException, InterruptedException {
    try (Admin admin = node.admin()) {
      admin
          .createTopics(
              List.of(new NewTopic(topic, partitions, (short) replicas).configs(configuration)))
          .all()
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      awaitUsable(node, admin, topic, partitions, replicas);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("topic " + topic + " couldn't be created\n" + node.tail(), e);
    }
  }

  /** Waits until each partition has a leader that answers, and all its replicas are in sync. */
  public static void awaitUsable(
      KafkaNode node, Admin admin, String topic, int partitions, int replicas)
      throws IOException, InterruptedException {
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (!usable(admin, topic, partitions, replicas)) {
        if (System.nanoTime() > deadline) {
          throw new IOException(
              "topic " + topic + " isn't usable after " + LIMIT_SECONDS + " s\n" + node.tail());
        }
        LockSupport.parkNanos(20_000_000);
      }
      awaitLeaders(admin, topic, partitions);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("topic " + topic + " doesn't answer\n" + node.tail(), e);
    }
  }

  /** Deletes {@code topic}; the broker removes its files in the background. */
  public static void delete(KafkaNode node, String topic) throws IOException, InterruptedException {
    try (Admin admin = node.admin()) {
      admin.deleteTopics(List.of(topic)).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("topic " + topic + " couldn't be deleted\n" + node.tail(), e);
    }
  }

  /**
   * Asks each leader for its log's end, which it answers when it has really taken over. A producer
   * that comes earlier may have its first batch refused and its second one accepted; an idempotent
   * one then repeats the first until it expires (OutOfOrderSequenceException, incoming 0).
   */
  private static void awaitLeaders(Admin admin, String topic, int partitions)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    admin.listOffsets(ends).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static boolean usable(Admin admin, String topic, int partitions, int replicas)
      throws InterruptedException, TimeoutException {
    try {
      TopicDescription description =
          admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get(LIMIT_SECONDS, TimeUnit.SECONDS)
              .get(topic);
      return description.partitions().size() == partitions
          && description.partitions().stream()
              .allMatch(
                  p -> p.leader() != null && !p.leader().isEmpty() && p.isr().size() == replicas);
    } catch (ExecutionException e) {
      return false; // not yet known to this broker
    }
  }
}
