// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A channel that hands each operation to another, and says how. */
public abstract class ForwardingChannel extends MappableChannel {
  /** An operation of the other channel. */
  protected interface Operation<T> {
    /** Does it. */
    T run(FileChannel file) throws IOException;
  }

  /** The other channel. */
  protected final FileChannel file;

  protected ForwardingChannel(final FileChannel file) {
    this.file = file;
  }

  /** Runs an operation of the other channel. */
  protected abstract <T> T run(Operation<T> operation) throws IOException;

  /** Runs one that writes. */
  protected <T> T write(final Operation<T> operation) throws IOException {
    return run(operation);
  }

  @Override
  public int read(final ByteBuffer target) throws IOException {
    return run(own -> own.read(target));
  }

  @Override
  public int read(final ByteBuffer target, final long at) throws IOException {
    return run(own -> own.read(target, at));
  }

  @Override
  public long read(final ByteBuffer[] targets, final int offset, final int length)
      throws IOException {
    return run(own -> own.read(targets, offset, length));
  }

  @Override
  public int write(final ByteBuffer source) throws IOException {
    return write(own -> own.write(source));
  }

  @Override
  public int write(final ByteBuffer source, final long at) throws IOException {
    return write(own -> own.write(source, at));
  }

  @Override
  public long write(final ByteBuffer[] sources, final int offset, final int length)
      throws IOException {
    return write(own -> own.write(sources, offset, length));
  }

  @Override
  public long transferFrom(final ReadableByteChannel source, final long at, final long count)
      throws IOException {
    return write(own -> own.transferFrom(source, at, count));
  }

  @Override
  public long transferTo(final long at, final long count, final WritableByteChannel target)
      throws IOException {
    return run(own -> own.transferTo(at, count, target));
  }

  @Override
  public long position() throws IOException {
    return run(FileChannel::position);
  }

  @Override
  public FileChannel position(final long newPosition) throws IOException {
    run(own -> own.position(newPosition));
    return this;
  }

  @Override
  public long size() throws IOException {
    return run(FileChannel::size);
  }

  @Override
  public FileChannel truncate(final long size) throws IOException {
    run(own -> own.truncate(size));
    return this;
  }

  @Override
  public void force(final boolean metadata) throws IOException {
    run(
        own -> {
          own.force(metadata);
          return null;
        });
  }

  @Override
  protected <T> T mapped(final Mapping<T> mapping) throws IOException {
    return run(mapping::map);
  }

  @Override
  public FileLock lock(final long at, final long size, final boolean shared) throws IOException {
    return run(own -> new SegmentLock(this, own.lock(at, size, shared)));
  }

  @Override
  public FileLock tryLock(final long at, final long size, final boolean shared) throws IOException {
    return run(
        own -> {
          final FileLock lock = own.tryLock(at, size, shared);
          return lock == null ? null : new SegmentLock(this, lock);
        });
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }
}
