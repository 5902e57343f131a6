// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.home.HomeSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.Supplier;

/**
 * An engine's channel on a file at home that is no segment of the store: a producer snapshot, the
 * cluster's metadata, a log that stays home. Each write first waits for room ({@link
 * HomeSpace#awaitRoom}); everything else is the file's own channel.
 */
public final class HomeFileChannel extends MappableChannel {
  /** An operation of the file's own channel. */
  private interface Operation<T> {
    T run(FileChannel file) throws IOException;
  }

  private final FileChannel file;
  private final Supplier<HomeSpace> lookup;

  /** Null until it is owned. */
  private volatile HomeSpace home;

  public HomeFileChannel(final FileChannel file, final HomeSpace home) {
    this(file, () -> home);
  }

  /**
   * Of a home that may be owned later.
   *
   * @param lookup null: it isn't yet
   */
  public HomeFileChannel(final FileChannel file, final Supplier<HomeSpace> lookup) {
    this.file = file;
    this.lookup = lookup;
  }

  /** An interrupt closes the file's own channel, and so this one. */
  private <T> T run(final Operation<T> operation) throws IOException {
    try {
      return operation.run(file);
    } catch (final ClosedChannelException | FileLockInterruptionException e) {
      if (!file.isOpen()) {
        close();
      }
      throw e;
    }
  }

  private <T> T write(final Operation<T> operation) throws IOException {
    if (home == null) {
      home = lookup.get();
    }
    final HomeSpace owned = home;
    if (owned != null) {
      owned.awaitRoom();
    }
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
