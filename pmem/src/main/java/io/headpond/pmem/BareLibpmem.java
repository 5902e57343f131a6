// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A bare non-temporal copy by libpmem into a mapped file and nothing else: what the LIBPMEM back
 * end is measured against. For benchmarks; needs Java 22, whose layer of the jar holds the class
 * that works.
 */
public final class BareLibpmem implements AutoCloseable {
  private BareLibpmem() {}

  /** The reason why it can't be used; empty: it can. */
  public static Optional<String> unavailable() {
    return Mapper.libpmemUnavailable();
  }

  /** Maps the first {@code bytes} of an existing file of that size at least, and touches them. */
  public static BareLibpmem map(Path file, int bytes) throws IOException {
    throw new UnsupportedOperationException(file + ": " + unavailable().orElseThrow());
  }

  /** Copies a whole direct buffer to {@code offset} past the caches, and fences. */
  public void copy(ByteBuffer direct, long offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
