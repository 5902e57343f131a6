// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.mirror.UnmirroredException;
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
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** A read follows its segment to so many other places, if one after the other fails. */
  private static final int MOVES_MAX = 2;

  /** The JDK and the kernel move no more than this in one step. */
  private static final int PROBE_BYTES = 64 << 10;

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
   * Moves the segment, because its file can't be opened as this channel needs it: its tier can only
   * be read any more, or not even that.
   *
   * @throws IOException the error, if that says nothing of the tier, or there is no other place
   */
  private void leave(final SegmentFile file, final FileSystemException e) throws IOException {
    final boolean writes = append || reopenOptions.contains(StandardOpenOption.WRITE);
    final IOException meaning =
        writes && !file.atHome() ? file.directory.unopened(file.path(), e) : file.unread(e);
    if (!(meaning instanceof final DeviceFaultException fault)) {
      throw e;
    }
    if (writes) {
      segment.evacuateFrom(file, fault);
    } else {
      segment.leaveUnread(file, fault, false);
    }
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

  /** A read by the descriptor that it is given. */
  private interface Read {
    long by(SegmentDescriptor own) throws IOException;
  }

  /** Reads as {@link FileChannel#read(ByteBuffer, long)}. */
  int read(final ByteBuffer target, final long at) throws IOException {
    final int start = target.position();
    return (int) readAnywhere(own -> read(own, target.position(start), at));
  }

  private int read(final SegmentDescriptor own, final ByteBuffer target, final long at)
      throws IOException {
    coldReads.look(segment, own.file, at, target.remaining());
    final int read;
    try {
      read = own.file.read(own.channel, target, at);
    } catch (final IOException e) {
      final IOException meaning = own.file.unread(e);
      throw meaning == e ? told("read", e) : meaning;
    }
    if (read < 0 && own.file.growsAhead()) {
      refuseInterrupted();
    }
    segment.read(read, own.file.directory);
    return read;
  }

  /**
   * Reads from the segment's mirror, if its tier's device fails to.
   *
   * @param read throws a {@link DeviceFaultException} then
   */
  private long readAnywhere(final Read read) throws IOException {
    for (int moves = 0; ; moves++) {
      final SegmentDescriptor own = enter();
      final DeviceFaultException fault;
      try {
        return read.by(own);
      } catch (final DeviceFaultException e) {
        fault = e;
      } finally {
        own.exit();
      }
      if (moves == MOVES_MAX) {
        throw told("read", fault);
      }
      leaveUnread(own.file, fault);
    }
  }

  private void leaveUnread(final SegmentFile failed, final DeviceFaultException fault)
      throws IOException {
    final boolean interrupted = Thread.interrupted(); // or it would end what is half done
    segment.lock.lock();
    try {
      if (channel.isOpen()) { // else its name may be gone, and must not come back
        segment.leaveUnread(failed, fault, true);
      }
    } catch (final IOException e) {
      throw told("read", e);
    } finally {
      segment.lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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
            segment.written(at, done);
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
        segment.unsealed.touch();
        own.file.write(own.channel, source, at + source.position() - start);
        if (sync && !own.file.persistsWrites()) {
          segment.durability.awaitPrecondition();
          own.file.force(own.channel, true);
        }
        final int written = source.position() - start;
        segment.written(at, written);
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

  /**
   * Waits until the loss of the tier would lose no more than it may of what was appended. Not under
   * the segment's lock: other appends go on meanwhile.
   */
  void awaitMirror() throws IOException {
    awaitMirror(NOTHING, 0, 0, 0);
  }

  /**
   * The same; if what was appended can't be read any more, the segment goes on at home with its
   * mirror.
   *
   * @param source whose bytes from {@code start} to its position were written
   * @param at where they were written
   * @param cuts of the mirror, after that
   */
  void awaitMirror(final ByteBuffer source, final int start, final long at, final int cuts)
      throws IOException {
    try {
      segment.awaitMirror();
    } catch (final UnmirroredException unread) {
      try {
        leaveUnread(unread, source.duplicate().flip().position(start), at, cuts);
      } catch (final IOException e) {
        throw told("write", e);
      }
    }
  }

  private void leaveUnread(
      final UnmirroredException unread, final ByteBuffer appended, final long at, final int cuts)
      throws IOException {
    final boolean interrupted = Thread.interrupted(); // or it would end what is half done
    segment.lock.lock();
    try {
      if (!channel.isOpen()) {
        throw unread; // its name may be gone, and must not come back
      }
      segment.leaveUnread(unread, appended, at, cuts);
    } finally {
      segment.lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
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
        segment.cutMirror(size);
        own.file.truncate(own.channel, size);
        segment.durability.cut();
      }
      return true;
    } catch (final DeviceFullException | DeviceFaultException e) {
      segment.evacuate(own.channel, e, size); // its mirror is cut already
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
    return readAnywhere(own -> transferTo(own, at, count, target));
  }

  private long transferTo(
      final SegmentDescriptor own,
      final long at,
      final long count,
      final WritableByteChannel target)
      throws IOException {
    final long sent;
    try {
      final long ready = coldReads.ready(segment, own.file, at, count, target);
      sent = ready == 0 ? 0 : own.file.transferTo(own.channel, at, ready, target);
    } catch (final ClosedChannelException e) {
      if (!own.channel.isOpen()) {
        channel.close();
      }
      throw e;
    } catch (final IOException e) {
      throw own.file.mirror == null ? e : blamed(own, at, count, e);
    }
    segment.read(sent, own.file.directory);
    return sent;
  }

  /**
   * The error of a transfer, which has moved nothing: that of the file, if a read of the same bytes
   * fails too; else it is the target's. A transfer that fails does so at its first bytes.
   */
  private static IOException blamed(
      final SegmentDescriptor own, final long at, final long count, final IOException e) {
    final ByteBuffer probe = ByteBuffer.allocate((int) Math.min(count, PROBE_BYTES));
    try {
      while (probe.hasRemaining()
          && own.file.read(own.channel, probe, at + probe.position()) > 0) {}
      return e;
    } catch (final IOException unread) {
      return own.file.unread(unread);
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
