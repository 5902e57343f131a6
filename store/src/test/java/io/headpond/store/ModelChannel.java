// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.segment.MappableChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A real file's channel; the {@link ModelDisk} is told of what changes and what is forced. */
final class ModelChannel extends MappableChannel {
  private final ModelDisk disk;
  private final ModelNode node;
  private final Path path;
  private final FileChannel real;
  private final boolean dsync;

  /** The last write at a position: from where to where. */
  private final long[] written = {0, 0};

  /** Failed forces of the file that a force by this channel needn't tell any more. */
  int failuresTold;

  /**
   * A channel.
   *
   * @param path what it was opened by
   * @param dsync does each write at a position force its own bytes?
   */
  ModelChannel(
      final ModelDisk disk,
      final ModelNode node,
      final Path path,
      final FileChannel real,
      final boolean dsync) {
    this.dsync = dsync;
    this.disk = disk;
    this.node = node;
    this.path = path;
    this.real = real;
    failuresTold = node.failures;
  }

  @Override
  public int read(final ByteBuffer target) throws IOException {
    disk.call(ModelFaults.Call.READ, path);
    return real.read(target);
  }

  @Override
  public long read(final ByteBuffer[] targets, final int offset, final int length)
      throws IOException {
    disk.call(ModelFaults.Call.READ, path);
    return real.read(targets, offset, length);
  }

  @Override
  public int read(final ByteBuffer target, final long at) throws IOException {
    disk.call(ModelFaults.Call.READ, path);
    return real.read(target, at);
  }

  @Override
  public int write(final ByteBuffer source) throws IOException {
    disk.call(ModelFaults.Call.WRITE, path);
    disk.event();
    return real.write(source);
  }

  @Override
  public long write(final ByteBuffer[] sources, final int offset, final int length)
      throws IOException {
    disk.call(ModelFaults.Call.WRITE, path);
    disk.event();
    return real.write(sources, offset, length);
  }

  @Override
  public int write(final ByteBuffer source, final long at) throws IOException {
    // What is in the page cache is written over without the device.
    if (at < written[0] || at + source.remaining() > written[1]) {
      disk.call(ModelFaults.Call.WRITE, path);
    }
    disk.event();
    if (disk.dropsWrite()) {
      final int length = source.remaining();
      source.position(source.limit());
      return length;
    }
    final int length = real.write(source, at);
    written[0] = at;
    written[1] = at + length;
    if (dsync) {
      forceWritten(at, length);
    }
    return length;
  }

  private void forceWritten(final long at, final int length) throws IOException {
    disk.turn(ModelFaults.Call.FORCE, path);
    try {
      disk.forceRange(node, path, at, length);
    } catch (final ClosedByInterruptException e) {
      close();
      throw e;
    }
    disk.returning(ModelFaults.Call.FORCE, path);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(final long newPosition) throws IOException {
    real.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    disk.call(ModelFaults.Call.SIZE, path);
    return disk.size(node, real.size());
  }

  @Override
  public FileChannel truncate(final long size) throws IOException {
    disk.turn(ModelFaults.Call.TRUNCATE, path);
    disk.truncate(node, path, real, size);
    return this;
  }

  @Override
  public void force(final boolean metadata) throws IOException {
    disk.turn(ModelFaults.Call.FORCE, path);
    try {
      disk.force(node, path, this);
    } catch (final ClosedByInterruptException e) {
      close();
      throw e;
    }
    disk.returning(ModelFaults.Call.FORCE, path);
  }

  @Override
  public long transferTo(final long at, final long count, final WritableByteChannel target)
      throws IOException {
    disk.call(ModelFaults.Call.READ, path);
    return real.transferTo(at, count, target);
  }

  @Override
  public long transferFrom(final ReadableByteChannel source, final long at, final long count)
      throws IOException {
    disk.call(ModelFaults.Call.WRITE, path);
    disk.event();
    return real.transferFrom(source, at, count);
  }

  /** Only to find out whether {@code MAP_SYNC} is refused: what is mapped to be used isn't here. */
  @Override
  protected <T> T mapped(final Mapping<T> mapping) throws IOException {
    return disk.isMemory(node) ? null : mapping.map(real);
  }

  @Override
  public FileLock lock(final long at, final long size, final boolean shared) throws IOException {
    return real.lock(at, size, shared);
  }

  @Override
  public FileLock tryLock(final long at, final long size, final boolean shared) throws IOException {
    return real.tryLock(at, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
    disk.closed(this, path);
  }
}
