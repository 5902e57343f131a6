// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * What BookKeeper's journal writes a new file through, behind the face of a {@link FileChannel}.
 *
 * <p>Only what a journal calls is there; everything else is an {@link
 * UnsupportedOperationException}, rather than something that nobody has ever run.
 *
 * <p><b>Threads.</b> The journal thread writes, the force-write thread forces and closes.
 *
 * <p><b>Errors</b> name the file, the cause and the remedy; after one, BookKeeper shuts the bookie
 * down, and what was acknowledged is in the file.
 */
abstract class JournalFileChannel extends FileChannel {
  private final Path file;
  private final JournalDirectory directory;
  private long position;
  private RecordTrail trail;
  private boolean named;

  JournalFileChannel(Path file, JournalDirectory directory) {
    this.file = file;
    this.directory = directory;
  }

  /** Stores all of the source at a position. */
  abstract void store(ByteBuffer source, long at) throws IOException;

  /**
   * Stores all of the source behind the header, where the last one ended. A record that isn't whole
   * must not be found by a scan: see {@link RecordTrail}.
   *
   * @param trail has followed everything before the source
   */
  abstract void append(ByteBuffer source, long at, RecordTrail trail) throws IOException;

  /** Where the last store ended at most, in bytes. */
  abstract long end() throws IOException;

  /** Does the file read as zero at and after the position, as far as it goes? */
  abstract boolean zeroFrom(long at) throws IOException;

  /** Makes what was stored durable, as far as the device can. */
  abstract void persist(boolean metadata) throws IOException;

  /** Gives everything back. */
  abstract void closeFile() throws IOException;

  @Override
  public final synchronized int write(ByteBuffer source) throws IOException {
    int length = source.remaining();
    long from = System.nanoTime();
    try {
      if (trail == null) {
        store(source, position); // the header
        trail = new RecordTrail(position + length);
      } else {
        append(source, position, trail);
      }
    } catch (IOException e) {
      throw directory.failure(file, e);
    }
    position += length;
    directory.written(length, System.nanoTime() - from);
    return length;
  }

  /**
   * BookKeeper's preallocation: a sector of zeros far behind the end. A file that reads as zero
   * there already is left alone.
   */
  @Override
  public final synchronized int write(ByteBuffer source, long at) throws IOException {
    int length = source.remaining();
    if (zero(source) && at >= end() && zeroFrom(at)) {
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
      throw directory.failure(file, e);
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
      throw directory.failure(file, e);
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
      throw directory.failure(file, e);
    } finally {
      directory.finished(this);
    }
  }

  @Override
  public final int read(ByteBuffer target) {
    throw unsupported();
  }

  @Override
  public final int read(ByteBuffer target, long at) {
    throw unsupported();
  }

  @Override
  public final long read(ByteBuffer[] targets, int offset, int length) {
    throw unsupported();
  }

  @Override
  public final long write(ByteBuffer[] sources, int offset, int length) {
    throw unsupported();
  }

  @Override
  public final FileChannel truncate(long size) {
    throw unsupported();
  }

  @Override
  public final long transferTo(long at, long count, WritableByteChannel target) {
    throw unsupported();
  }

  @Override
  public final long transferFrom(ReadableByteChannel source, long at, long count) {
    throw unsupported();
  }

  @Override
  public final MappedByteBuffer map(MapMode mode, long at, long size) {
    throw unsupported();
  }

  @Override
  public final FileLock lock(long at, long size, boolean shared) {
    throw unsupported();
  }

  @Override
  public final FileLock tryLock(long at, long size, boolean shared) {
    throw unsupported();
  }

  private UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException(
        file + ": a journal being written is only appended to");
  }
}
