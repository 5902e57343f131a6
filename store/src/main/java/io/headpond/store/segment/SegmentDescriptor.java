// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.event.Events;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A channel's descriptor of its segment's file, and who is using it. The first user is the channel
 * itself; the last one closes it. Any thread.
 */
final class SegmentDescriptor {
  final FileChannel channel;
  final SegmentFile file;
  private final AtomicInteger users = new AtomicInteger(1);

  /** Guarded by this. */
  private int forces;

  /** Is the engine's channel closed? Guarded by this. */
  private boolean closed;

  SegmentDescriptor(final FileChannel channel, final SegmentFile file) {
    this.channel = channel;
    this.file = file;
    file.descriptors.incrementAndGet();
  }

  /** Another user; false if the last one has left and it is closed. */
  boolean enter() {
    int now = users.get();
    while (now > 0) {
      if (users.compareAndSet(now, now + 1)) {
        return true;
      }
      now = users.get();
    }
    return false;
  }

  /**
   * A user's force begins, also if it has to wait before the device works.
   *
   * @return false: the channel is closed
   */
  synchronized boolean beginForce() {
    if (!closed) {
      forces++;
    }
    return !closed;
  }

  synchronized void endForce() {
    forces--;
  }

  /**
   * The channel is closed. Users that are reading get to know straight away, unless one is forcing:
   * on a plain file a close doesn't break a force that has begun, and an engine deletes segments
   * that it is still forcing.
   */
  synchronized void closeUnlessForced() throws IOException {
    closed = true;
    if (forces == 0) {
      channel.close();
    }
  }

  /**
   * A user leaves. What the close of a file says that was left is nobody's to know: all of it was
   * copied and forced elsewhere.
   */
  void exit() {
    if (users.decrementAndGet() == 0) {
      try {
        channel.close();
      } catch (final IOException | RuntimeException | Error e) {
        Events.LOG.debug("{}: a descriptor's close failed", file.path(), e);
      } finally {
        file.descriptors.decrementAndGet();
      }
    }
  }
}
