// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.MappedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A journal whose growing end is mapped: no system call and, on DAX, no force for a write. */
final class MappedJournalChannel extends JournalFileChannel {
  private final MappedFile mapped;

  MappedJournalChannel(Path file, MappedFile mapped, JournalDirectory directory) {
    super(file, directory);
    this.mapped = mapped;
  }

  @Override
  void store(ByteBuffer source, long at) throws IOException {
    mapped.write(source, at);
  }

  @Override
  long end() {
    return mapped.end();
  }

  /** It grows ahead by itself, zeroed. */
  @Override
  boolean zeroFrom(long at) {
    return true;
  }

  @Override
  void persist(boolean metadata) throws IOException {
    mapped.force();
  }

  @Override
  void closeFile() throws IOException {
    mapped.close();
  }
}
