// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.migrate.Pace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/**
 * An engine's channel on a segment: a full {@link FileChannel}, wherever the segment lies.
 *
 * <p>Here is the contract: arguments, the position, interrupts, closing. What is done to the bytes
 * is in {@link SegmentAccess}. Reads take no lock; what changes the bytes takes the segment's.
 */
public final class SegmentChannel extends MappableChannel {
  private static final int TRANSFER_BYTES = 64 << 10;

  /**
   * Up to Java 17 a transfer to a position past the end moves nothing; later it leaves a gap, as a
   * write does (seen on 17, 21 and 25).
   */
  private static final boolean TRANSFER_STOPS_AT_THE_END = Runtime.version().feature() <= 17;

  private final Segment segment;
  private final SegmentAccess access;
  private final boolean readable;
  private final boolean writable;
  private final boolean append;
  private final Pace pace;
  private final HomeSpace home;

  private final LatencyHistogram appendNanos;
  private final TimeSource time;

  /**
   * To look at one append of {@link Pace#SAMPLE}; a count that is lost to a race does no harm.
   * Begins anywhere, so that channels with few appends are seen too.
   */
  private int appends = System.identityHashCode(this);

  private final Object positionLock = new Object();
  private long position;

  public SegmentChannel(
      final Pace pace,
      final HomeSpace home,
      final ColdReads coldReads,
      final LatencyHistogram appendNanos,
      final TimeSource time,
      final Segment segment,
      final Set<? extends OpenOption> options,
      final Set<OpenOption> reopenOptions)
      throws IOException {
    this.segment = segment;
    this.pace = pace;
    this.home = home;
    this.appendNanos = appendNanos;
    this.time = time;
    append = options.contains(StandardOpenOption.APPEND);
    writable = append || options.contains(StandardOpenOption.WRITE);
    readable = options.contains(StandardOpenOption.READ) || !writable;
    access = new SegmentAccess(this, segment, options, reopenOptions, coldReads);
  }

  public Segment segment() {
    return segment;
  }

  /** What lasts until the channel is closed, also if its user forgets it. */
  public SegmentAccess access() {
    return access;
  }

  private void ensureOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private void ensureReadable() throws ClosedChannelException {
    ensureOpen();
    if (!readable) {
      throw new NonReadableChannelException();
    }
  }

  private void ensureWritable() throws ClosedChannelException {
    ensureOpen();
    if (!writable) {
      throw new NonWritableChannelException();
    }
  }

  /**
   * The descriptor was closed under us, by an interrupt or a close: so is this channel. Not under
   * the segment's lock, for which a thread that is closing this channel may wait, having the
   * channel's own: whoever holds the lock comes here when it has let go.
   */
  private ClosedChannelException closed(final ClosedChannelException e) throws IOException {
    if (!segment.lock.isHeldByCurrentThread()) {
      close();
    }
    return e;
  }

  /** The contract of an interruptible channel where no descriptor is used. */
  private void closeIfInterrupted() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw closed(new ClosedByInterruptException());
    }
  }

  @Override
  public int read(final ByteBuffer target) throws IOException {
    ensureReadable();
    synchronized (positionLock) {
      ensureOpen();
      final int read = readAt(target, position);
      if (read > 0) {
        position += read;
      }
      return read;
    }
  }

  @Override
  public int read(final ByteBuffer target, final long at) throws IOException {
    Objects.requireNonNull(target);
    refuseNegative(at, "position");
    ensureReadable();
    return readAt(target, at);
  }

  @Override
  public long read(final ByteBuffer[] targets, final int offset, final int length)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, targets.length);
    ensureReadable();
    for (int i = offset; i < offset + length; i++) {
      refuseReadOnly(targets[i]);
    }
    synchronized (positionLock) {
      ensureOpen();
      long total = 0;
      for (int i = offset; i < offset + length; i++) {
        if (!targets[i].hasRemaining()) {
          continue;
        }
        final int read = readAt(targets[i], position);
        if (read < 0) {
          return total == 0 ? -1 : total;
        }
        position += read;
        total += read;
        if (targets[i].hasRemaining()) {
          break;
        }
      }
      return total;
    }
  }

  private int readAt(final ByteBuffer target, final long at) throws IOException {
    refuseReadOnly(target);
    try {
      return access.read(target, at);
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  private static void refuseReadOnly(final ByteBuffer target) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
  }

  @Override
  public int write(final ByteBuffer source) throws IOException {
    ensureWritable();
    Objects.requireNonNull(source);
    awaitRoom(source.remaining());
    try {
      synchronized (positionLock) {
        return writeAt(source, position, true);
      }
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  @Override
  public int write(final ByteBuffer source, final long at) throws IOException {
    Objects.requireNonNull(source);
    refuseNegative(at, "position");
    ensureWritable();
    awaitRoom(source.remaining());
    try {
      return writeAt(source, at, false);
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  private void awaitRoom(final long bytes) throws IOException {
    home.awaitRoom(segment.file().atHome() ? bytes : 0);
  }

  /**
   * Writes all of the source.
   *
   * @param wanted where; as pwrite(2) does on Linux, a descriptor that appends ignores it
   * @param moves does it move the channel's position? Then under the lock of that
   */
  private int writeAt(final ByteBuffer source, final long wanted, final boolean moves)
      throws IOException {
    final long begun = begun();
    final int written;
    segment.lock.lock();
    try {
      ensureOpen();
      final long at = append ? end() : wanted;
      written = access.write(source, at);
      if (moves) {
        position = at + written;
      }
    } finally {
      segment.lock.unlock();
    }
    appended(begun);
    return written;
  }

  @Override
  public long write(final ByteBuffer[] sources, final int offset, final int length)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    ensureWritable();
    for (int i = offset; i < offset + length; i++) {
      Objects.requireNonNull(sources[i]);
    }
    awaitRoom(0);
    final long begun = begun();
    try {
      synchronized (positionLock) {
        final long written;
        segment.lock.lock();
        try {
          ensureOpen();
          written = writeAll(sources, offset, length);
        } finally {
          segment.lock.unlock();
        }
        appended(begun);
        return written;
      }
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  /** The begin of an append whose time is wanted, nanoseconds; zero if it isn't. */
  private long begun() {
    return sampled(++appends) || pace.copying() ? time.nanos() : 0;
  }

  private void appended(final long begun) {
    if (begun != 0) {
      final long nanos = time.nanos() - begun;
      pace.appended(nanos);
      if (sampled(appends)) {
        appendNanos.record(nanos);
      }
    }
  }

  private static boolean sampled(final int append) {
    return (append & Pace.SAMPLE - 1) == 0;
  }

  /** Under the position's and the segment's lock. */
  private long writeAll(final ByteBuffer[] sources, final int offset, final int length)
      throws IOException {
    long at = append ? end() : position;
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      if (append && i > offset) {
        at = end(); // of what others may have appended while this one waited, too
      }
      final int written = sources[i].hasRemaining() ? access.write(sources[i], at) : 0;
      at += written;
      total += written;
      position = at;
      if (sources[i].hasRemaining()) {
        break;
      }
    }
    return total;
  }

  @Override
  public long position() throws IOException {
    ensureOpen();
    closeIfInterrupted();
    synchronized (positionLock) {
      return append ? end() : position;
    }
  }

  @Override
  public FileChannel position(final long newPosition) throws IOException {
    ensureOpen();
    refuseNegative(newPosition, "position");
    closeIfInterrupted();
    synchronized (positionLock) {
      ensureOpen();
      position = newPosition;
    }
    return this;
  }

  @Override
  public long size() throws IOException {
    ensureOpen();
    closeIfInterrupted();
    return end();
  }

  private long end() throws IOException {
    try {
      return access.end();
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  @Override
  public FileChannel truncate(final long size) throws IOException {
    ensureOpen();
    refuseNegative(size, "size");
    ensureWritable();
    closeIfInterrupted();
    try {
      synchronized (positionLock) {
        segment.lock.lock();
        try {
          access.truncate(size);
          position = Math.min(position, size);
        } finally {
          segment.lock.unlock();
        }
      }
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
    return this;
  }

  @Override
  public void force(final boolean metadata) throws IOException {
    ensureOpen();
    closeIfInterrupted();
    try {
      access.force(metadata);
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  @Override
  public long transferTo(final long at, final long count, final WritableByteChannel target)
      throws IOException {
    ensureOpen();
    if (!target.isOpen()) {
      throw new ClosedChannelException();
    }
    ensureReadable();
    if (target instanceof final SegmentChannel segments) {
      segments.ensureWritable(); // a plain file's channel is asked by its own
    }
    closeIfInterrupted();
    return access.transferTo(this, at, count, target);
  }

  @Override
  public long transferFrom(final ReadableByteChannel source, final long at, final long count)
      throws IOException {
    ensureOpen();
    if (!source.isOpen()) {
      throw new ClosedChannelException();
    }
    ensureWritable();
    refuseNegative(at, "position");
    refuseNegative(count, "count");
    closeIfInterrupted();
    if (TRANSFER_STOPS_AT_THE_END && at > size()) {
      return 0;
    }
    if (source instanceof final FileChannel file) {
      file.read(ByteBuffer.allocate(0), 0); // refuses one that can't be read, also if nothing is
    }
    final ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(count, TRANSFER_BYTES));
    long total = 0;
    try {
      while (total < count) {
        buffer.clear().limit((int) Math.min(count - total, buffer.capacity()));
        final int read = source.read(buffer);
        if (read <= 0) {
          break;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
          total += write(buffer, at + total);
        }
      }
      return total;
    } catch (final IOException e) {
      if (total > 0) {
        return total;
      }
      throw e;
    }
  }

  @Override
  protected <T> T mapped(final Mapping<T> mapping) throws IOException {
    ensureOpen();
    try {
      segment.lock.lock();
      try {
        return access.mapped(mapping);
      } finally {
        segment.lock.unlock();
      }
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  @Override
  public FileLock lock(final long at, final long size, final boolean shared) throws IOException {
    try {
      return access.lock(this, own -> own.lock(at, size, shared));
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  @Override
  public FileLock tryLock(final long at, final long size, final boolean shared) throws IOException {
    return access.lock(this, own -> own.tryLock(at, size, shared));
  }

  @Override
  protected void implCloseChannel() throws IOException {
    access.close();
  }

  private static void refuseNegative(final long value, final String what) {
    if (value < 0) {
      throw new IllegalArgumentException("Negative " + what);
    }
  }
}
