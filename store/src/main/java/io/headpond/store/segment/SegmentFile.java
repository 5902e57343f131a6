// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.Durability;
import io.headpond.pmem.UninterruptedForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The file that is authoritative for a segment, and how it is written.
 *
 * <p>Every method but {@link #end}, {@link #read}, {@link #transferTo} and {@link #force} is called
 * under the segment's lock. {@code own} is the calling channel's own descriptor of the file: what a
 * plain file does goes through it, so that an interrupt closes that channel alone, as the contract
 * of {@link FileChannel} says.
 */
public abstract sealed class SegmentFile permits PlainSegmentFile, MappedSegmentFile {
  private volatile Path path;

  /** Null at home. */
  public final TierDirectory directory;

  private final Object forcing = new Object();

  /** The reason why it can't be forced any more; null: it can. Written under {@link #forcing}. */
  private volatile IOException unforceable;

  /** Descriptors that channels of this process have on the file. */
  public final AtomicInteger descriptors = new AtomicInteger();

  SegmentFile(final Path path, final TierDirectory directory) {
    this.path = path;
    this.directory = directory;
    if (directory != null && directory.distrusts(path)) {
      unforceable = new IOException(directory + " failed before");
    }
  }

  /** Where it is. Any thread; under the segment's lock it stays the same. */
  public final Path path() {
    return path;
  }

  /** A home file takes every new name of its segment; one in a tier keeps its own. */
  final void segmentRenamed(final Path name) {
    if (atHome()) {
      path = name;
    }
  }

  /**
   * Logical length, bytes. Any thread, without the lock.
   *
   * @param own the calling channel's descriptor
   */
  abstract long end(FileChannel own) throws IOException;

  /**
   * True if it is grown ahead of {@link #end}. Then it is written to, and its end known, without
   * the caller's descriptor, and only the caller notices an interrupt.
   */
  abstract boolean growsAhead();

  /** May it end after its last byte? Without any lock. */
  abstract boolean endsBeyond();

  /** Reads as {@link FileChannel#read(ByteBuffer, long)}. Any thread, without the lock. */
  abstract int read(FileChannel own, ByteBuffer target, long position) throws IOException;

  /** As {@link FileChannel#transferTo}. Any thread, without the lock. */
  abstract long transferTo(FileChannel own, long position, long count, WritableByteChannel target)
      throws IOException;

  /**
   * Writes at a position; returns the bytes written, at least one unless {@code source} is empty.
   *
   * @throws io.headpond.pmem.DeviceFullException if the tier has no room for it
   * @throws io.headpond.pmem.DeviceFaultException if the device failed
   */
  abstract int write(FileChannel own, ByteBuffer source, long position) throws IOException;

  /** Makes what was written durable, as far as the device can. Any thread, without the lock. */
  abstract void force(FileChannel own, boolean metadata) throws IOException;

  /**
   * Forces the file by a descriptor, and never again once that failed. A force that an interrupt or
   * a close came upon counts as failed: the channel then says that it was closed, and not what the
   * device said.
   *
   * @throws DeviceFaultException if a tier's device failed to
   * @throws ForceFailedException if home's did
   */
  final void forceOnce(final FileChannel own, final boolean metadata) throws IOException {
    synchronized (forcing) { // nobody may be told of success while another's failure is on its way
      refuseUnforceable();
      if (Thread.currentThread().isInterrupted()) {
        own.close(); // as the channel does itself, but nothing was forced, and nothing failed
        throw new ClosedByInterruptException();
      }
      try {
        own.force(metadata);
      } catch (final AsynchronousCloseException e) {
        unforceable = ForceFailedException.interrupted(e);
        throw e;
      } catch (final ClosedChannelException e) {
        throw e;
      } catch (final IOException e) {
        failedToForce(e);
      }
    }
  }

  private void failedToForce(final IOException e) throws IOException {
    unforceable = e;
    rememberFailedForce();
    refuseUnforceable();
  }

  /** As {@link #force}, for the store itself: no interrupt of the calling thread is in its way. */
  abstract void forceHere(Path at) throws IOException;

  /**
   * As {@link #forceOnce}, by descriptors of its own: an interrupt of the calling thread is put
   * back afterwards.
   *
   * @param at the file's name now
   * @throws FileSystemException if it can't be opened, but for a tier's device that failed: nothing
   *     failed to be forced
   */
  final void forceOnceHere(final Path at) throws IOException {
    synchronized (forcing) {
      refuseUnforceable();
      try (FileChannel own = openHere(at)) {
        try {
          UninterruptedForce.force(own, () -> FileChannel.open(at, StandardOpenOption.WRITE), true);
        } catch (final IOException e) {
          failedToForce(e);
        }
      }
    }
  }

  private FileChannel openHere(final Path at) throws IOException {
    try {
      return FileChannel.open(at, StandardOpenOption.WRITE);
    } catch (final FileSystemException e) {
      throw atHome() ? e : directory.unopened(path, e);
    }
  }

  /** For those who open the file anew. */
  final void rememberFailedForce() {
    if (directory != null) {
      directory.forceFailed(path);
    }
  }

  /** Makes a descriptor of the file. */
  interface Opening<T> {
    T open() throws IOException;
  }

  /**
   * Opens the file to be forced by other descriptors than those of channels. One that was open when
   * a force failed is told of it by the kernel; one that is opened afterwards isn't, so none is
   * opened between the failure and its being known here.
   *
   * @throws IOException if it can't be forced any more
   */
  final <T> T openToForce(final Opening<T> opening) throws IOException {
    synchronized (forcing) {
      refuseUnforceable();
      return opening.open();
    }
  }

  /** Refuses a write that couldn't be made durable. */
  final void refuseUnforceable() throws IOException {
    final IOException before = unforceable;
    if (before == null) {
      return;
    }
    final ForceFailedException failed = new ForceFailedException(path, before);
    throw atHome() ? failed : new DeviceFaultException(path, failed.getMessage(), before);
  }

  abstract void truncate(FileChannel own, long size) throws IOException;

  /** Physical length becomes logical length, durably; later writes are still possible. */
  final void seal() throws IOException {
    cutToEnd(true);
  }

  /** Ends its use. Its name has moved on, so not a byte of it is changed: others may read it. */
  abstract void leave() throws IOException;

  /**
   * Physical length becomes logical length; later writes are still possible.
   *
   * @param force durably?
   * @return true if something was cut off that a power cut may bring back
   */
  abstract boolean cutToEnd(boolean force) throws IOException;

  /**
   * Takes over the length that somebody else gave the file: a mapping for writing extends it. After
   * {@link #seal}. No channel is asked, since an interrupt would close it.
   */
  abstract void adoptLength() throws IOException;

  /**
   * Physical bytes as far as this process knows, without asking a device: in a tier those that it
   * counts. Any thread.
   */
  public abstract long knownBytes();

  /** True if written bytes are durable when {@link #write} returns. */
  abstract boolean persistsWrites();

  /** The effect of a power cut on persisted bytes here. */
  final Durability durability() {
    return directory == null ? Durability.DURABLE : directory.device.durability();
  }

  /** True if an append is acknowledged as durable when {@link #write} returns. */
  public final boolean promisesWrites() {
    return persistsWrites() && durability() != Durability.VOLATILE;
  }

  public final boolean atHome() {
    return directory == null;
  }
}
