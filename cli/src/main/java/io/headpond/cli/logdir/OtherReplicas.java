// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the rest of the cluster whether it still has what this broker has lost. */
final class OtherReplicas {
  private static final int TIMEOUT_MS = 15_000;

  private final int nodeId;
  private final Map<String, KafkaFuture<TopicDescription>> topics;

  private OtherReplicas(int nodeId, Map<String, KafkaFuture<TopicDescription>> topics) {
    this.nodeId = nodeId;
    this.topics = topics;
  }

  /** The replicas of a partition on other brokers. */
  enum Answer {
    /** An in-sync replica on another broker: followers bring everything back. */
    IN_SYNC,
    /** Other replicas, but none in sync: records that only this broker had are lost. */
    NOT_IN_SYNC,
    /** No other replica at all: the partition comes back empty. */
    NONE,
    /** The cluster doesn't know the topic: it was deleted. */
    DELETED,
    /** Nobody was asked. */
    UNKNOWN;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Asks about topics.
   *
   * @param servers {@code host:port,...} of the brokers that still run
   * @param clientSettings a client properties file (TLS, SASL); null for none
   */
  static OtherReplicas ask(
      Path logDir, String servers, Path clientSettings, List<TierLoss.Partition> partitions)
      throws IOException {
    Properties settings = new Properties();
    if (clientSettings != null) {
      try (Reader in = Files.newBufferedReader(clientSettings)) {
        settings.load(in);
      }
    }
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    settings.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 3);
    List<String> names = partitions.stream().map(TierLoss.Partition::topic).distinct().toList();
    int nodeId = nodeId(logDir);
    try (Admin admin = Admin.create(settings)) {
      Map<String, KafkaFuture<TopicDescription>> topics =
          admin.describeTopics(names).topicNameValues();
      for (KafkaFuture<TopicDescription> topic : topics.values()) {
        await(topic, servers);
      }
      return new OtherReplicas(nodeId, topics);
    }
  }

  private static void await(KafkaFuture<TopicDescription> topic, String servers) {
    try {
      topic.get(2L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw unreachable(servers, e.getCause());
      }
    } catch (TimeoutException e) {
      throw unreachable(servers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(servers, e);
    }
  }

  private static CommandFailure unreachable(String servers, Throwable cause) {
    return new CommandFailure(
        "the cluster at " + servers + " doesn't answer (" + cause.getMessage() + ")",
        "check --bootstrap-server and --command-config, or leave them out (nothing was changed)",
        cause);
  }

  /** This broker's id, from the file that Kafka writes into each log directory. */
  private static int nodeId(Path logDir) throws IOException {
    Path file = logDir.resolve("meta.properties");
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
      String id = properties.getProperty("node.id", properties.getProperty("broker.id", ""));
      return Integer.parseInt(id.trim());
    } catch (NumberFormatException e) {
      throw new CommandFailure(file + " has no node.id", "leave out --bootstrap-server", e);
    }
  }

  /** The replicas of one partition. */
  Answer of(TierLoss.Partition partition) {
    TopicDescription topic;
    try {
      topic = topics.get(partition.topic()).getNow(null);
    } catch (RuntimeException | InterruptedException | ExecutionException unknownTopic) {
      return Answer.DELETED;
    }
    if (partition.number() >= topic.partitions().size()) {
      return Answer.DELETED;
    }
    TopicPartitionInfo info = topic.partitions().get(partition.number());
    if (others(info.isr()).isEmpty()) {
      return others(info.replicas()).isEmpty() ? Answer.NONE : Answer.NOT_IN_SYNC;
    }
    return Answer.IN_SYNC;
  }

  private List<Integer> others(List<Node> nodes) {
    return nodes.stream().map(Node::id).filter(id -> id != nodeId).collect(Collectors.toList());
  }
}
