// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFullException;
import io.headpond.pmem.Shortage;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A segment file that is read, written and forced like any other: at home, on disks and in memory.
 */
public final class PlainSegmentFile extends SegmentFile {
  private final boolean forceEachWrite;

  /** Length that the tier has counted; only kept on a tier. Written under the segment's lock. */
  private volatile long countedBytes;

  /** Length at home. Written under the segment's lock; who reads it without may be late. */
  private long homeBytes;

  public PlainSegmentFile(
      final Path path,
      final TierDirectory directory,
      final long lengthBytes,
      final boolean forceEachWrite) {
    super(path, directory);
    this.forceEachWrite = forceEachWrite;
    countedBytes = lengthBytes;
    homeBytes = lengthBytes;
  }

  @Override
  long end(final FileChannel own) throws IOException {
    return own.size();
  }

  @Override
  boolean growsAhead() {
    return false;
  }

  @Override
  boolean endsBeyond() {
    return false;
  }

  @Override
  int read(final FileChannel own, final ByteBuffer target, final long position) throws IOException {
    return own.read(target, position);
  }

  @Override
  long transferTo(
      final FileChannel own,
      final long position,
      final long count,
      final WritableByteChannel target)
      throws IOException {
    return own.transferTo(position, count, target);
  }

  @Override
  int write(final FileChannel own, final ByteBuffer source, final long position)
      throws IOException {
    if (forceEachWrite) {
      refuseUnforceable();
    }
    final int written =
        directory == null ? home(own, source, position) : tier(own, source, position);
    if (forceEachWrite) {
      forceOnce(own, false);
    }
    return written;
  }

  private int home(final FileChannel own, final ByteBuffer source, final long position)
      throws IOException {
    try {
      final int written = own.write(source, position);
      homeBytes = Math.max(homeBytes, position + written);
      return written;
    } catch (final ClosedChannelException e) {
      throw e;
    } catch (final IOException e) {
      if (Shortage.ofSpace(e, path().getParent(), source.remaining())) {
        throw new DeviceFullException(path(), "home has no room: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  private int tier(final FileChannel own, final ByteBuffer source, final long position)
      throws IOException {
    final long growth = Math.max(0, position + source.remaining() - countedBytes);
    if (growth > 0 && !directory.space.reserve(growth)) {
      throw new DeviceFullException(
          path(), directory + " has no room for another " + growth + " B", null);
    }
    boolean written = false;
    try {
      final int bytes = own.write(source, position);
      written = true;
      count(growth, position + bytes);
      return bytes;
    } catch (final ClosedChannelException e) {
      throw e;
    } catch (final IOException e) {
      throw directory.classified(path(), growth, e);
    } finally {
      if (!written) {
        // Not by the channel: an interrupt closes it, after a part was written perhaps.
        count(growth, bytesThere());
      }
    }
  }

  /** A device that answers nothing mustn't hide why the write failed. */
  private long bytesThere() {
    try {
      return Files.size(path());
    } catch (final IOException unknown) {
      return knownBytes();
    }
  }

  /** Keeps of what was reserved as much as the file has grown. */
  private void count(final long reserved, final long lengthBytes) {
    final long grown = Math.max(0, lengthBytes - countedBytes);
    if (reserved > grown) {
      directory.space.release(reserved - grown);
    }
    if (grown > 0) {
      countedBytes += grown;
    }
  }

  @Override
  void force(final FileChannel own, final boolean metadata) throws IOException {
    forceOnce(own, metadata);
  }

  @Override
  void forceHere(final Path at) throws IOException {
    forceOnceHere(at);
  }

  @Override
  void truncate(final FileChannel own, final long size) throws IOException {
    boolean cut = false;
    try {
      own.truncate(size);
      cut = true;
    } catch (final ClosedChannelException e) {
      throw e;
    } catch (final IOException e) {
      throw atHome() ? e : directory.classified(path(), 0, e);
    } finally {
      ends(cut ? size : bytesThere()); // an interrupt may close the channel after the cut
    }
  }

  /** Takes note that the file is no longer than this. */
  private void ends(final long lengthBytes) {
    homeBytes = Math.min(homeBytes, lengthBytes);
    if (directory != null && lengthBytes < countedBytes) {
      directory.space.release(countedBytes - lengthBytes);
      countedBytes = lengthBytes;
    }
  }

  @Override
  void adoptLength() throws IOException {
    if (directory == null) {
      homeBytes = bytesThere(); // as before if its name is gone
    } else {
      final long now = Files.size(path());
      directory.space.adopt(now - countedBytes);
      countedBytes = now;
    }
  }

  @Override
  void leave() {
    // There is nothing but the channels' descriptors.
  }

  @Override
  boolean cutToEnd(final boolean force) {
    return false; // nothing was grown ahead: its physical end is its logical end at all times
  }

  @Override
  public long knownBytes() {
    return directory == null ? homeBytes : countedBytes;
  }

  @Override
  boolean persistsWrites() {
    return forceEachWrite;
  }
}
