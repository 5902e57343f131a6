// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * Durability state of a segment: which bytes and names are durable, and what a durable append or a
 * force waits for. Any thread; what the engine or a move changes, under the segment's lock.
 */
public final class SegmentDurability {
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
  private final AtomicBoolean unforced = new AtomicBoolean();

  /** True if bytes that an earlier process wrote may be in the page cache alone. */
  private volatile boolean foundUnforced;

  /** Forces that were begun: until they have ended nothing that they force counts as durable. */
  private final AtomicInteger begun = new AtomicInteger();

  private final AtomicInteger ended = new AtomicInteger();

  /** The condition that the last move has to make durable; null: it wasn't moved. */
  private volatile Condition moved;

  /** The name is new or was replaced: durable appends wait for this. */
  void precededBy(final Condition needed) {
    precondition.set(needed);
  }

  /** As {@link Condition#beginEarly}, if anything is waited for. */
  public void beginPrecondition(final Runnable then) {
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
  public boolean forced() {
    return bytesForced(true) && movedDurably();
  }

  /**
   * True if all bytes are durable, as far as is known.
   *
   * @param alsoFound also what an earlier process wrote?
   */
  public boolean bytesForced(final boolean alsoFound) {
    final int before = ended.get(); // in this order: no force is under way at any of these looks
    return !unforced.get() && !(alsoFound && foundUnforced) && begun.get() == before;
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

  /** A force of the segment's bytes. */
  interface Force {
    /** Returns when they are durable. */
    void run() throws IOException;
  }

  /**
   * Forces the segment's file; appends that come meanwhile make it unforced again.
   *
   * @param present asked afterwards: is it the segment's file still? What was appended to another
   *     one since a move wasn't forced
   */
  void force(final Force force, final BooleanSupplier present) throws IOException {
    begun.incrementAndGet();
    final boolean wasUnforced = unforced.getAndSet(false);
    final boolean wasFound = foundUnforced;
    foundUnforced = false;
    boolean done = false;
    try {
      force.run();
      done = present.getAsBoolean();
    } finally {
      if (!done && wasUnforced) {
        unforced.set(true);
      }
      if (!done && wasFound) {
        foundUnforced = true;
      }
      ended.incrementAndGet();
    }
  }

  /**
   * The file was shortened. A power cut may bring the old end back, whatever the file promises of
   * appends, and the log must not go on behind it. Under the lock.
   */
  void cut() {
    unforced.set(true);
  }

  /**
   * An append. Under the lock.
   *
   * @param persisted was it durable when it returned?
   */
  void written(final boolean persisted) {
    if (!persisted && !unforced.get()) {
      unforced.set(true);
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
    unforced.set(false);
    foundUnforced = false;
  }
}
