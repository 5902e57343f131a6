// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.load.Fields;
import java.util.Map;

/**
 * The settings of a {@link Workload}.
 *
 * @param topic an existing topic
 * @param partitions its number of partitions
 * @param recordBytes size of a value, or its mean if {@code varied}
 * @param varied whether sizes go from half to one and a half of {@code recordBytes}
 * @param keys number of different keys
 * @param compression {@code none}, {@code gzip}, {@code snappy}, {@code lz4} or {@code zstd}
 * @param acks {@code all} or {@code 1}
 * @param producers number of producers, each with a thread
 * @param transactionRecords records of a transaction; 0: no transactions. One of 16 transactions is
 *     aborted
 * @param bytesPerSecond limit over all producers; 0: none
 * @param recordsMax ends by itself after so many records
 * @param bufferBytes memory of a producer for records that wait for the broker
 * @param seed all content follows from it
 */
public record WorkloadSettings(
    String topic,
    int partitions,
    int recordBytes,
    boolean varied,
    long keys,
    String compression,
    String acks,
    int producers,
    int transactionRecords,
    long bytesPerSecond,
    long recordsMax,
    long bufferBytes,
    long seed) {

  /**
   * One producer of 1 KiB records of varied sizes, acks=all, uncompressed, 100 million records at
   * most.
   */
  public static WorkloadSettings of(String topic, int partitions, long seed) {
    return new WorkloadSettings(
        topic, partitions, 1024, true, 1000, "none", "all", 1, 0, 0, 100_000_000L, 8L << 20, seed);
  }

  /** Other sizes. */
  public WorkloadSettings recordBytes(int bytes, boolean vary) {
    return Fields.with(this, Map.of("recordBytes", bytes, "varied", vary));
  }

  /** Another number of keys. */
  public WorkloadSettings keys(long number) {
    return Fields.with(this, Map.of("keys", number));
  }

  /** Another compression. */
  public WorkloadSettings compression(String codec) {
    return Fields.with(this, Map.of("compression", codec));
  }

  /** Other acknowledgements. */
  public WorkloadSettings acks(String required) {
    return Fields.with(this, Map.of("acks", required));
  }

  /** Another number of producers. */
  public WorkloadSettings producers(int number) {
    return Fields.with(this, Map.of("producers", number));
  }

  /** Transactions of so many records. */
  public WorkloadSettings transactions(int records) {
    return Fields.with(this, Map.of("transactionRecords", records));
  }

  /** A limited rate. */
  public WorkloadSettings bytesPerSecond(long limit) {
    return Fields.with(this, Map.of("bytesPerSecond", limit));
  }

  /** A limited number of records. */
  public WorkloadSettings recordsMax(long limit) {
    return Fields.with(this, Map.of("recordsMax", limit));
  }

  /** Another buffer of each producer. */
  public WorkloadSettings bufferBytes(long bytes) {
    return Fields.with(this, Map.of("bufferBytes", bytes));
  }
}
