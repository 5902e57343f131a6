// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import io.headpond.harness.load.Pace;
import io.headpond.lab.scenario.Point;
import java.util.Optional;

/**
 * A workload of the OpenMessaging Benchmark: the keys of its files in units that are said, within
 * the limits of {@link WorkloadFile}.
 *
 * @param name its own, for people
 * @param messageBytes size of a message's value
 * @param payload what the values hold
 * @param messagesPerSecond of all producers together; 0: as many as the engine sustains
 * @param backlogBytes what is published before consumers begin to read; 0: they read from the start
 * @param drainRatio share of the backlog that must be read for it to count as drained, 0 to 1
 * @param testMinutes measured
 * @param warmUpMinutes before it
 */
public record MessagingWorkload(
    String name,
    int topics,
    int partitionsPerTopic,
    KeyDistribution keys,
    int messageBytes,
    PayloadSource payload,
    int subscriptionsPerTopic,
    int consumersPerSubscription,
    int producersPerTopic,
    int messagesPerSecond,
    long backlogBytes,
    double drainRatio,
    int testMinutes,
    int warmUpMinutes) {

  /**
   * The content of the messages' values.
   *
   * @param fixed the one value of all messages, out of {@code payloadFile}; empty: a pool of
   *     different ones
   * @param randomShare of each value of the pool, 0 to 1: bytes that no compression makes smaller;
   *     the rest is text
   * @param pool how many different values there are
   */
  public record PayloadSource(Optional<byte[]> fixed, double randomShare, int pool) {}

  /** Partitions of all topics. */
  public int partitions() {
    return topics * partitionsPerTopic;
  }

  /** Readers of all topics; those that no partition is left for would only wait. */
  public int consumers() {
    return Math.min(partitions(), topics * subscriptionsPerTopic * consumersPerSubscription);
  }

  /**
   * The load to be measured.
   *
   * @param seconds measured
   * @param backlog bytes written before it, and read meanwhile
   */
  public Point point(double seconds, long backlog) {
    return Point.of(messageBytes, seconds)
        .at(messagesPerSecond == 0 ? Pace.FULL_SPEED : Pace.constant(messagesPerSecond))
        .clients(topics * producersPerTopic, consumers())
        .on(topics, partitionsPerTopic)
        .beside(backlog);
  }
}
