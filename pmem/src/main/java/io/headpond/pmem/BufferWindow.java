// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/** A window stored to by the JVM: the back ends JEP352 and NONE. */
final class BufferWindow extends Window {
  /** Bulk puts and gets go through the JVM's guarded copy from 8 bytes on. */
  private static final byte[] ZEROS = new byte[8];

  private final BackingFile file;
  private final boolean writesBack;
  private final Runnable unmapper;
  private MappedByteBuffer buffer;

  BufferWindow(
      BackingFile file,
      long start,
      MappedByteBuffer buffer,
      boolean writesBack,
      Runnable unmapper) {
    super(start, start + buffer.capacity());
    this.file = file;
    this.buffer = buffer;
    this.writesBack = writesBack;
    this.unmapper = unmapper;
  }

  @Override
  void store(long position, ByteBuffer src, int from, int length) throws IOException {
    int index = (int) (position - start);
    buffer.put(index, src, from, length);
    Faults.deliver();
    if (writesBack && WriteBack.stubsReady()) {
      buffer.force(index, length);
    } else if (writesBack) {
      file.force(false);
    }
  }

  @Override
  void touch(long from, boolean around) {
    touch(buffer, start, from, around);
  }

  /** See {@link Window#touch}; {@code buffer} begins at {@code start} in its file. */
  static void touch(ByteBuffer buffer, long start, long from, boolean around) {
    int capacity = buffer.capacity();
    int index = (int) (from - start);
    byte[] read = new byte[ZEROS.length];
    for (int at = index; around && at < capacity; at += Math.min(AROUND_BYTES, capacity - at)) {
      buffer.get(at, read, 0, Math.min(read.length, capacity - at));
      Faults.deliver();
    }
    while (index < capacity) {
      buffer.put(index, ZEROS, 0, Math.min(ZEROS.length, capacity - index));
      Faults.deliver();
      index = (index / PAGE_BYTES + 1) * PAGE_BYTES;
    }
  }

  @Override
  void unmap() {
    buffer = null;
    unmapper.run();
  }
}
