// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A journal written and forced as by BookKeeper's own provider, but for the reuse of files, and for
 * what a write leaves that fails half-way: nothing, for a scan would take it for records.
 */
final class PlainJournalChannel extends JournalFileChannel {
  private final RandomAccessFile owner;
  private final FileChannel plain;
  private final long zeroBytes;
  private long end;
  private boolean failed;

  /**
   * An empty file, or one that is zero as far as it goes.
   *
   * @param zeroBytes its length: so far it needs no preallocation
   */
  PlainJournalChannel(
      Path file, RandomAccessFile owner, long zeroBytes, JournalDirectory directory) {
    super(file, directory);
    this.owner = owner;
    this.zeroBytes = zeroBytes;
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
    // A preallocated sector is no end.
    end = at <= end ? Math.max(end, next) : end;
  }

  @Override
  void append(ByteBuffer source, long at, RecordTrail trail) throws IOException {
    if (failed) {
      throw new IOException("an earlier write to it failed");
    }
    long open = trail.open();
    trail.follow(source);
    int from = source.position();
    try {
      store(source, at);
    } catch (IOException e) {
      failed = true;
      takeBack(open, at + source.position() - from, e);
      throw e;
    }
  }

  /** Blocks that were just written to are there, so this needs no room. */
  private void takeBack(long from, long to, IOException cause) {
    ByteBuffer zeros = ByteBuffer.allocate((int) (to - from));
    try {
      for (long next = from; zeros.hasRemaining(); ) {
        next += plain.write(zeros, next);
      }
      plain.force(false);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  long end() {
    return end;
  }

  @Override
  boolean zeroFrom(long at) {
    return at < zeroBytes;
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
