// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.function.LongSupplier;

/**
 * Size of a file's next chunk, in bytes. It doubles while chunks are used up fast, and is cut to
 * what is written in a second when they last long, so that a quiet log holds little of the device
 * and a fast one grows rarely. The writer adapts it; any thread reads it.
 */
final class ChunkSize {
  static final int FIRST_BYTES = 64 << 10;
  static final int MAX_BYTES = 16 << 20;

  /** The longest segment that Kafka opens, bytes. A longer file ends its start. */
  static final long FILE_BYTES_MAX = Integer.MAX_VALUE;

  /** Huge pages of a DAX device need chunks that begin and end at such a position. */
  private static final int MAX_ALIGNMENT_BYTES = 2 << 20;

  /**
   * A chunk that would be used up within this time is too small, one that lasted that long too
   * large.
   */
  private static final double FAST_SECONDS = 0.5;

  private static final double SLOW_SECONDS = 4;

  private final int min;
  private final int max;
  private final LongSupplier clock;
  private volatile int bytes;
  private volatile int currentBytes;
  private long enteredNanos;

  ChunkSize(int first, int max, LongSupplier clock) {
    this.max = max;
    this.bytes = Math.min(Math.max(first, Window.PAGE_BYTES), max);
    this.min = Math.min(FIRST_BYTES, bytes);
    this.clock = clock;
    this.currentBytes = min;
  }

  /** The size to aim at now. */
  int bytes() {
    return bytes;
  }

  /**
   * Bytes that the writer grows itself when no chunk is ready: little, but enough for its write.
   */
  int atOnce(int wanted) {
    return Math.max(min, Math.min(wanted, max));
  }

  /** Bytes to prepare next: at most four times the current chunk, so that it is ready in time. */
  int ahead() {
    return (int) Math.min(bytes, 4L * Math.max(min, currentBytes));
  }

  /**
   * End of a chunk of about {@code chunkBytes} that begins at {@code from}, aligned. No growth
   * passes {@link #FILE_BYTES_MAX}; only a write can.
   */
  long limit(long from, int chunkBytes) {
    int alignment =
        Math.max(
            Window.PAGE_BYTES,
            Math.min(Integer.highestOneBit(chunkBytes) / 4, MAX_ALIGNMENT_BYTES));
    long limit = Math.addExact(from, chunkBytes + alignment - 1L);
    limit -= limit % alignment;
    return from < FILE_BYTES_MAX ? Math.min(limit, FILE_BYTES_MAX) : limit;
  }

  /** The writer begins a chunk. Returns the end beyond which the next one should be prepared. */
  long entered(long start, long limit) {
    currentBytes = (int) (limit - start);
    enteredNanos = clock.getAsLong();
    if (limit == FILE_BYTES_MAX) {
      return Long.MAX_VALUE;
    }
    return currentBytes < bytes ? start : start + currentBytes / 2;
  }

  /** The writer has used its chunk up. */
  void usedUp() {
    double seconds = (clock.getAsLong() - enteredNanos) / 1e9;
    double bytesPerSecond = currentBytes / seconds; // infinite for a clock that stands still
    if (seconds > SLOW_SECONDS) {
      shrinkTo((int) bytesPerSecond);
    } else if (bytesPerSecond * FAST_SECONDS > bytes) {
      bytes = (int) Math.min(max, 2L * bytes);
    }
  }

  /** The device had no room for a chunk of this size. */
  void refused() {
    shrinkTo(bytes / 2);
  }

  private void shrinkTo(int lower) {
    bytes = Math.max(min, Math.min(bytes, lower));
  }
}
