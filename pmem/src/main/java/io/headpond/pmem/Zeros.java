// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.nio.ByteBuffer;

/** A shared, read-only source of zeros outside the heap. */
final class Zeros {
  private static final int MAX_BYTES = 1 << 20;
  private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(MAX_BYTES).asReadOnlyBuffer();

  private Zeros() {}

  /** {@code bytes} zeros, at most a MiB; the caller's own view. */
  static ByteBuffer slice(int bytes) {
    return BUFFER.slice(0, bytes);
  }
}
