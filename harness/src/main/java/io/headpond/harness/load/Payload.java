// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The content of a workload's records: every byte of record {@code id} follows from the seed, so a
 * reader can compare all of it. The body is text of orders in JSON, which compresses like real data
 * (about 3:1 by lz4).
 *
 * <p>Value: 8 bytes id, 4 bytes CRC32C of key, id and body, then the body; numbers are big-endian.
 * Safe for use by several threads.
 */
public final class Payload {

  /** Bytes of a value before its body. */
  static final int HEADER_BYTES = 12;

  private static final int TEXT_BYTES = 1 << 20;

  /** Of values that are made before they are sent; fewer if they would take too much memory. */
  private static final int PREPARED = 1000;

  private static final int PREPARED_MIN = 16;
  private static final int PREPARED_BYTES_MAX = 64 << 20;
  private static final String[] WORDS = {
    "order",
    "shipped",
    "pending",
    "Lyon",
    "Oslo",
    "invoice",
    "refund",
    "parcel",
    "express",
    "customer",
    "warehouse",
    "priority",
    "standard",
    "Turin",
    "Porto",
    "carrier",
    "tracking",
    "delivered",
    "cancelled",
    "paid"
  };

  private final long seed;
  private final int bytes;
  private final boolean varied;
  private final long keys;
  private final byte[] text;

  /**
   * @param bytes size of a value; its mean if {@code varied}, then sizes go from half to one and a
   *     half of it
   * @param keys number of different keys
   */
  public Payload(long seed, int bytes, boolean varied, long keys) {
    if (bytes < 2 * HEADER_BYTES) {
      throw new IllegalArgumentException(
          "a record has at least " + 2 * HEADER_BYTES + " bytes, not " + bytes);
    }
    this.seed = seed;
    this.bytes = bytes;
    this.varied = varied;
    this.keys = keys;
    this.text = orders(seed);
  }

  private static byte[] orders(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder all = new StringBuilder(TEXT_BYTES + 512);
    while (all.length() < TEXT_BYTES) {
      all.append("{\"order\":").append(random.nextInt(100_000_000));
      all.append(",\"state\":\"").append(WORDS[random.nextInt(WORDS.length)]);
      all.append("\",\"city\":\"").append(WORDS[random.nextInt(WORDS.length)]);
      all.append("\",\"amount\":")
          .append(random.nextInt(100_000))
          .append('.')
          .append(random.nextInt(10, 100));
      all.append(",\"token\":\"").append(Long.toHexString(random.nextLong())).append("\"}\n");
    }
    return Arrays.copyOf(all.toString().getBytes(StandardCharsets.US_ASCII), TEXT_BYTES);
  }

  /** The key of record {@code id}. */
  public byte[] key(long id) {
    return ("k" + keyNumber(id)).getBytes(StandardCharsets.US_ASCII);
  }

  /** The number of the key of record {@code id}. */
  public long keyNumber(long id) {
    return Long.remainderUnsigned(SplitMix64.mix(id ^ ~seed), keys);
  }

  /** The value of record {@code id}. */
  public byte[] value(long id) {
    long random = SplitMix64.mix(id + seed);
    int size = varied ? bytes / 2 + (int) Long.remainderUnsigned(random, bytes) : bytes;
    ByteBuffer value = ByteBuffer.allocate(Math.max(size, 2 * HEADER_BYTES));
    value.putLong(id).putInt(0);
    int from = (int) (random >>> 44);
    while (value.hasRemaining()) {
      int length = Math.min(value.remaining(), TEXT_BYTES - from);
      value.put(text, from, length);
      from = 0;
    }
    return value.putInt(Long.BYTES, checksum(key(id), value.array())).array();
  }

  /** The first values, for one who sends them again and again: making them costs nothing then. */
  public byte[][] prepared() {
    int number = Math.max(PREPARED_MIN, Math.min(PREPARED, PREPARED_BYTES_MAX / bytes));
    byte[][] values = new byte[number][];
    for (int id = 0; id < number; id++) {
      values[id] = value(id);
    }
    return values;
  }

  /**
   * The id that a record carries, or -1 if key or value differ in any byte from what that record
   * must hold.
   */
  public long verify(byte[] key, byte[] value) {
    if (key == null || value == null || value.length < HEADER_BYTES) {
      return -1;
    }
    ByteBuffer read = ByteBuffer.wrap(value);
    long id = read.getLong();
    boolean whole = checksum(key, value) == read.getInt();
    return id >= 0 && whole && Arrays.equals(key, key(id)) && Arrays.equals(value, value(id))
        ? id
        : -1;
  }

  private static int checksum(byte[] key, byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(key);
    crc.update(value, 0, Long.BYTES);
    crc.update(value, HEADER_BYTES, value.length - HEADER_BYTES);
    return (int) crc.getValue();
  }
}
