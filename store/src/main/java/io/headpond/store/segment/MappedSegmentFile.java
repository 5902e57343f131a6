// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.pmem.MappedFile;
import io.headpond.pmem.MappedFileOptions;
import io.headpond.pmem.Shortage;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A segment file that grows ahead of its one writer, which stores into a mapping of its growing
 * end, or writes there; readers use the file.
 *
 * <p>The mapping is made at the first append, because an engine opens all its old segments for
 * writing and appends to the last only.
 */
public final class MappedSegmentFile extends SegmentFile {
  private final MappedFileOptions options;
  private final boolean persistsWrites;
  private volatile MappedFile mapped;

  /**
   * The reason why nothing can be written any more, whatever a new writer may think; null: it can.
   */
  private volatile DeviceFaultException fault;

  /** Every read of the file is between an enter and an exit of these. */
  private final ReadersInFlight readers;

  /** The end for readers while a truncation is under way, before the end itself moves. */
  private volatile long boundBytes = Long.MAX_VALUE;

  /** Logical length until the first append. */
  private volatile long endBytes;

  /** Physical length while there is a surplus and no writer. */
  private volatile long physicalBytes;

  /** True if the file ends, or may end, after its logical end although there is no writer. */
  private volatile boolean surplus;

  /** False where other segments follow. Under the segment's lock. */
  private boolean growsAhead = true;

  /**
   * A file that nothing is appended to yet.
   *
   * @param endBytes logical length
   * @param physicalBytes physical length; what lies beyond the logical length is known to be zero
   * @param forceEachWrite where a store alone isn't durable, force before the write returns
   */
  public MappedSegmentFile(
      final Path path,
      final TierDirectory directory,
      final long endBytes,
      final long physicalBytes,
      final MappedFileOptions options,
      final boolean forceEachWrite) {
    super(path, directory);
    readers = new ReadersInFlight(directory.time());
    this.options = options;
    persistsWrites = forceEachWrite || directory.backend.durableAtReturn();
    this.endBytes = endBytes;
    this.physicalBytes = physicalBytes;
    surplus = physicalBytes > endBytes;
  }

  private MappedFile writer() throws IOException {
    MappedFile found = mapped;
    if (found == null) {
      refuseFaulty();
      found = openToForce(this::open);
      directory.writers.incrementAndGet();
      mapped = found;
    }
    return found;
  }

  private void refuseFaulty() throws DeviceFaultException {
    final DeviceFaultException before = fault;
    if (before != null) {
      throw new DeviceFaultException(
          path(), "unusable since an earlier fault: " + before.getMessage(), before);
    }
  }

  private MappedFile open() throws IOException {
    try {
      return MappedFile.open(path(), endBytes, options);
    } catch (final IllegalArgumentException e) {
      throw new DeviceFaultException(path(), "was cut by another: " + e.getMessage(), e);
    } catch (final ClosedChannelException e) {
      throw e;
    } catch (final FileSystemException e) {
      throw directory.unopened(path(), e);
    } catch (final IOException e) {
      throw directory.classified(path(), 0, e);
    }
  }

  @Override
  public long end(final FileChannel own) {
    final MappedFile found = mapped;
    return Math.min(boundBytes, found == null ? endBytes : found.end());
  }

  @Override
  boolean growsAhead() {
    return true;
  }

  /** Allows or forbids the growth ahead of the next writer. Under the segment's lock. */
  void growAhead(final boolean allowed) {
    growsAhead = allowed;
  }

  @Override
  boolean endsBeyond() {
    return mapped != null || surplus;
  }

  @Override
  int read(final FileChannel own, final ByteBuffer target, final long position) throws IOException {
    final int entered = readers.enter();
    final int limit = target.limit();
    try {
      final long available = end(own) - position;
      if (available <= 0 && target.hasRemaining()) {
        return -1;
      }
      if (available < target.remaining()) {
        target.limit(target.position() + (int) Math.max(0, available));
      }
      return own.read(target, position);
    } finally {
      target.limit(limit);
      readers.exit(entered);
    }
  }

  @Override
  long transferTo(
      final FileChannel own,
      final long position,
      final long count,
      final WritableByteChannel target)
      throws IOException {
    final int entered = readers.enter();
    try {
      final long available = Math.max(0, end(own) - position);
      return own.transferTo(position, Math.min(count, available), target);
    } finally {
      readers.exit(entered);
    }
  }

  @Override
  int write(final FileChannel own, final ByteBuffer source, final long position)
      throws IOException {
    MappedFile found = mapped;
    if (found == null) {
      if (!surplus && (!growsAhead || directory.writers.get() >= TierDirectory.WRITERS_MAX)) {
        return writeThrough(own, source, position);
      }
      try {
        found = writer();
      } catch (final FileSystemException e) {
        if (surplus || !Shortage.ofDescriptors(e, path())) {
          throw e;
        }
        return writeThrough(own, source, position);
      }
    }
    return found.write(source, position);
  }

  /**
   * Writes through the channel's descriptor, as on a disk: the file must not grow ahead, or the
   * process has no descriptor left for a writer of its own. The next append decides again.
   */
  private int writeThrough(final FileChannel own, final ByteBuffer source, final long position)
      throws IOException {
    refuseUnforceable();
    final int start = source.position();
    final long growth = Math.max(0, position + source.remaining() - endBytes);
    if (!directory.space.reserve(growth)) {
      throw new DeviceFullException(path(), directory + " has no room for " + growth + " B", null);
    }
    final long before = endBytes;
    try {
      while (source.hasRemaining()) {
        own.write(source, position + source.position() - start);
      }
      if (persistsWrites) {
        forceOnce(own, false);
      }
    } catch (final ClosedChannelException | DeviceFaultException e) {
      throw e;
    } catch (final IOException e) {
      throw directory.classified(path(), growth, e);
    } finally {
      if (source.position() > start) {
        endBytes = Math.max(before, position + source.position() - start);
      }
      directory.space.release(growth - (endBytes - before));
    }
    return source.position() - start;
  }

  @Override
  void force(final FileChannel own, final boolean metadata) throws IOException {
    if (!forcedByWriter()) {
      forceOnce(own, metadata);
    }
  }

  @Override
  void forceHere(final Path at) throws IOException {
    if (!forcedByWriter()) {
      forceOnceHere(at);
    }
  }

  /** False: there is no writer, and the file itself is to be forced. */
  private boolean forcedByWriter() throws IOException {
    final MappedFile found = mapped;
    if (found != null) {
      try {
        found.force();
        return true;
      } catch (final ClosedChannelException sealedMeanwhile) {
        // The file is forced then, and so is what a mapping of it has stored.
      } catch (final IOException e) {
        rememberFailedForce();
        throw e;
      }
    }
    refuseFaulty();
    return false;
  }

  @Override
  void truncate(final FileChannel own, final long size) throws IOException {
    if (size < end(own)) {
      boundBytes = size;
      try {
        readers.awaitEarlier();
        writer().truncate(size);
      } finally {
        boundBytes = Long.MAX_VALUE;
      }
    }
  }

  /**
   * Gives back the mapping and the writer's descriptor, too: an engine keeps its sealed segments
   * open, and they must cost no more than a plain file's.
   */
  @Override
  boolean cutToEnd(final boolean force) throws IOException {
    if (mapped == null && !surplus) {
      return false;
    }
    final MappedFile found = writer();
    detach(found);
    try {
      found.close(force);
    } finally {
      fault = found.fault();
    }
    refuseFaulty();
    final long size = Files.size(path());
    if (size != endBytes) {
      // A writer that is broken closes without a trim.
      throw new DeviceFaultException(
          path(), "is " + size + " B long after a trim to " + endBytes + " B", null);
    }
    surplus = false;
    return !force;
  }

  private void detach(final MappedFile writer) {
    endBytes = writer.end();
    physicalBytes = writer.physicalBytes();
    surplus = true; // until it is known to be gone: a failed seal must not look like a done one
    mapped = null;
    directory.writers.decrementAndGet();
  }

  @Override
  void leave() throws IOException {
    final MappedFile found = mapped;
    if (found != null) {
      detach(found);
      found.closeUntrimmed();
    }
  }

  @Override
  void adoptLength() throws IOException {
    final long lengthBytes = Files.size(path());
    directory.space.adopt(lengthBytes - endBytes);
    endBytes = lengthBytes;
  }

  /** Bytes that the next segment of the same log should start with. */
  public int chunkBytes() {
    final MappedFile found = mapped;
    return found == null ? 0 : found.chunkBytes();
  }

  /** True if its size stays until the next write. */
  public boolean quiet() {
    final MappedFile found = mapped;
    return found == null || found.quiet();
  }

  /** True from an append to the next seal. */
  public boolean growing() {
    final MappedFile found = mapped;
    return found != null && found.growing();
  }

  @Override
  public long knownBytes() {
    final MappedFile found = mapped;
    if (found != null) {
      return found.physicalBytes();
    }
    return surplus ? physicalBytes : endBytes;
  }

  @Override
  boolean persistsWrites() {
    return persistsWrites;
  }
}
