// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.load.Fields;
import java.util.Map;

/**
 * The settings of a {@link PulsarLoad}'s clients.
 *
 * @param serviceUrl of the broker, as {@code pulsar://127.0.0.1:6650}
 * @param topic full name of a partitioned topic that exists
 * @param partitions how many it has
 * @param seed of the messages' content
 * @param messageBytes mean size of a value; sizes go from half to one and a half of it
 * @param bytesPerSecond limit of keys and values; 0: as fast as they are acknowledged
 * @param messagesMax the publisher ends after so many
 * @param pendingMax messages sent and not yet acknowledged, at most, in each partition
 * @param queueConsumers consumers of the shared subscription
 */
public record PulsarLoadSettings(
    String serviceUrl,
    String topic,
    int partitions,
    long seed,
    int messageBytes,
    long bytesPerSecond,
    long messagesMax,
    int pendingMax,
    int queueConsumers) {

  /** Largest {@code messagesMax}: what is known of each message takes 8 bytes of memory. */
  public static final long MESSAGES_LIMIT = 1L << 25;

  public PulsarLoadSettings {
    if (messagesMax < 1 || messagesMax > MESSAGES_LIMIT) {
      throw new IllegalArgumentException(
          "messagesMax goes from 1 to " + MESSAGES_LIMIT + ", not " + messagesMax);
    }
  }

  /** Messages of 1 KiB at full speed, a window of 1,000 a partition, three queue consumers. */
  public static PulsarLoadSettings of(String serviceUrl, String topic, int partitions) {
    return new PulsarLoadSettings(
        serviceUrl, topic, partitions, 1, 1024, 0, MESSAGES_LIMIT, 1000, 3);
  }

  /** With other content. */
  public PulsarLoadSettings seed(long value) {
    return Fields.with(this, Map.of("seed", value));
  }

  /** Limited to {@code value} bytes of keys and values per second. */
  public PulsarLoadSettings bytesPerSecond(long value) {
    return Fields.with(this, Map.of("bytesPerSecond", value));
  }

  /** Ends after {@code value} messages. */
  public PulsarLoadSettings messagesMax(long value) {
    return Fields.with(this, Map.of("messagesMax", value));
  }
}
