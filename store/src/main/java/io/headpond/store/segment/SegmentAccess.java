// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A channel's access to its segment's bytes, at positions that the caller gives, wherever the
 * segment lies now.
 *
 * <p>Design note: each channel has a descriptor of its own on the segment's file, because an
 * interrupt closes the descriptor that the thread was using, and another channel's must not be that
 * one. When the segment moves to another file, the next operation opens that one, and the old
 * descriptor is closed by its last user.
 *
 * <p>Any thread; writing, truncating and mapping under the segment's lock. A {@link
 * ClosedChannelException} says that the descriptor was closed under its user, by an interrupt or a
 * close: the caller closes the channel.
 */
final class SegmentAccess {
  private final FileChannel channel;
  private final Segment segment;
  private final Set<OpenOption> reopenOptions;

  /** True if the channel was opened to write at the end, wherever that is by then. */
  private final boolean append;

  /** True if the channel was opened to force every write. */
  private final boolean sync;

  private final ColdReads coldReads;

  private final Object descriptorLock = new Object();
  private volatile SegmentDescriptor descriptor;

  /** Under the segment's lock. */
  SegmentAccess(
      final FileChannel channel,
      final Segment segment,
      final Set<OpenOption> reopenOptions,
      final boolean sync,
      final ColdReads coldReads)
      throws IOException {
    this.channel = channel;
    this.segment = segment;
    this.reopenOptions = reopenOptions;
    append = reopenOptions.contains(StandardOpenOption.APPEND);
    this.sync = sync;
    this.coldReads = coldReads;
    descriptor = firstDescriptor();
  }

  private SegmentDescriptor firstDescriptor() throws IOException {
    while (true) {
      final SegmentFile file = segment.file();
      try {
        return openDescriptor();
      } catch (final FileSystemException e) {
        leave(file, e);
      }
    }
  }

  /**
   * Moves the segment, because its file can't be opened for writing: its tier can only be read any
   * more.
   *
   * @throws IOException the error, if that says nothing of the tier, or there is no other place
   */
  private void leave(final SegmentFile file, final FileSystemException e) throws IOException {
    final boolean writes = append || reopenOptions.contains(StandardOpenOption.WRITE);
    if (!writes
        || file.atHome()
        || !(file.directory.unopened(file.path(), e) instanceof final DeviceFaultException fault)) {
      throw e;
    }
    segment.evacuateFrom(file, fault);
  }

  /** Under the segment's lock: neither its file nor its name changes. */
  private SegmentDescriptor openDescriptor() throws IOException {
    final SegmentFile file = segment.file();
    return new SegmentDescriptor(FileChannel.open(file.path(), reopenOptions), file);
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
        while (descriptor.file != segment.file()) {
          final SegmentDescriptor old = descriptor;
          try {
            descriptor = openDescriptor();
            old.exit();
          } catch (final FileSystemException e) {
            leave(segment.file(), e); // all its channels follow meanwhile, this one too
          }
        }
      }
    } finally {
      segment.lock.unlock();
    }
  }

  private void ensureOpen() throws ClosedChannelException {
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
  }

  /** The contract of an interruptible channel where no descriptor is used. */
  private static void refuseInterrupted() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  /** Reads as {@link FileChannel#read(ByteBuffer, long)}. */
  int read(final ByteBuffer target, final long at) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      coldReads.look(segment, own.file, at, target.remaining());
      final int read = own.file.read(own.channel, target, at);
      if (read < 0 && own.file.growsAhead()) {
        refuseInterrupted();
      }
      segment.read(read, own.file.directory);
      return read;
    } catch (final IOException e) {
      throw told("read", e);
    } finally {
      own.exit();
    }
  }

  /** The error as the engine is told it: with the file, the cause and the remedy. */
  private IOException told(final String operation, final IOException e) {
    return e instanceof ClosedChannelException
        ? e
        : new IOException(
            PlaceCodes.DEVICE_FAILED.text(segment.name(), operation, PlainText.reason(e)), e);
  }

  /** Writes all of the source, elsewhere if the device has no room or fails. Under the lock. */
  int write(final ByteBuffer source, final long at) throws IOException {
    try {
      return writeAnywhere(source, at);
    } catch (final IOException e) {
      throw told("write", e);
    }
  }

  private int writeAnywhere(final ByteBuffer source, final long position) throws IOException {
    final int start = source.position();
    long at = position;
    boolean othersMayAppend = false;
    while (true) {
      final SegmentDescriptor own = enter();
      try {
        if (own.file.growsAhead()) {
          refuseInterrupted();
        }
        segment.refuseUnclear();
        if (append && othersMayAppend) {
          final int done = source.position() - start;
          final long end = own.file.end(own.channel);
          if (done > 0 && end != at + done) { // the rest can't come right behind it
            segment.written(done);
            return done;
          }
          at = end - done;
        }
        if (own.file.promisesWrites()) {
          segment.durability.awaitPrecondition();
        }
        if (segment.watched() && at < own.file.end(own.channel)) {
          segment.changed();
        }
        segment.beforeWrite();
        own.file.write(own.channel, source, at + source.position() - start);
        if (sync && !own.file.persistsWrites()) {
          segment.durability.awaitPrecondition();
          own.file.force(own.channel, true);
        }
        final int written = source.position() - start;
        segment.written(written);
        return written;
      } catch (final DeviceFullException e) {
        othersMayAppend = true; // while it waits it lets the lock go
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

  /** The logical length, bytes. */
  long end() throws IOException {
    final SegmentDescriptor own = enter();
    try {
      return own.file.end(own.channel);
    } catch (final IOException e) {
      throw told("look at the length", e);
    } finally {
      own.exit();
    }
  }

  /** Shortens the segment; does nothing if it isn't longer. Under the lock. */
  void truncate(final long size) throws IOException {
    try {
      while (!truncatedOrMoved(size)) {}
    } catch (final IOException e) {
      throw told("truncate", e);
    }
  }

  /** False: its tier's device failed to, and the segment lies elsewhere now. */
  private boolean truncatedOrMoved(final long size) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      if (size < own.file.end(own.channel)) {
        segment.changed();
        own.file.truncate(own.channel, size);
        segment.durability.cut();
      }
      return true;
    } catch (final DeviceFullException | DeviceFaultException e) {
      segment.evacuate(own.channel, e);
      return false;
    } finally {
      own.exit();
    }
  }

  /** Not under the lock: appends go on while the device works, as on a plain file. */
  void force(final boolean metadata) throws IOException {
    try {
      while (!forcedOrMoved(metadata)) {}
    } catch (final IOException e) {
      throw told("force", e);
    }
  }

  /** False: its tier's device failed to, and the segment lies elsewhere now. */
  private boolean forcedOrMoved(final boolean metadata) throws IOException {
    final SegmentDescriptor own = enterToForce();
    try {
      segment.refuseUnclear();
      segment.durability.awaitWritten();
      segment.force(own.file, () -> own.file.force(own.channel, metadata));
      return true;
    } catch (final DeviceFaultException e) {
      segment.lock.lock();
      try {
        if (!channel.isOpen()) {
          throw e; // its name may be gone, and must not come back
        }
        if (own.file == segment.file()) {
          segment.evacuate(own.channel, e);
        }
        return false;
      } finally {
        segment.lock.unlock();
      }
    } finally {
      own.endForce();
      own.exit();
    }
  }

  private SegmentDescriptor enterToForce() throws IOException {
    while (true) {
      final SegmentDescriptor own = enter();
      if (own.beginForce()) {
        return own;
      }
      own.exit(); // the channel is closed, which enter says
    }
  }

  /**
   * As {@link FileChannel#transferTo}. Closes the channel itself if need be, because the caller
   * can't tell whose end was closed: this one or the target's.
   */
  long transferTo(final long at, final long count, final WritableByteChannel target)
      throws IOException {
    final SegmentDescriptor own = enter();
    try {
      final long ready = coldReads.ready(segment, own.file, at, count, target);
      final long sent = ready == 0 ? 0 : own.file.transferTo(own.channel, at, ready, target);
      segment.read(sent, own.file.directory);
      return sent;
    } catch (final ClosedChannelException e) {
      if (!own.channel.isOpen()) {
        channel.close();
      }
      throw e;
    } finally {
      own.exit();
    }
  }

  /** Maps a part of the file, which ends where the segment ends meanwhile. Under the lock. */
  <T> T mapped(final MappableChannel.Mapping<T> mapping) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      // The caller may keep the mapping for ever: the file is never given another use.
      segment.userMapped();
      segment.changed(); // a move under way can't see what is stored into a mapping
      own.file.seal();
      try {
        return mapping.map(own.channel);
      } finally {
        own.file.adoptLength(segment.name());
      }
    } finally {
      own.exit();
    }
  }

  /**
   * As {@link FileChannel#lock(long, long, boolean)}. Closes the channel itself if an interrupt
   * closed the descriptor, since the error then tells of the lock alone.
   */
  FileLock lock(final long at, final long size, final boolean shared) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      return new SegmentLock(channel, own.channel.lock(at, size, shared));
    } catch (final FileLockInterruptionException e) {
      channel.close();
      throw e;
    } finally {
      own.exit();
    }
  }

  FileLock tryLock(final long at, final long size, final boolean shared) throws IOException {
    final SegmentDescriptor own = enter();
    try {
      final FileLock lock = own.channel.tryLock(at, size, shared);
      return lock == null ? null : new SegmentLock(channel, lock);
    } finally {
      own.exit();
    }
  }

  /** The channel is closed already: no new user comes. */
  void close() throws IOException {
    final SegmentDescriptor last;
    synchronized (descriptorLock) {
      last = descriptor;
    }
    try {
      last.closeUnlessForced();
    } finally {
      last.exit();
    }
  }
}
