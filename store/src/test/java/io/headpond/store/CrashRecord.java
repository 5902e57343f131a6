// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * The records of the crash test. Length, generation of the log, epoch of the writer, sequence
 * number, payload, CRC-32C; the four numbers and the log determine every byte.
 */
record CrashRecord(int log, int generation, int epoch, long sequence) {
  private static final int FRAME_BYTES = 4 + 4 + 4 + 8 + 4;

  byte[] bytes() {
    final Random random = new Random(hashCode() * 31L + sequence);
    final int kind = random.nextInt(100);
    final int payload = 20 + random.nextInt(kind < 80 ? 2_000 : kind < 95 ? 20_000 : 150_000);
    final ByteBuffer buffer = ByteBuffer.allocate(FRAME_BYTES + payload);
    random.nextBytes(buffer.array());
    buffer.putInt(buffer.capacity()).putInt(generation).putInt(epoch).putLong(sequence);
    final CRC32C crc = new CRC32C();
    crc.update(buffer.array(), 0, buffer.capacity() - 4);
    buffer.putInt(buffer.capacity() - 4, (int) crc.getValue());
    return buffer.array();
  }

  /** A record and where it ends. */
  record Found(CrashRecord record, int endsAt) {}

  /** The whole records from the start of a segment, each equal to what it must be. */
  static List<Found> parse(final int log, final byte[] segment) {
    final List<Found> found = new ArrayList<>();
    final ByteBuffer buffer = ByteBuffer.wrap(segment);
    int at = 0;
    while (segment.length - at >= FRAME_BYTES) {
      final int length = buffer.getInt(at);
      if (length < FRAME_BYTES || length > segment.length - at) {
        break;
      }
      final CrashRecord record =
          new CrashRecord(
              log, buffer.getInt(at + 4), buffer.getInt(at + 8), buffer.getLong(at + 12));
      if (!Arrays.equals(record.bytes(), Arrays.copyOfRange(segment, at, at + length))) {
        break;
      }
      at += length;
      found.add(new Found(record, at));
    }
    return found;
  }
}
