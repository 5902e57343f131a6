// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.nio.ByteBuffer;

/**
 * Memory outside the heap that a copy goes through. The thread keeps it for its next copies: only
 * the garbage collector gives such memory back, and a thread that moves many small segments would
 * take as many buffers between two of its runs. One thread.
 */
public final class CopyBuffer implements AutoCloseable {
  /** At least so many bytes are in one. */
  public static final int BYTES = 1 << 20;

  private static final ThreadLocal<ByteBuffer> KEPT = new ThreadLocal<>();

  private ByteBuffer bytes;

  private CopyBuffer(final ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /**
   * A buffer of this thread's, or a new one.
   *
   * @param alignment its address is a multiple of, a power of two, {@link #BYTES} at most
   */
  public static CopyBuffer take(final int alignment) {
    final ByteBuffer kept = KEPT.get();
    KEPT.remove();
    return new CopyBuffer(
        kept != null && kept.alignmentOffset(0, alignment) == 0
            ? kept
            : ByteBuffer.allocateDirect(BYTES + alignment).alignedSlice(alignment));
  }

  /** The buffer's memory. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Gives it back to the thread; a second time does nothing. */
  @Override
  public void close() {
    if (bytes != null) {
      KEPT.set(bytes);
    }
    bytes = null;
  }
}
