// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.MappedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What BookKeeper's journal writes to: a mapped file behind the face of a {@link FileChannel}.
 *
 * <p>Only what a journal calls is there; everything else is an {@link
 * UnsupportedOperationException}, rather than something that nobody has ever run.
 *
 * <p><b>Threads.</b> The journal thread writes, the force-write thread forces and closes.
 */
final class MappedJournalChannel extends FileChannel {
  private final MappedFile file;
  private final Path directory;
  private long position;
  private boolean named;

  MappedJournalChannel(MappedFile file, Path directory) {
    this.file = file;
    this.directory = directory;
  }

  @Override
  public synchronized int write(ByteBuffer source) throws IOException {
    int written = file.write(source, position);
    position += written;
    return written;
  }

  /**
   * BookKeeper's preallocation: zeros far behind the end, so that a force needn't write a length.
   * The file grows ahead by itself and reads as zero there.
   */
  @Override
  public synchronized int write(ByteBuffer source, long at) throws IOException {
    if (at >= file.end() && zero(source)) {
      int length = source.remaining();
      source.position(source.limit());
      return length;
    }
    return file.write(source, at);
  }

  private static boolean zero(ByteBuffer source) {
    for (int i = source.position(); i < source.limit(); i++) {
      if (source.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** With metadata: as the journal does once, after the header; then the file's name counts too. */
  @Override
  public void force(boolean metadata) throws IOException {
    file.force();
    synchronized (this) {
      if (metadata && !named) {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
          names.force(true);
        }
        named = true;
      }
    }
  }

  @Override
  public synchronized long position() {
    return position;
  }

  @Override
  public synchronized FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return file.end();
  }

  @Override
  protected synchronized void implCloseChannel() throws IOException {
    file.close();
  }

  @Override
  public int read(ByteBuffer target) {
    throw unsupported();
  }

  @Override
  public int read(ByteBuffer target, long at) {
    throw unsupported();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw unsupported();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw unsupported();
  }

  @Override
  public FileChannel truncate(long size) {
    throw unsupported();
  }

  @Override
  public long transferTo(long at, long count, WritableByteChannel target) {
    throw unsupported();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) {
    throw unsupported();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long at, long size) {
    throw unsupported();
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    throw unsupported();
  }

  @Override
  public FileLock tryLock(long at, long size, boolean shared) {
    throw unsupported();
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("a journal that is being written is only appended to");
  }
}
