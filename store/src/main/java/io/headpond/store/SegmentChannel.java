// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/**
 * An engine's channel on a segment: a full {@link FileChannel}, wherever the segment lies.
 *
 * <p>Design note: each channel has a descriptor of its own on the segment's file, because an
 * interrupt closes the descriptor that the thread was using, and another channel's must not be that
 * one. Reads go to the descriptor without a lock; only a file that is grown ahead of its logical
 * end needs a bound. When the segment moves to another file, the next operation opens that one, and
 * the old descriptor is closed by its last user.
 */
final class SegmentChannel extends MappableChannel {
  private static final int TRANSFER_BYTES = 64 << 10;

  /**
   * Up to Java 17 a transfer to a position past the end moves nothing; later it leaves a gap, as a
   * write does (seen on 17, 21 and 25).
   */
  private static final boolean TRANSFER_STOPS_AT_THE_END = Runtime.version().feature() <= 17;

  private final Namespace names;
  private final Segment segment;
  private final Set<OpenOption> reopenOptions;
  private final boolean readable;
  private final boolean writable;
  private final boolean append;
  private final boolean sync;
  private final boolean deleteOnClose;
  private final Pace pace;

  private final LatencyHistogram appendNanos;

  /**
   * To look at one append of {@link Pace#SAMPLE}; a count that is lost to a race does no harm.
   * Begins anywhere, so that channels with few appends are seen too.
   */
  private int appends = System.identityHashCode(this);

  private final Object positionLock = new Object();
  private long position;

  private final Object descriptorLock = new Object();
  private volatile SegmentDescriptor descriptor;

  SegmentChannel(
      final Namespace names,
      final Segment segment,
      final Set<? extends OpenOption> options,
      final Set<OpenOption> reopenOptions)
      throws IOException {
    this.names = names;
    this.segment = segment;
    this.reopenOptions = reopenOptions;
    pace = names.pace();
    appendNanos = names.appendNanos();
    append = options.contains(StandardOpenOption.APPEND);
    writable = append || options.contains(StandardOpenOption.WRITE);
    readable = options.contains(StandardOpenOption.READ) || !writable;
    sync = options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC);
    deleteOnClose = options.contains(StandardOpenOption.DELETE_ON_CLOSE);
    descriptor = openDescriptor();
  }

  Segment segment() {
    return segment;
  }

  /** Under the segment's lock: neither its file nor its name changes. */
  private SegmentDescriptor openDescriptor() throws IOException {
    final SegmentFile file = segment.file();
    // A home file takes every new name of its segment.
    final Path path = file.atHome() ? segment.name() : file.path;
    return new SegmentDescriptor(FileChannel.open(path, reopenOptions), file);
  }

  /** The descriptor of the authoritative file; to be left by {@link SegmentDescriptor#exit}. */
  private SegmentDescriptor enter() throws IOException {
    while (true) {
      final SegmentDescriptor now = descriptor;
      ensureOpen();
      if (now.file != segment.file()) {
        follow();
      } else if (now.enter()) {
        return now;
      }
    }
  }

  /** Opens the file that is authoritative now, if it isn't the one that is open. */
  void follow() throws IOException {
    segment.lock.lock();
    try {
      synchronized (descriptorLock) {
        ensureOpen();
        final SegmentDescriptor old = descriptor;
        if (old.file != segment.file()) {
          descriptor = openDescriptor();
          old.exit();
        }
      }
    } finally {
      segment.lock.unlock();
    }
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

  /** What the contract asks of an interruptible channel where no descriptor is used. */
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
    synchronized (positionLock) {
      ensureOpen();
      long total = 0;
      for (int i = offset; i < offset + length; i++) {
        if (!targets[i].hasRemaining() && !targets[i].isReadOnly()) {
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
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
    final SegmentDescriptor own = enter();
    try {
      final int read =
          own.file instanceof MappedSegmentFile mapped
              ? readBounded(own, mapped, target, at)
              : own.channel.read(target, at);
      segment.read(read, own.file.directory);
      return read;
    } catch (final ClosedChannelException e) {
      throw closed(e);
    } finally {
      own.exit();
    }
  }

  private int readBounded(
      final SegmentDescriptor own,
      final MappedSegmentFile file,
      final ByteBuffer target,
      final long at)
      throws IOException {
    final int entered = file.readers().enter();
    final int limit = target.limit();
    try {
      final long available = file.end(own.channel) - at;
      if (available <= 0 && target.hasRemaining()) {
        closeIfInterrupted();
        return -1;
      }
      if (available < target.remaining()) {
        target.limit(target.position() + (int) Math.max(0, available));
      }
      return own.channel.read(target, at);
    } finally {
      target.limit(limit);
      file.readers().exit(entered);
    }
  }

  @Override
  public int write(final ByteBuffer source) throws IOException {
    ensureWritable();
    Objects.requireNonNull(source);
    final long begun = begun();
    try {
      synchronized (positionLock) {
        segment.lock.lock();
        try {
          ensureOpen();
          final long at = append ? end() : position;
          final int written = writeAt(source, at);
          position = at + written;
          return written;
        } finally {
          segment.lock.unlock();
          appended(begun);
        }
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
    final long begun = begun();
    try {
      segment.lock.lock();
      try {
        ensureOpen();
        // As pwrite(2) does on Linux: a descriptor that appends ignores the position.
        return writeAt(source, append ? end() : at);
      } finally {
        segment.lock.unlock();
        appended(begun);
      }
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  @Override
  public long write(final ByteBuffer[] sources, final int offset, final int length)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    ensureWritable();
    final long begun = begun();
    try {
      synchronized (positionLock) {
        segment.lock.lock();
        try {
          ensureOpen();
          return writeAll(sources, offset, length);
        } finally {
          segment.lock.unlock();
          appended(begun);
        }
      }
    } catch (final ClosedChannelException e) {
      throw closed(e);
    }
  }

  /** When an append begins whose time is wanted, nanoseconds; zero if it isn't. */
  private long begun() {
    return sampled(++appends) || pace.copying() ? System.nanoTime() : 0;
  }

  private void appended(final long begun) {
    if (begun != 0) {
      final long nanos = System.nanoTime() - begun;
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
      final int written = sources[i].hasRemaining() ? writeAt(sources[i], at) : 0;
      at += written;
      total += written;
      position = at;
      if (sources[i].hasRemaining()) {
        break;
      }
    }
    return total;
  }

  /** Under the segment's lock. */
  private int writeAt(final ByteBuffer source, final long at) throws IOException {
    final int start = source.position();
    while (true) {
      final SegmentDescriptor own = enter();
      try {
        if (own.file.growsAhead()) {
          closeIfInterrupted();
        }
        if (own.file.promisesWrites()) {
          segment.awaitName();
        }
        if (segment.watched() && at < own.file.end(own.channel)) {
          segment.changed();
        }
        own.file.write(own.channel, source, at + source.position() - start);
        if (sync && !own.file.persistsWrites()) {
          own.file.force(own.channel, true);
        }
        final int written = source.position() - start;
        segment.written(written);
        return written;
      } catch (final DeviceFullException e) {
        if (!segment.awaitMove()) {
          segment.evacuate(own.channel, e);
        }
      } catch (final DeviceFaultException e) {
        segment.evacuate(own.channel, e);
      } finally {
        own.exit();
      }
    }
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
    final SegmentDescriptor own = enter();
    try {
      return own.file.end(own.channel);
    } catch (final ClosedChannelException e) {
      throw closed(e);
    } finally {
      own.exit();
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
          truncateTo(size);
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

  /** Under the segment's lock. */
  private void truncateTo(final long size) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      if (size < own.file.end(own.channel)) {
        segment.changed();
        own.file.truncate(own.channel, size);
      }
    } finally {
      own.exit();
    }
  }

  @Override
  public void force(final boolean metadata) throws IOException {
    ensureOpen();
    closeIfInterrupted();
    // Not under the lock: appends go on while the device works, as on a plain file.
    final SegmentDescriptor own = enter();
    try {
      segment.awaitName();
      own.file.force(own.channel, metadata);
    } catch (final ClosedChannelException e) {
      throw closed(e);
    } finally {
      own.exit();
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
    refuseNegative(at, "position");
    refuseNegative(count, "count");
    closeIfInterrupted();
    final SegmentDescriptor own = enter();
    try {
      final long sent =
          own.file instanceof MappedSegmentFile mapped
              ? transferBounded(own, mapped, at, count, target)
              : own.channel.transferTo(at, count, target);
      segment.read(sent, own.file.directory);
      return sent;
    } catch (final ClosedChannelException e) {
      if (!own.channel.isOpen()) {
        close();
      }
      throw e;
    } finally {
      own.exit();
    }
  }

  private static long transferBounded(
      final SegmentDescriptor own,
      final MappedSegmentFile file,
      final long at,
      final long count,
      final WritableByteChannel target)
      throws IOException {
    final int entered = file.readers().enter();
    try {
      final long available = file.end(own.channel) - at;
      return available <= 0 ? 0 : own.channel.transferTo(at, Math.min(count, available), target);
    } finally {
      file.readers().exit(entered);
    }
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
  <T> T mapped(final Mapping<T> mapping) throws IOException {
    ensureOpen();
    segment.lock.lock();
    try {
      final SegmentDescriptor own = enter();
      try {
        // The caller may keep the mapping for ever: the file is never given another use.
        segment.userMapped();
        segment.changed(); // a move under way can't see what is stored into a mapping
        own.file.seal();
        try {
          return mapping.map(own.channel);
        } finally {
          own.file.adoptLength();
        }
      } finally {
        own.exit();
      }
    } finally {
      segment.lock.unlock();
    }
  }

  @Override
  public FileLock lock(final long at, final long size, final boolean shared) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      return new SegmentLock(this, own.channel.lock(at, size, shared));
    } catch (final ClosedChannelException e) {
      throw closed(e);
    } finally {
      own.exit();
    }
  }

  @Override
  public FileLock tryLock(final long at, final long size, final boolean shared) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      final FileLock lock = own.channel.tryLock(at, size, shared);
      return lock == null ? null : new SegmentLock(this, lock);
    } finally {
      own.exit();
    }
  }

  @Override
  protected void implCloseChannel() throws IOException {
    final SegmentDescriptor last;
    synchronized (descriptorLock) {
      last = descriptor;
    }
    // Straight away, not when its last user leaves: a thread that is reading gets to know.
    last.channel.close();
    last.exit();
    names.closed(this, deleteOnClose);
  }

  private static void refuseNegative(final long value, final String what) {
    if (value < 0) {
      throw new IllegalArgumentException("Negative " + what);
    }
  }
}
