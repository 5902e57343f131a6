// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the rest of the cluster whether it still has what this broker has lost. */
final class OtherReplicas {
  private static final int TIMEOUT_MS = 15_000;
  private static final int SHOWN_MAX = 1_000;

  /** After a kill a broker counts for {@code broker.session.timeout.ms}, 9 s by default. */
  private static final long SESSION_NANOS_MAX = TimeUnit.SECONDS.toNanos(45);

  private static final long SESSION_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Path logDir;
  private final String servers;
  private final Properties own;
  private final List<LogDirLoss.Partition> partitions;
  private final Map<LogDirLoss.Partition, Answer> answers = new HashMap<>();

  private OtherReplicas(
      Path logDir, String servers, Properties own, List<LogDirLoss.Partition> partitions) {
    this.logDir = logDir;
    this.servers = servers;
    this.own = own;
    this.partitions = partitions;
  }

  /** The replicas of a partition on other brokers. */
  enum Answer {
    /** Another broker leads, and this one isn't in sync: a follower brings everything back. */
    IN_SYNC,
    /**
     * Another broker is in sync, but so is this one by the cluster's count: it may be made the
     * leader of what it no longer has.
     */
    STILL_COUNTED,
    /** Other replicas, but none in sync that is up: records that only this broker had are lost. */
    NOT_IN_SYNC,
    /** No other replica at all: the partition comes back with what is left here. */
    NONE,
    /** The cluster doesn't know the topic: it was deleted. */
    DELETED,
    /** Nobody was asked. */
    UNKNOWN;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Answer of(String key) {
      return valueOf(key.toUpperCase(Locale.ROOT));
    }

    /** True if nothing is lost that the cluster has acknowledged. */
    boolean safe() {
      return this == IN_SYNC || this == DELETED;
    }
  }

  /**
   * Asks about topics, and their leaders whether they are up. Waits until the cluster has noticed
   * who is down, this broker for one, for as long as that may take.
   *
   * @param servers {@code host:port,...} of the brokers that still run
   * @param clientSettings a client properties file (TLS, SASL); null for none
   */
  static Map<LogDirLoss.Partition, Answer> ask(
      Path logDir, String servers, Path clientSettings, List<LogDirLoss.Partition> partitions)
      throws IOException {
    Properties settings = clientSettings == null ? new Properties() : properties(clientSettings);
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    settings.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 3);
    Properties own = properties(logDir.resolve("meta.properties"));
    OtherReplicas replicas = new OtherReplicas(logDir, servers, own, partitions);
    replicas.nodeId();
    try (Admin admin = Admin.create(settings)) {
      replicas.sameCluster(admin);
      long deadline = System.nanoTime() + SESSION_NANOS_MAX;
      while (!replicas.settled(admin) && System.nanoTime() < deadline) {
        LockSupport.parkNanos(SESSION_PAUSE_NANOS);
      }
    }
    return replicas.answers;
  }

  /**
   * Looks once. False if a broker that is down may still be counted, this one or a leader: sessions
   * end one by one.
   */
  private boolean settled(Admin admin) throws IOException {
    List<String> names = partitions.stream().map(LogDirLoss.Partition::topic).distinct().toList();
    Map<String, KafkaFuture<TopicDescription>> topics =
        admin.describeTopics(names).topicNameValues();
    Map<TopicPartition, OffsetSpec> led = new HashMap<>();
    for (LogDirLoss.Partition partition : partitions) {
      Answer answer = answer(partition, await(topics.get(partition.topic())));
      answers.put(partition, answer);
      if (answer == Answer.IN_SYNC) {
        led.put(partition.id(), OffsetSpec.latest());
      }
    }
    ListOffsetsResult ends = admin.listOffsets(led);
    boolean settled = true;
    for (LogDirLoss.Partition partition : partitions) {
      if (led.containsKey(partition.id()) && !answered(ends.partitionResult(partition.id()))) {
        answers.put(partition, Answer.NOT_IN_SYNC);
        settled = false;
      }
      settled &= answers.get(partition) != Answer.STILL_COUNTED;
    }
    return settled;
  }

  private static boolean answered(KafkaFuture<?> answer) {
    try {
      answer.get(2L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Another cluster may have topics of the same names. */
  private void sameCluster(Admin admin) {
    String mine = own.getProperty("cluster.id");
    String theirs = await(admin.describeCluster().clusterId());
    if (mine != null && !mine.equals(theirs)) {
      throw new CommandFailure(
          servers + " is cluster " + theirs + ", and " + logDir + " belongs to cluster " + mine,
          "give --bootstrap-server of the right cluster (nothing was changed)");
    }
  }

  /** The answer; null if the cluster doesn't know the topic. */
  private <T> T await(KafkaFuture<T> answer) {
    try {
      return answer.get(2L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return null;
      }
      throw unreachable(e.getCause());
    } catch (TimeoutException e) {
      throw unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(e);
    }
  }

  private CommandFailure unreachable(Throwable cause) {
    List<TopicPartition> shown =
        partitions.stream().map(LogDirLoss.Partition::id).limit(SHOWN_MAX).toList();
    int more = partitions.size() - shown.size();
    return new CommandFailure(
        "the cluster at "
            + servers
            + " doesn't answer ("
            + cause.getMessage()
            + "), so nobody says who else has "
            + TopicWords.of(shown)
            + (more > 0 ? " and " + more + " more" : ""),
        "check --bootstrap-server and --command-config, and that other brokers run (nothing was"
            + " changed)",
        cause);
  }

  private static Properties properties(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    return properties;
  }

  /** This broker's id, from the file that Kafka writes into each log directory. */
  private int nodeId() {
    try {
      return Integer.parseInt(own.getProperty("node.id", own.getProperty("broker.id", "")).trim());
    } catch (NumberFormatException e) {
      throw new CommandFailure(
          logDir.resolve("meta.properties") + " has no node.id", "leave out --bootstrap-server", e);
    }
  }

  private Answer answer(LogDirLoss.Partition partition, TopicDescription topic) throws IOException {
    if (topic == null
        || partition.number() >= topic.partitions().size()
        || !sameTopic(topic, partition.directory())) {
      return Answer.DELETED;
    }
    return of(topic.partitions().get(partition.number()), nodeId());
  }

  /**
   * Judges what the cluster says of a partition. In-sync replicas may all be down; a leader has
   * everything that was acknowledged.
   *
   * @param self this broker's id
   */
  static Answer of(TopicPartitionInfo info, int self) {
    if (others(info.isr(), self).isEmpty()) {
      return others(info.replicas(), self).isEmpty() ? Answer.NONE : Answer.NOT_IN_SYNC;
    }
    Node leader = info.leader();
    if (leader == null || leader.isEmpty()) {
      return Answer.NOT_IN_SYNC;
    }
    boolean counted = leader.id() == self || others(info.isr(), self).size() < info.isr().size();
    return counted ? Answer.STILL_COUNTED : Answer.IN_SYNC;
  }

  /** A topic that was deleted and made again has another identifier. */
  private static boolean sameTopic(TopicDescription topic, Path partition) throws IOException {
    Path file = partition.resolve("partition.metadata");
    if (!Files.exists(file)) {
      return true;
    }
    // "topic_id: Qk3...": Kafka's PartitionMetadataFile is in the form of properties, too.
    String id = properties(file).getProperty("topic_id");
    return id == null || id.equals(topic.topicId().toString());
  }

  private static List<Integer> others(List<Node> nodes, int self) {
    return nodes.stream().map(Node::id).filter(id -> id != self).collect(Collectors.toList());
  }
}
