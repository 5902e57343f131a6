// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

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
    return new WorkloadSettings(
        topic,
        partitions,
        bytes,
        vary,
        keys,
        compression,
        acks,
        producers,
        transactionRecords,
        bytesPerSecond,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** Another number of keys. */
  public WorkloadSettings keys(long number) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        number,
        compression,
        acks,
        producers,
        transactionRecords,
        bytesPerSecond,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** Another compression. */
  public WorkloadSettings compression(String codec) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        codec,
        acks,
        producers,
        transactionRecords,
        bytesPerSecond,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** Other acknowledgements. */
  public WorkloadSettings acks(String required) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        compression,
        required,
        producers,
        transactionRecords,
        bytesPerSecond,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** Another number of producers. */
  public WorkloadSettings producers(int number) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        compression,
        acks,
        number,
        transactionRecords,
        bytesPerSecond,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** Transactions of so many records. */
  public WorkloadSettings transactions(int records) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        compression,
        acks,
        producers,
        records,
        bytesPerSecond,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** A limited rate. */
  public WorkloadSettings bytesPerSecond(long limit) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        compression,
        acks,
        producers,
        transactionRecords,
        limit,
        recordsMax,
        bufferBytes,
        seed);
  }

  /** A limited number of records. */
  public WorkloadSettings recordsMax(long limit) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        compression,
        acks,
        producers,
        transactionRecords,
        bytesPerSecond,
        limit,
        bufferBytes,
        seed);
  }

  /** Another buffer of each producer. */
  public WorkloadSettings bufferBytes(long bytes) {
    return new WorkloadSettings(
        topic,
        partitions,
        recordBytes,
        varied,
        keys,
        compression,
        acks,
        producers,
        transactionRecords,
        bytesPerSecond,
        recordsMax,
        bytes,
        seed);
  }
}
