// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A record that the guest appends, whose every byte follows from the campaign's seed, the partition
 * and the offset, so that also a torn one can be told from foreign bytes.
 *
 * <p>Layout, big endian: magic (4 B), length of the whole (4 B), partition (4 B), CRC-32C of
 * everything but magic and CRC (4 B), offset (8 B), payload.
 */
final class CutRecord {
  static final int HEADER_BYTES = 24;
  static final int BYTES_MAX = 100_000;

  private static final int MAGIC = 0x48504352;
  private static final int CRC_AT = 12;

  private CutRecord() {}

  static byte[] of(long seed, int partition, long offset) {
    SplittableRandom random =
        new SplittableRandom(seed * 0x9E3779B97F4A7C15L + partition * 0xC2B2AE3D27D4EB4FL + offset);
    int kind = random.nextInt(64);
    int payload =
        kind == 0
            ? random.nextInt(20_000, BYTES_MAX - HEADER_BYTES)
            : kind < 16 ? random.nextInt(1_000, 6_000) : random.nextInt(0, 500);
    byte[] bytes = new byte[HEADER_BYTES + payload];
    random.nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    buffer.putInt(MAGIC).putInt(bytes.length).putInt(partition).putInt(0).putLong(offset);
    buffer.putInt(CRC_AT, crc(bytes, 0, bytes.length));
    return bytes;
  }

  /** As {@link #storedCrc} must be. */
  private static int crc(byte[] bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, at + 4, CRC_AT - 4);
    crc.update(bytes, at + CRC_AT + 4, length - CRC_AT - 4);
    return (int) crc.getValue();
  }

  static int storedCrc(byte[] record) {
    return ByteBuffer.wrap(record).getInt(CRC_AT);
  }

  /** The whole and valid record at an index, as a view; null if there is none. */
  static ByteBuffer parse(byte[] bytes, int at, int partition) {
    if (bytes.length - at < HEADER_BYTES) {
      return null;
    }
    ByteBuffer view = ByteBuffer.wrap(bytes, at, bytes.length - at).slice();
    int length = view.getInt(4);
    if (view.getInt(0) != MAGIC
        || length < HEADER_BYTES
        || length > view.limit()
        || view.getInt(8) != partition
        || view.getInt(CRC_AT) != crc(bytes, at, length)) {
      return null;
    }
    return view.limit(length);
  }

  static long offset(ByteBuffer record) {
    return record.getLong(16);
  }

  static int crc(ByteBuffer record) {
    return record.getInt(CRC_AT);
  }
}
