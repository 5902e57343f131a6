// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.concurrent.locks.ReentrantLock;

/** What copies to one disk give it at once, and their turns. Any thread. */
public final class CopySteps {
  private final DiskStep forces = DiskStep.ofForces();
  private final DiskStep writes = DiskStep.ofWrites();

  /**
   * Held while a step is on its way: copies to one disk take turns, so that the bytes of one step
   * are in its queue, not those of each copy.
   */
  final ReentrantLock turn = new ReentrantLock();

  /** Of bytes that go into the page cache and are forced. */
  public DiskStep forces() {
    return forces;
  }

  /** Of writes past the page cache. */
  DiskStep writes() {
    return writes;
  }
}
