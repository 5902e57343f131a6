// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file's channel, of whose calls a hook is told before they are made. */
final class HookedChannel extends FileChannel {
  private final FileChannel real;
  private final Hook hook;

  /** Is told of a call. */
  @FunctionalInterface
  interface Hook {
    void before(String call) throws IOException;
  }

  HookedChannel(final FileChannel real, final Hook hook) {
    this.real = real;
    this.hook = hook;
  }

  @Override
  public int read(final ByteBuffer target) throws IOException {
    hook.before("read");
    return real.read(target);
  }

  @Override
  public long read(final ByteBuffer[] targets, final int offset, final int length)
      throws IOException {
    hook.before("read");
    return real.read(targets, offset, length);
  }

  @Override
  public int read(final ByteBuffer target, final long position) throws IOException {
    hook.before("read");
    return real.read(target, position);
  }

  @Override
  public int write(final ByteBuffer source) throws IOException {
    hook.before("write");
    return real.write(source);
  }

  @Override
  public long write(final ByteBuffer[] sources, final int offset, final int length)
      throws IOException {
    hook.before("write");
    return real.write(sources, offset, length);
  }

  @Override
  public int write(final ByteBuffer source, final long position) throws IOException {
    hook.before("write");
    return real.write(source, position);
  }

  @Override
  public void force(final boolean metadata) throws IOException {
    hook.before("force");
    real.force(metadata);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(final long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    hook.before("size");
    return real.size();
  }

  @Override
  public FileChannel truncate(final long size) throws IOException {
    hook.before("truncate");
    real.truncate(size);
    return this;
  }

  @Override
  public long transferTo(final long position, final long count, final WritableByteChannel target)
      throws IOException {
    hook.before("read");
    return real.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(final ReadableByteChannel source, final long position, final long count)
      throws IOException {
    hook.before("write");
    return real.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(final MapMode mode, final long position, final long size)
      throws IOException {
    return real.map(mode, position, size);
  }

  @Override
  public FileLock lock(final long position, final long size, final boolean shared)
      throws IOException {
    return real.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(final long position, final long size, final boolean shared)
      throws IOException {
    return real.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
  }
}
