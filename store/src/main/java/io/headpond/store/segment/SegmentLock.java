// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/**
 * A lock on a segment's file, whose channel is the one that the caller locked. A move takes it
 * along, as {@link SegmentAccess} does the channel.
 */
final class SegmentLock extends FileLock {
  private FileLock lock;

  /** On the copy before a move's switch, on the source after it; null: the segment isn't moved. */
  private FileLock other;

  SegmentLock(final FileChannel channel, final FileLock lock) {
    super(channel, lock.position(), lock.size(), lock.isShared());
    this.lock = lock;
  }

  synchronized void open(final FileChannel copy) throws IOException {
    if (lock.isValid()) {
      other = copy.tryLock(position(), size(), isShared());
      if (other == null) {
        throw new IOException("the copy is locked by another process");
      }
    }
  }

  synchronized void use() {
    if (other != null && lock.isValid()) {
      final FileLock source = lock;
      lock = other;
      other = source;
    }
  }

  synchronized void leave() {
    other = null;
  }

  @Override
  public synchronized boolean isValid() {
    return lock.isValid();
  }

  @Override
  public synchronized void release() throws IOException {
    lock.release();
    if (other != null && other.isValid()) {
      other.release(); // which a switch that is under way would have used
    }
  }
}
