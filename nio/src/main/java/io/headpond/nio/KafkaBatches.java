// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.store.claim.SegmentProof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The record batches of a Kafka segment, by their lengths and checksums ({@code
 * org.apache.kafka.common.record.internal.DefaultRecordBatch} and {@code LegacyRecord}). Each
 * begins with its base offset (8 bytes) and the length of what follows that length (4 bytes), and
 * has its format at byte 16. Format 2: a CRC-32C at byte 17 over everything from byte 21 on.
 * Formats 0 and 1, one message each: a CRC-32 at byte 12 over everything from byte 16 on. All
 * big-endian.
 */
public final class KafkaBatches implements SegmentProof {
  /** Kafka leaves it at a clean stop, and its next start removes it after the lock was taken. */
  private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";

  private static final int BUFFER_BYTES = 1 << 18;
  private static final int LENGTH_AT = 8;
  private static final int LENGTH_END = 12;
  private static final int LEGACY_CRC_AT = 12;
  private static final int FORMAT_AT = 16;
  private static final int CRC_AT = 17;
  private static final int CRC_END = 21;

  /** Bytes behind the length of an empty message of format 0, the shortest there is. */
  private static final int LEGACY_BYTES_MIN = 14;

  /** The same of a batch of format 2 without records. */
  private static final int BATCH_BYTES_MIN = 49;

  private static final int FORMAT = 2;

  @Override
  public boolean recovers(final Path logDir) {
    return !Files.exists(logDir.resolve(CLEAN_SHUTDOWN));
  }

  @Override
  public long wholeBytes(final Path segment, final long end) throws IOException {
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ)) {
      final Window window = new Window(channel);
      long position = 0;
      while (true) {
        final long next = wholeBatch(window, position, end);
        if (next < 0) {
          return position;
        }
        position = next;
      }
    }
  }

  /** Where a batch ends; -1: no whole one with an offset below a limit begins there. */
  private static long wholeBatch(final Window window, final long position, final long below)
      throws IOException {
    if (position + CRC_END > window.bytes) {
      return -1;
    }
    window.have(position);
    final int length = window.intAt(position + LENGTH_AT);
    final int format = window.byteAt(position + FORMAT_AT);
    final long end = position + LENGTH_END + length;
    final boolean legacy = format == 0 || format == 1;
    if (end > window.bytes
        || window.longAt(position) >= below
        || length < (legacy ? LEGACY_BYTES_MIN : BATCH_BYTES_MIN)
        || !legacy && format != FORMAT) {
      return -1;
    }
    final int stored = window.intAt(position + (legacy ? LEGACY_CRC_AT : CRC_AT));
    final Checksum checksum = legacy ? new CRC32() : new CRC32C();
    window.update(checksum, position + (legacy ? FORMAT_AT : CRC_END), end);
    return (int) checksum.getValue() == stored ? end : -1;
  }

  /** A piece of a file in memory, which follows a reader from the file's beginning to its end. */
  private static final class Window {
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private final FileChannel channel;
    private final long bytes;
    private long start;

    Window(final FileChannel channel) throws IOException {
      this.channel = channel;
      bytes = channel.size();
    }

    /** Reads on if a header there isn't in memory as a whole. */
    void have(final long position) throws IOException {
      if (position + CRC_END > start + buffer.limit()) {
        fill(position);
      }
    }

    /** Fills itself; a file that is cut meanwhile reads as zeros, of which nothing is whole. */
    private void fill(final long position) throws IOException {
      start = position;
      buffer.clear();
      int read = 0;
      while (read >= 0 && buffer.hasRemaining()) {
        read = channel.read(buffer, position + buffer.position());
      }
      while (buffer.hasRemaining() && start + buffer.position() < bytes) {
        buffer.put((byte) 0);
      }
      buffer.flip();
    }

    int intAt(final long position) {
      return buffer.getInt((int) (position - start));
    }

    long longAt(final long position) {
      return buffer.getLong((int) (position - start));
    }

    byte byteAt(final long position) {
      return buffer.get((int) (position - start));
    }

    void update(final Checksum checksum, final long from, final long end) throws IOException {
      long position = from;
      while (position < end) {
        if (position >= start + buffer.limit()) {
          fill(position);
        }
        final int offset = (int) (position - start);
        final int length = (int) Math.min(end - position, buffer.limit() - offset);
        checksum.update(buffer.array(), offset, length);
        position += length;
      }
    }
  }
}
