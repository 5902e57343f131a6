// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * A channel's access to its segment's bytes, at positions that the caller gives, wherever the
 * segment lies now.
 *
 * <p>Design note: each channel has a descriptor of its own on the segment's file, because an
 * interrupt closes the descriptor that the thread was using, and another channel's must not be that
 * one. A move opens the copy for every channel before the name leads there ({@link #open}, {@link
 * #use}, {@link #leave}), so no open channel depends on a name. The last user of the old descriptor
 * closes it.
 *
 * <p>It doesn't lead to its channel, so that the garbage collector can find one that its user
 * forgot; this is what closes it then.
 *
 * <p>Any thread; writing, truncating and mapping under the segment's lock. A {@link
 * ClosedChannelException} says that the descriptor was closed under its user, by an interrupt or a
 * close: the caller closes the channel.
 */
public final class SegmentAccess extends PhantomReference<FileChannel> implements FileFollower {
  private static final SegmentLock[] NO_LOCKS = {};

  private final Segment segment;
  private final Set<OpenOption> reopenOptions;

  /** True if the channel was opened to write at the end, wherever that is by then. */
  private final boolean append;

  /** True if the channel was opened to force every write. */
  private final boolean sync;

  /** The unit of each read and write of a channel that was opened with DIRECT; else 1. */
  private final int blockBytes;

  /** True if the name goes with the channel. */
  private final boolean deleteOnClose;

  private final ColdReads coldReads;

  /** Guarded by this; read by any thread. */
  private volatile SegmentDescriptor descriptor;

  /** Guarded by this; read by any thread. */
  private volatile boolean closed;

  /** Those that the user holds. Under the segment's lock. */
  private Set<SegmentLock> locks = Set.of();

  /** Of the copy before a move's switch, of the source after it. Under the segment's lock. */
  private SegmentDescriptor other;

  /** Those of {@link #locks} that move. */
  private SegmentLock[] otherLocks = NO_LOCKS;

  /** Under the segment's lock. */
  SegmentAccess(
      final FileChannel channel,
      final Segment segment,
      final Set<? extends OpenOption> options,
      final Set<OpenOption> reopenOptions,
      final ColdReads coldReads)
      throws IOException {
    super(channel, segment.host.forgotten());
    this.segment = segment;
    this.reopenOptions = reopenOptions;
    append = reopenOptions.contains(StandardOpenOption.APPEND);
    sync = options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC);
    deleteOnClose = options.contains(StandardOpenOption.DELETE_ON_CLOSE);
    this.coldReads = coldReads;
    blockBytes =
        options.stream().anyMatch(SegmentAccess::isDirect)
            ? (int) Files.getFileStore(segment.file().path()).getBlockSize()
            : 1;
    descriptor = firstDescriptor();
  }

  public Segment segment() {
    return segment;
  }

  private SegmentDescriptor firstDescriptor() throws IOException {
    while (true) {
      final SegmentFile file = segment.file();
      try {
        return new SegmentDescriptor(FileChannel.open(file.path(), reopenOptions), file);
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

  /** The descriptor of the authoritative file; to be left by {@link SegmentDescriptor#exit}. */
  private SegmentDescriptor enter() throws IOException {
    while (true) {
      final SegmentDescriptor now = descriptor;
      ensureOpen();
      if (now.enter()) {
        return now;
      }
    }
  }

  /** Opens a copy that the segment may become, and locks what is locked. */
  @Override
  public void open(final SegmentFile to, final Path copy) throws IOException {
    other = new SegmentDescriptor(FileChannel.open(copy, reopenOptions), to);
    otherLocks = locks.toArray(SegmentLock[]::new);
    for (final SegmentLock lock : otherLocks) {
      lock.open(other.channel);
    }
  }

  /** The copy is authoritative now. Takes no memory; a closed channel keeps what it has. */
  @Override
  public synchronized void use() {
    if (!closed) {
      final SegmentDescriptor source = descriptor;
      descriptor = other;
      other = source;
      for (final SegmentLock lock : otherLocks) {
        lock.use();
      }
    }
  }

  /** Lets go what isn't used, if it was opened: the copy, or after the switch the source. */
  @Override
  public void leave() {
    if (other != null) {
      for (final SegmentLock lock : otherLocks) {
        lock.leave();
      }
      other.exit();
      other = null;
      otherLocks = NO_LOCKS; // each leads to the channel
    }
  }

  private void ensureOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /**
   * True for the option DIRECT of a module that a small runtime may lack. Its channels keep to
   * whole blocks, but through the page cache: a file that grows ahead ends between two blocks.
   */
  public static boolean isDirect(final OpenOption option) {
    return option.toString().equals("DIRECT");
  }

  private void refuseUnaligned(final ByteBuffer buffer, final long at) throws IOException {
    if (at % blockBytes != 0
        || buffer.remaining() % blockBytes != 0
        || buffer.isDirect() && buffer.alignmentOffset(buffer.position(), blockBytes) != 0) {
      throw new IOException("not in whole blocks of " + blockBytes + " B");
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
      refuseUnaligned(target, at);
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
    refuseUnaligned(source, position);
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
        if (closed) {
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
  long transferTo(
      final FileChannel channel, final long at, final long count, final WritableByteChannel target)
      throws IOException {
    final SegmentDescriptor own = enter();
    try {
      final boolean any = at >= 0 && count > 0; // if not, its own channel checks the arguments
      final long ready = any ? coldReads.ready(segment, own.file, at, count, target) : count;
      final long sent = any && ready == 0 ? 0 : own.file.transferTo(own.channel, at, ready, target);
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
        own.file.adoptLength();
      }
    } finally {
      own.exit();
    }
  }

  /**
   * As {@link FileChannel#lock(long, long, boolean)} and {@code tryLock}. Closes the channel itself
   * if an interrupt closed the descriptor, since the error then tells of the lock alone.
   */
  FileLock lock(final FileChannel channel, final MappableChannel.Mapping<FileLock> locking)
      throws IOException {
    while (true) {
      final SegmentDescriptor own = enter();
      try {
        final FileLock lock = locking.map(own.channel);
        if (lock == null) {
          return null;
        }
        final SegmentLock held = new SegmentLock(channel, lock);
        segment.lock.lock();
        try {
          if (own == descriptor) {
            if (locks.isEmpty()) {
              locks = Collections.newSetFromMap(new WeakHashMap<>());
            }
            locks.add(held);
            return held;
          }
        } finally {
          segment.lock.unlock();
        }
        lock.release(); // of a file that the segment has left
      } catch (final FileLockInterruptionException e) {
        channel.close();
        throw e;
      } finally {
        own.exit();
      }
    }
  }

  /** Closes the channel, if its user hasn't done so. */
  public void close() throws IOException {
    final SegmentDescriptor last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = descriptor;
    }
    try {
      last.closeUnlessForced();
    } finally {
      last.exit();
      segment.host.closed(segment, this, deleteOnClose);
    }
  }
}
