// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.load.Pace;
import io.headpond.harness.process.Ports;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.load.TopicCheck;
import io.headpond.lab.kafka.variant.Watch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** A broker's death and return while a topic is sent to; in sync are all replicas of it. */
final class BrokerOutage implements NodeOutage {

  private final BrokerCluster cluster;
  private final KafkaNode victim;
  private final String topic;
  private final RecordRing ring;
  private final Admin admin;
  private final BrokerLoad load;

  /** Begins to send to a topic that is there. */
  BrokerOutage(BrokerCluster cluster, KafkaNode victim, String topic, RecordRing ring, Pace pace) {
    this.cluster = cluster;
    this.victim = victim;
    this.topic = topic;
    this.ring = ring;
    this.admin = first().admin();
    this.load = new BrokerLoad(first().clientProperties(), topic, ring, pace);
  }

  private KafkaNode first() {
    return cluster.nodes().get(0);
  }

  @Override
  public int victim() {
    return victim.id();
  }

  @Override
  public OutageInterval interval() throws IOException {
    return load.interval();
  }

  @Override
  public void kill() throws InterruptedException {
    victim.kill();
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    cluster.launch(victim);
  }

  @Override
  public boolean running() {
    return victim.running();
  }

  /**
   * A broker that was dead for less than Kafka's {@code broker.session.timeout.ms} is still in sync
   * by the metadata; it takes connections only when its new life is known.
   */
  @Override
  public boolean inSync() throws InterruptedException {
    if (!Ports.listening(victim.brokerPort())) {
      return false;
    }
    try {
      return admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get()
          .get(topic)
          .partitions()
          .stream()
          .allMatch(partition -> partition.isr().size() == FailureSettings.NODES);
    } catch (ExecutionException e) {
      return false;
    }
  }

  @Override
  public String tail() throws IOException {
    return victim.tail();
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    load.stop();
  }

  @Override
  public long acknowledged() {
    return load.acknowledged();
  }

  @Override
  public long resent() {
    return 0;
  }

  /**
   * The producer writes nothing twice, so the log holds what was acknowledged, no less, no more.
   */
  @Override
  public void verify() throws IOException {
    new TopicCheck(first(), topic, BrokerCluster.PARTITIONS, ring, new Watch(first(), text -> {}))
        .verify(topic, acknowledged());
  }

  @Override
  public void close() throws IOException {
    load.close();
    admin.close();
    if (cluster.nodes().stream().allMatch(KafkaNode::running)) {
      try {
        Topics.delete(first(), topic);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + topic + " was deleted");
      }
    }
  }
}
