// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

/**
 * Run length of consecutive windows of a file that were in memory, and the number of following ones
 * that are taken to be there too without being read.
 *
 * <p>Design note: two things look like memory and aren't. A limited volume is as fast as its
 * hardware until a time slice's bytes are spent, and then stands still for the rest of it: 50 MB/s
 * in slices of 100 ms are ten windows of 512 KiB at a few GB/s. And what the kernel reads ahead
 * (2.5 and 8 MiB were seen, {@code queue/read_ahead_kb}) is in memory when the first window of it
 * is. A transfer that trusts what comes after either waits a whole slice. So only what no volume
 * reaches counts, for longer than the kernel reads ahead.
 *
 * @param read windows that were read from memory
 * @param unread windows after them that needn't be read
 */
record MemoryRun(int read, int unread) {
  static final MemoryRun NONE = new MemoryRun(0, 0);

  /** Faster than that, in bytes per nanosecond (GB/s), only memory is. */
  private static final double MEMORY_SPEED = 4;

  /** 32 MiB. */
  private static final int READ_MIN = 64;

  private static final int UNREAD_MAX = 8;

  /** After one more window of so many bytes was read in so many nanoseconds. */
  MemoryRun then(final long bytes, final long nanos) {
    if (bytes < MEMORY_SPEED * nanos) {
      return NONE;
    }
    final int more = Math.min(READ_MIN, read + 1);
    return new MemoryRun(more, more < READ_MIN ? 0 : UNREAD_MAX);
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
