// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Memory outside the heap that a copy goes through. The thread keeps it for its next copies: only
 * the garbage collector gives such memory back, and a thread that moves many small segments would
 * take as many buffers between two of its runs. One thread.
 */
public final class CopyBuffer implements AutoCloseable {
  /** At least so many bytes are in one. */
  public static final int BYTES = 1 << 20;

  /** A copy that is compared needs two. */
  private static final int KEPT_MAX = 2;

  private static final ThreadLocal<ArrayDeque<ByteBuffer>> KEPT =
      ThreadLocal.withInitial(ArrayDeque::new);

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
    final ArrayDeque<ByteBuffer> kept = KEPT.get();
    for (ByteBuffer each = kept.poll(); each != null; each = kept.poll()) {
      if (each.alignmentOffset(0, alignment) == 0) {
        return new CopyBuffer(each);
      }
    }
    return new CopyBuffer(ByteBuffer.allocateDirect(BYTES + alignment).alignedSlice(alignment));
  }

  /** The buffer's memory. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Gives it back to the thread; a second time does nothing. */
  @Override
  public void close() {
    final ArrayDeque<ByteBuffer> kept = KEPT.get();
    if (bytes != null && kept.size() < KEPT_MAX) {
      kept.push(bytes);
    }
    bytes = null;
  }
}
