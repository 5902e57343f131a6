// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.nio.ByteBuffer;

/** A shared, read-only source of zeros outside the heap. */
final class Zeros {
  private static final int MAX_BYTES = 1 << 20;

  /**
   * Null until somebody asks. Not made with the class: a lack of memory just then, which passes,
   * would make the class unusable for good, and with it every file that grows.
   */
  private static volatile ByteBuffer buffer;

  private Zeros() {}

  /** {@code bytes} zeros, at most a MiB; the caller's own view. */
  static ByteBuffer slice(int bytes) {
    ByteBuffer zeros = buffer;
    if (zeros == null) {
      zeros = ByteBuffer.allocateDirect(MAX_BYTES).asReadOnlyBuffer();
      buffer = zeros;
    }
    return zeros.slice(0, bytes);
  }
}
