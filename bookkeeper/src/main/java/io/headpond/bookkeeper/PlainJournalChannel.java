// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A journal written and forced as by BookKeeper's own provider, but for the reuse of files. */
final class PlainJournalChannel extends ForcedJournalChannel {
  private final FileChannel plain;
  private final long reusedBytes;
  private final ByteBuffer[] gathered = new ByteBuffer[2];

  /**
   * An empty file, or one that is reused.
   *
   * @param reusedBytes its length: so far it needs no preallocation
   * @param zeroBehind as {@link JournalFileChannel} has it
   * @param checks as well
   */
  PlainJournalChannel(
      Path file,
      FileChannel plain,
      long reusedBytes,
      boolean zeroBehind,
      GroupChecks checks,
      JournalHost directory) {
    super(file, zeroBehind, checks, directory);
    this.plain = plain;
    this.reusedBytes = reusedBytes;
  }

  @Override
  void store(ByteBuffer source, long at) throws IOException {
    long next = at;
    while (source.hasRemaining()) {
      next += plain.write(source, next);
    }
  }

  /**
   * One system call for the rest and the terminator, if there is any of either, another for the
   * head, in whose middle no process dies: it lies in one page. Without padding it may lie in two,
   * and its length comes last.
   */
  @Override
  void finish(ByteBuffer rest, long at, ByteBuffer terminator, GroupHead group) throws IOException {
    if (terminator.hasRemaining()) {
      gathered[0] = rest;
      gathered[1] = terminator;
      plain.position(at);
      while (terminator.hasRemaining()) {
        plain.write(gathered);
      }
      gathered[0] = null;
    } else if (rest.hasRemaining()) {
      store(rest, at);
    }
    if (group.start() % GroupHead.BYTES == 0) {
      store(group.head(), group.start());
    } else {
      storeLengthLast(group);
    }
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
  void closeWritten() throws IOException {
    plain.close();
  }
}
