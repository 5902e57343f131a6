// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Step sizes of the copies to one disk, and the lock by which they take turns. Any thread. */
public final class CopySteps {
  private final DiskStep forces = DiskStep.ofForces();
  private final DiskStep writes = DiskStep.ofWrites();
  private final DiskShare share = new DiskShare();

  /**
   * Held while a step is on its way: copies to one disk take turns, so that the bytes of one step
   * are in its queue, not those of each copy.
   */
  final ReentrantLock turn = new ReentrantLock();

  private final LongSupplier nanoTime;

  /**
   * Of one disk.
   *
   * @param nanoTime the clock that measures steps
   */
  public CopySteps(final LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Steps that all have one size, because nobody measures them. */
  static CopySteps unmeasured() {
    return new CopySteps(() -> 0);
  }

  long nanos() {
    return nanoTime.getAsLong();
  }

  /** Of bytes that go into the page cache and are forced. */
  DiskStep forces() {
    return forces;
  }

  /** Of writes past the page cache. */
  DiskStep writes() {
    return writes;
  }

  /** The share of the disk's bandwidth that is theirs. */
  public DiskShare share() {
    return share;
  }

  /** A step past the page cache has ended. By who holds the turn. */
  void wrote(final long bytes, final long begunNanos) {
    took(writes, bytes, begunNanos);
  }

  /** The force of a step has ended. By who holds the turn. */
  void forced(final long bytes, final long begunNanos) {
    took(forces, bytes, begunNanos);
  }

  private void took(final DiskStep kind, final long bytes, final long begunNanos) {
    final long now = nanos();
    kind.took(bytes, now - begunNanos, now);
    share.took(bytes, begunNanos, now, !kind.chosen() || kind.countsOperations());
  }
}
