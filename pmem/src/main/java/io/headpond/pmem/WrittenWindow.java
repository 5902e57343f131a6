// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A range of zeros at a file's end that is written to and not mapped. With the back end DSYNC each
 * write is forced by the descriptor it goes through ({@link BackingFile}).
 */
final class WrittenWindow extends Window {
  private final BackingFile file;

  /** A window as {@link WindowMapper#map} makes it; nothing of the mode matters here. */
  WrittenWindow(BackingFile file, long start, long limit, Mapping mapping) {
    super(start, limit);
    assert !mapping.backend().maps();
    this.file = file;
  }

  @Override
  void store(long position, ByteBuffer src, int from, int length) throws IOException {
    file.write(src.slice(from, length), length, position);
  }

  @Override
  void touch(long from, boolean around) {
    // No page is to be faulted in.
  }

  @Override
  void unmap() {
    // There is no address range to give back.
  }
}
