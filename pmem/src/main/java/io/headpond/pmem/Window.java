// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One mapped range of a file, for storing only. Positions are the file's. One thread at a time,
 * handed over safely; never used after {@link #unmap()}.
 */
abstract class Window {
  /** The distance of two stores that reach every page of any page size. */
  static final int PAGE_BYTES = 4096;

  /** Bytes that Linux maps around a page that is read ({@code fault_around_bytes}, its default). */
  static final int AROUND_BYTES = 64 << 10;

  final long start;
  final long limit;

  Window(long start, long limit) {
    assert start >= 0 && start < limit && limit - start <= Integer.MAX_VALUE;
    this.start = start;
    this.limit = limit;
  }

  /**
   * Copies {@code length} bytes of {@code src} from index {@code from} to {@code position}, and
   * makes them as durable as the back end does at a store. Doesn't move {@code src}'s position. A
   * fault is an {@link InternalError} where the JVM can turn it into one.
   */
  abstract void store(long position, ByteBuffer src, int from, int length) throws IOException;

  /**
   * Stores a few zeros into every page of [{@code from}, limit), which must be zero already, by a
   * Java store that turns a fault into an {@link InternalError}.
   *
   * @param around read before storing, in steps of {@link #AROUND_BYTES}: right where the kernel
   *     then maps all that lies around, writable, in one fault
   */
  abstract void touch(long from, boolean around);

  /** Gives the address range back; at once from Java 22 on, by the garbage collector before. */
  abstract void unmap();
}
