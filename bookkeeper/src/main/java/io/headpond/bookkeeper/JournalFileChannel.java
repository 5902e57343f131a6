// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * What BookKeeper's journal writes a new file through, behind the face of a {@link FileChannel}.
 *
 * <p><b>A group of records is there whole or not at all</b>, whatever the writes are that make it
 * up, and wherever a kill, an error or, where a store is durable, a power cut falls. Behind the
 * last group is the length zero, which ends a scan by any provider. A group's bytes are stored but
 * for its head, see {@link GroupHead}; then zeros behind them; then the head, the length of the
 * first record last. So it doesn't matter what stands behind the zeros, which in a reused file can
 * be old records.
 *
 * <p><b>Threads.</b> The journal thread writes, the force-write thread forces and closes.
 *
 * <p><b>Errors</b> name the file, the cause and the remedy; after one, BookKeeper shuts the bookie
 * down, and what was acknowledged is in the file.
 */
abstract class JournalFileChannel extends NarrowFileChannel {
  private final JournalDirectory directory;
  private long position;
  private final RecordTrail trail = new RecordTrail();
  private GroupHead group;
  private boolean failed;
  private boolean named;

  JournalFileChannel(Path file, JournalDirectory directory) {
    super(file);
    this.directory = directory;
  }

  /** Stores all of the source at a position. */
  abstract void store(ByteBuffer source, long at) throws IOException;

  /**
   * Stores the rest of a group, then its terminator behind it, then its head at its start, whose
   * length comes last. No store is found without those before it after this process's death and,
   * where a store is durable, after a power cut.
   */
  abstract void finish(ByteBuffer rest, long at, GroupHead group) throws IOException;

  /** Where the last store ended at most, in bytes. */
  abstract long end() throws IOException;

  /** Has the file room at the position, without a preallocation? */
  abstract boolean allocated(long at) throws IOException;

  /** Makes what was stored durable, as far as the device can. */
  abstract void persist(boolean metadata) throws IOException;

  /** Gives everything back. */
  abstract void closeFile() throws IOException;

  @Override
  public final synchronized int write(ByteBuffer source) throws IOException {
    int length = source.remaining();
    long from = System.nanoTime();
    if (failed) {
      throw directory.failure(file(), new IOException("an earlier write to it failed"));
    }
    failed = true;
    try {
      if (group == null) {
        header(source);
      } else {
        records(source);
      }
    } catch (IOException e) {
      throw directory.failure(file(), e);
    }
    failed = false;
    position += length;
    directory.written(length, System.nanoTime() - from);
    return length;
  }

  private void header(ByteBuffer source) throws IOException {
    group = new GroupHead(position + source.remaining());
    store(source, position);
    store(group.terminator(), group.start());
  }

  private void records(ByteBuffer source) throws IOException {
    if (!source.hasRemaining()) {
      return; // BookKeeper flushes its buffer, and it is empty
    }
    trail.follow(source);
    long end = position + source.remaining();
    long at = group.take(source, position);
    if (trail.whole()) {
      finish(source, at, group);
      group.next(end);
    } else {
      store(source, at);
    }
  }

  /**
   * BookKeeper's preallocation: a sector of zeros far behind the end. A file that has room there is
   * left alone.
   */
  @Override
  public final synchronized int write(ByteBuffer source, long at) throws IOException {
    int length = source.remaining();
    if (zero(source) && at >= end() && allocated(at)) {
      source.position(source.limit());
    } else {
      storeAll(source, at);
    }
    return length;
  }

  private void storeAll(ByteBuffer source, long at) throws IOException {
    try {
      store(source, at);
    } catch (IOException e) {
      throw directory.failure(file(), e);
    }
  }

  private static boolean zero(ByteBuffer source) {
    for (int i = source.position(); i < source.limit(); i++) {
      if (source.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * With metadata, as the journal calls it once, after the header: the file's name becomes durable
   * too, before anything in it is acknowledged.
   */
  @Override
  public final void force(boolean metadata) throws IOException {
    long from = System.nanoTime();
    try {
      persist(metadata);
      if (metadata) {
        forceName();
      }
    } catch (IOException e) {
      throw directory.failure(file(), e);
    }
    directory.forced(System.nanoTime() - from);
  }

  private synchronized void forceName() throws IOException {
    if (!named) {
      directory.forceNames();
      named = true;
    }
  }

  @Override
  public final synchronized long position() {
    return position;
  }

  @Override
  public final synchronized FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public final synchronized long size() throws IOException {
    return end();
  }

  @Override
  protected final synchronized void implCloseChannel() throws IOException {
    try {
      closeFile();
    } catch (IOException e) {
      throw directory.failure(file(), e);
    } finally {
      directory.finished(this);
    }
  }
}
