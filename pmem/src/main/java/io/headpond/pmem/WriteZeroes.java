// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code fallocate} with {@code FALLOC_FL_WRITE_ZEROES}, which Java 17 can't call. In the jar's
 * layer for Java 22 and newer a class of the same name takes its place, which can.
 */
final class WriteZeroes {
  /** errno(3): the function isn't there. */
  private static final int ENOSYS = 38;

  private WriteZeroes() {}

  /** The reason why it can't be called; empty: it can. */
  static Optional<String> unavailable() {
    int feature = Runtime.version().feature();
    return Optional.of(
        feature < 22
            ? "the call needs Java 22 or newer, this is Java " + feature
            : "the Java 22 layer of headpond-pmem was not loaded");
  }

  /** See {@link ZeroRange#zero}. */
  static int zero(Path file, long from, long bytes) {
    return ENOSYS;
  }
}
