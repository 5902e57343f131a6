// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/** A lock on a segment's file, whose channel is the one that the caller locked. */
final class SegmentLock extends FileLock {
  private final FileLock lock;

  SegmentLock(final FileChannel channel, final FileLock lock) {
    super(channel, lock.position(), lock.size(), lock.isShared());
    this.lock = lock;
  }

  @Override
  public boolean isValid() {
    return lock.isValid();
  }

  @Override
  public void release() throws IOException {
    lock.release();
  }
}
