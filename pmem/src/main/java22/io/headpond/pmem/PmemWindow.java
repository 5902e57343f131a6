// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * A window stored to by libpmem, past the CPU's caches.
 *
 * <p>The store goes to a bare address: the arena isn't asked whether it is still open, since a
 * window's one owner unmaps it. A page that faults under it ends the JVM, hence {@link #touch}
 * first.
 */
final class PmemWindow extends Window {
  private static final int COPY_BYTES = 64 << 10;

  private final Arena arena;
  private final MemorySegment segment;
  private final long base;
  private WeakReference<ByteBuffer> lastDirect = new WeakReference<>(null);
  private long lastDirectAddress;

  PmemWindow(long start, MemorySegment segment, Arena arena) {
    super(start, start + segment.byteSize());
    this.segment = segment;
    this.arena = arena;
    this.base = segment.address() - start;
  }

  @Override
  void store(long position, ByteBuffer src, int from, int length) {
    assert position >= start && position + length <= limit && segment.scope().isAlive();
    if (src.isDirect()) {
      Libpmem.persist(base + position, addressOf(src) + from, length);
      Reference.reachabilityFence(src);
    } else if (src.hasArray()) {
      Libpmem.persist(base + position, src.array(), src.arrayOffset() + from, length);
    } else { // read-only: its array is out of reach
      storeByCopies(position, src, from, length);
    }
  }

  private void storeByCopies(long position, ByteBuffer readOnly, int from, int length) {
    byte[] copy = new byte[Math.min(length, COPY_BYTES)];
    for (int done = 0; done < length; ) {
      int piece = Math.min(copy.length, length - done);
      readOnly.get(from + done, copy, 0, piece);
      Libpmem.persist(base + position + done, copy, 0, piece);
      done += piece;
    }
  }

  /** The address of a direct buffer's index 0. An engine appends from the same few buffers. */
  private long addressOf(ByteBuffer direct) {
    if (lastDirect.get() != direct) {
      lastDirectAddress = Libpmem.address(direct) - direct.position();
      lastDirect = new WeakReference<>(direct);
    }
    return lastDirectAddress;
  }

  @Override
  void touch(long from, boolean around) {
    BufferWindow.touch(segment.asByteBuffer(), start, from, around);
  }

  @Override
  void unmap() {
    arena.close();
  }
}
