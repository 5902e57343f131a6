// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.MappedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A journal whose growing end is mapped: no system call and, on DAX, no force for a write. */
final class MappedJournalChannel extends JournalFileChannel {
  private final MappedFile mapped;

  /** The length of the first record that isn't whole, as far as it was written. */
  private final ByteBuffer held = ByteBuffer.allocate(RecordTrail.LENGTH_BYTES);

  MappedJournalChannel(Path file, MappedFile mapped, JournalDirectory directory) {
    super(file, directory);
    this.mapped = mapped;
  }

  @Override
  void store(ByteBuffer source, long at) throws IOException {
    mapped.write(source, at);
  }

  /**
   * A process can be killed in the middle of a copy into memory, unlike in that of a small write.
   * So the length of the first record that isn't whole is zero, which ends a scan, until everything
   * behind it is stored, and as durable as a store is here; those of later records don't matter,
   * they are behind it.
   */
  @Override
  void append(ByteBuffer source, long at, RecordTrail trail) throws IOException {
    long hidden = trail.open();
    trail.follow(source);
    long open = trail.open();
    hold(source, at, hidden);
    if (open == hidden) {
      storeWithout(source, at, hidden, hidden);
      return;
    }
    ByteBuffer tail = source.duplicate();
    storeWithout(source, at, hidden, open);
    mapped.write(held.flip(), hidden);
    held.clear();
    hold(tail, at, open);
  }

  /** Keeps what the source has of the length at {@code record}. */
  private void hold(ByteBuffer source, long at, long record) {
    long from = Math.max(at, record + held.position());
    long to = Math.min(at + source.remaining(), record + RecordTrail.LENGTH_BYTES);
    for (long next = from; next < to; next++) {
      held.put(source.get(source.position() + (int) (next - at)));
    }
  }

  /** Stores the source, with zeros in the place of two lengths. */
  private void storeWithout(ByteBuffer source, long at, long first, long second)
      throws IOException {
    long start = at - source.position();
    int limit = source.limit();
    for (long record : new long[] {first, second}) {
      storeUpTo(source, start, (int) Math.min(limit, Math.max(0, record - start)));
      int zeroed = (int) Math.min(limit, Math.max(0, record + RecordTrail.LENGTH_BYTES - start));
      if (zeroed > source.position()) {
        mapped.write(ByteBuffer.allocate(zeroed - source.position()), start + source.position());
        source.position(zeroed);
      }
    }
    storeUpTo(source, start, limit);
  }

  private void storeUpTo(ByteBuffer source, long start, int limit) throws IOException {
    if (limit > source.position()) {
      ByteBuffer part = source.duplicate().limit(limit);
      mapped.write(part, start + source.position());
      source.position(limit);
    }
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
