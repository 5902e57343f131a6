// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What is known of the durability of a segment's bytes and name, and what a durable append or a
 * force waits for. Any thread; what the engine or a move changes, under the segment's lock.
 */
final class SegmentDurability {
  /** The condition for the segment's bytes to count as durable once they are on the device. */
  interface Condition {
    /**
     * Begins what the segment's next append will wait for. A failure is the waiter's to meet.
     *
     * @param then runs when it is over, on whichever thread; must not block
     */
    void beginEarly(Runnable then);

    /**
     * Waits until the name is durable, and all that this process wrote to the segments before it.
     * An engine knows itself which segments of an earlier process it still has to force.
     *
     * @throws IOException if a force failed
     */
    void awaitWritten() throws IOException;

    /**
     * Waits until the name is durable, and every segment before it.
     *
     * @throws IOException if a force failed
     */
    void awaitAll() throws IOException;

    /** True if the name is known to be durable. */
    boolean nameDurable();

    /** Makes the name durable in the calling thread. */
    void forceNameHere() throws IOException;
  }

  /** The condition that a durable append waits for first; null: nothing. */
  private final AtomicReference<Condition> precondition = new AtomicReference<>();

  /** True if writes or cuts of this process may be in the page cache alone. */
  private volatile boolean unforced;

  /** True if bytes that an earlier process wrote may be in the page cache alone. */
  private volatile boolean foundUnforced;

  /** Forces that haven't returned: until then nothing they force counts as durable. */
  private final AtomicInteger forcing = new AtomicInteger();

  /** The condition that the last move has to make durable; null: it wasn't moved. */
  private volatile Condition moved;

  /** The name is new or was replaced: durable appends wait for this. */
  void precededBy(final Condition needed) {
    precondition.set(needed);
  }

  /** As {@link Condition#beginEarly}, if anything is waited for. */
  void beginPrecondition(final Runnable then) {
    final Condition needed = precondition.get();
    if (needed != null) {
      needed.beginEarly(then);
    }
  }

  /**
   * The bytes were there before.
   *
   * @param unforcedBytes may some of them be in the page cache alone?
   */
  void found(final boolean unforcedBytes) {
    foundUnforced = unforcedBytes;
  }

  /**
   * Waits until an append may count as durable as soon as it is on the device.
   *
   * @throws IOException if its name, or a segment before it, can't be made durable
   */
  void awaitPrecondition() throws IOException {
    for (Condition now = precondition.get(); now != null; now = precondition.get()) {
      now.awaitAll();
      precondition.compareAndSet(now, null);
    }
  }

  /**
   * Waits until a force of the engine may count.
   *
   * @throws IOException if its name, or what was written before it, can't be made durable
   */
  void awaitWritten() throws IOException {
    final Condition now = precondition.get();
    if (now != null) {
      now.awaitWritten();
    }
  }

  /** True if all bytes are durable, and the name that leads to them, as far as is known. */
  boolean forced() {
    return bytesForced(true) && movedDurably();
  }

  /**
   * True if all bytes are durable, as far as is known.
   *
   * @param alsoFound also what an earlier process wrote?
   */
  boolean bytesForced(final boolean alsoFound) {
    return !unforced && !(alsoFound && foundUnforced) && forcing.get() == 0; // in this order
  }

  /** A power cut before that brings back a file that was perhaps never forced. */
  private boolean movedDurably() {
    final Condition last = moved;
    return last == null || last.nameDurable();
  }

  /** Makes the name that the last move gave durable in the calling thread, unless it is. */
  void forceMove() throws IOException {
    if (!movedDurably()) {
      moved.forceNameHere();
    }
  }

  /** Forces one of the files; appends that come meanwhile make it unforced again. */
  void force(final SegmentFile what, final FileChannel own, final boolean metadata)
      throws IOException {
    final boolean wasUnforced = unforced;
    final boolean wasFound = foundUnforced;
    forcing.incrementAndGet();
    unforced = false;
    foundUnforced = false;
    boolean done = false;
    try {
      what.force(own, metadata);
      done = true;
    } finally {
      if (!done) {
        unforced |= wasUnforced;
        foundUnforced |= wasFound;
      }
      forcing.decrementAndGet();
    }
  }

  /**
   * The file was shortened. A power cut may bring the old end back, whatever the file promises of
   * appends, and the log must not go on behind it. Under the lock.
   */
  void cut() {
    unforced = true;
  }

  /**
   * An append. Under the lock.
   *
   * @param persisted was it durable when it returned?
   */
  void written(final boolean persisted) {
    if (!unforced && !persisted) {
      unforced = true;
    }
  }

  /**
   * The name leads to a whole copy now. Nothing here may fail. Under the lock.
   *
   * @param needed what a durable append waits for from now on
   */
  void movedBy(final Condition needed) {
    precondition.set(needed);
    moved = needed;
    unforced = false;
    foundUnforced = false;
  }
}
