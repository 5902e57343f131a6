// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

/**
 * What is sent to a broker.
 *
 * @param recordBytes size of a record's value, bytes
 * @param acks {@code 1} or {@code all}
 * @param compression {@code none}, {@code lz4} or another of Kafka's
 */
public record Load(int recordBytes, String acks, String compression) {

  /** Kafka takes no batch above 1 MiB by default. */
  public static final int RECORD_BYTES_MAX = 1_000_000;

  /** The head of a record's value, which makes it verifiable, needs some room. */
  public static final int RECORD_BYTES_MIN = 64;

  private static final double RATE_MAX = 5_000;
  private static final double RATE_BYTES = 16 << 20;

  public Load {
    if (recordBytes < RECORD_BYTES_MIN || recordBytes > RECORD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a record has "
              + RECORD_BYTES_MIN
              + " to "
              + RECORD_BYTES_MAX
              + " bytes, not "
              + recordBytes);
    }
    new Producers(acks, compression);
  }

  /** The producers that send it. */
  public Producers producers() {
    return new Producers(acks, compression);
  }

  /** The rate of the measures of latency unless one is given: 16 MiB/s, at most 5,000 records/s. */
  public double defaultRate() {
    return Math.min(RATE_MAX, RATE_BYTES / recordBytes);
  }
}
