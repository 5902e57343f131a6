// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A journal written and forced as by BookKeeper's own provider, but for the reuse of files. */
final class PlainJournalChannel extends JournalFileChannel {
  private final RandomAccessFile owner;
  private final FileChannel plain;
  private final long reusedBytes;
  private final ByteBuffer[] gathered = new ByteBuffer[2];
  private long end;

  /**
   * An empty file, or one that is reused.
   *
   * @param reusedBytes its length: so far it needs no preallocation
   */
  PlainJournalChannel(
      Path file, RandomAccessFile owner, long reusedBytes, JournalDirectory directory) {
    super(file, directory);
    this.owner = owner;
    this.reusedBytes = reusedBytes;
    plain = owner.getChannel();
  }

  /** For dropping pages from the page cache. */
  FileDescriptor descriptor() throws IOException {
    return owner.getFD();
  }

  @Override
  void store(ByteBuffer source, long at) throws IOException {
    long next = at;
    while (source.hasRemaining()) {
      next += plain.write(source, next);
    }
    stored(at, next);
  }

  /**
   * One system call for the rest and the terminator, another for the head, in whose middle no
   * process dies.
   */
  @Override
  void finish(ByteBuffer rest, long at, GroupHead group) throws IOException {
    gathered[0] = rest;
    gathered[1] = group.terminator();
    long next = at;
    plain.position(at);
    while (gathered[1].hasRemaining()) {
      next += plain.write(gathered);
    }
    gathered[0] = null;
    stored(at, next);
    store(group.head(), group.start());
  }

  private void stored(long at, long next) {
    // A preallocated sector is no end.
    end = at <= end ? Math.max(end, next) : end;
  }

  @Override
  long end() {
    return end;
  }

  @Override
  boolean allocated(long at) {
    return at < reusedBytes;
  }

  @Override
  void persist(boolean metadata) throws IOException {
    plain.force(metadata);
  }

  @Override
  void closeFile() throws IOException {
    owner.close();
  }
}
