// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Netty's buffers, of which an allocation may fail: there BookKeeper runs short of memory. */
final class FailingBuffers extends AbstractByteBufAllocator {
  private static final UnpooledByteBufAllocator REAL = UnpooledByteBufAllocator.DEFAULT;

  private volatile Hook hook = () -> {};

  /** Is run before each allocation. */
  @FunctionalInterface
  interface Hook {
    void run() throws Exception;
  }

  FailingBuffers() {
    super(false);
  }

  /** What is run before each buffer that is asked for; what it throws is thrown. */
  void before(final Hook action) {
    hook = action;
  }

  @Override
  protected ByteBuf newHeapBuffer(final int initialCapacity, final int maxCapacity) {
    before();
    return REAL.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(final int initialCapacity, final int maxCapacity) {
    before();
    return REAL.directBuffer(initialCapacity, maxCapacity);
  }

  private void before() {
    try {
      hook.run();
    } catch (final RuntimeException e) {
      throw e;
    } catch (final Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
