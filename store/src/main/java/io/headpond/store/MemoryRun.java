// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/**
 * How many windows of a file, one after the other, were in memory, and how many of the next ones
 * are taken to be there too without being read. The more were, the more are.
 *
 * <p>Design note: a limited volume is as fast as its hardware until a time slice's bytes are spent,
 * and then stands still for the rest of it: 50 MB/s in slices of 100 ms are ten windows of 512 KiB
 * at a few GB/s. Taken for memory, they made the transfer of the next ones wait a whole slice. So
 * only what no such volume reaches counts, and one window is no evidence for many.
 *
 * @param read windows that were read from memory
 * @param unread windows after them that needn't be read
 */
record MemoryRun(int read, int unread) {
  static final MemoryRun NONE = new MemoryRun(0, 0);

  /** Faster than that, in bytes per nanosecond (GB/s), only memory is. */
  private static final double MEMORY_SPEED = 4;

  private static final int UNREAD_MAX = 8;

  /** After one more window of so many bytes was read in so many nanoseconds. */
  MemoryRun then(final long bytes, final long nanos) {
    if (bytes < MEMORY_SPEED * nanos) {
      return NONE;
    }
    return new MemoryRun(read + 1, Math.min(UNREAD_MAX, 1 << Math.min(read, UNREAD_MAX)));
  }

  /** True if the next window needn't be read. */
  boolean trusted() {
    return unread > 0;
  }

  /** After a window that wasn't read, as it is {@link #trusted}. */
  MemoryRun skip() {
    return new MemoryRun(read, unread - 1);
  }
}
