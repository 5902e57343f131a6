// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.MappedFile;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A journal whose growing end is mapped: no system call and, on DAX, no force for a write. */
final class MappedJournalChannel extends JournalFileChannel {
  private final MappedFile mapped;

  /**
   * A mapped file.
   *
   * @param zeroBehind as {@link JournalFileChannel} has it
   */
  MappedJournalChannel(Path file, MappedFile mapped, boolean zeroBehind, JournalHost directory) {
    super(file, zeroBehind, null, directory); // stores keep their order
    this.mapped = mapped;
  }

  @Override
  boolean durableAtReturn() {
    return true;
  }

  @Override
  void store(ByteBuffer source, long at) throws IOException {
    mapped.write(source, at);
  }

  @Override
  void finish(ByteBuffer rest, long at, ByteBuffer terminator, GroupHead group) throws IOException {
    long end = at + rest.remaining();
    if (rest.hasRemaining()) {
      mapped.write(rest, at);
    }
    if (terminator.hasRemaining()) {
      mapped.write(terminator, end);
    }
    ByteBuffer head = group.head();
    VarHandle.releaseFence(); // for back ends whose store isn't a call of a native library
    mapped.write(head.position(RecordTrail.LENGTH_BYTES), group.start() + RecordTrail.LENGTH_BYTES);
    VarHandle.releaseFence();
    mapped.write(head.limit(RecordTrail.LENGTH_BYTES).position(0), group.start());
  }

  /** It grows ahead by itself. */
  @Override
  boolean allocated(long at) {
    return true;
  }

  @Override
  void persist(boolean metadata) throws IOException {
    mapped.force();
  }

  @Override
  void closeFile() throws IOException {
    mapped.close();
    if (mapped.fault() != null) {
      throw mapped.fault(); // perhaps nobody has been told of it, and the file may be used again
    }
  }
}
