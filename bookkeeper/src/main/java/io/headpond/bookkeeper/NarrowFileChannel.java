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
 * A {@link FileChannel} that can what BookKeeper's journal calls. Everything else is an {@link
 * UnsupportedOperationException}, rather than something that nobody has ever run.
 */
abstract class NarrowFileChannel extends FileChannel {
  private final Path file;

  NarrowFileChannel(Path file) {
    this.file = file;
  }

  /** File behind this channel, as errors name it. */
  final Path file() {
    return file;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
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

  @Override
  public int write(ByteBuffer source) throws IOException {
    throw unsupported();
  }

  @Override
  public int write(ByteBuffer source, long at) throws IOException {
    throw unsupported();
  }

  @Override
  public void force(boolean metadata) throws IOException {
    throw unsupported();
  }

  private UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException(
        file + ": a journal is only appended to, or read from its start");
  }
}
