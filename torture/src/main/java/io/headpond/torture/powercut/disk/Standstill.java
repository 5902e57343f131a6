// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

import java.util.concurrent.TimeUnit;

/**
 * A moment at which all disks of a machine stand still: the next request is not served, while
 * writes are complete, or under way, and not flushed. At any other moment a cache is mostly empty,
 * since an engine that promises something has it flushed at once. Safe for use by several threads.
 */
public final class Standstill {
  /** Requests to be served before; 0: none is aimed at. */
  private int toGo;

  private boolean standing;
  private boolean off;

  /**
   * Lets the disks stand still soon.
   *
   * @param requests the number of the first that isn't served, of those that find something
   *     unflushed
   */
  public synchronized void aim(int requests) {
    toGo = requests;
  }

  /**
   * Waits until they stand still; if they don't, nothing is aimed at any more.
   *
   * @param nanos waits no longer: nobody may write
   * @return false if they go on
   */
  public synchronized boolean await(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; !standing && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    toGo = 0;
    return standing;
  }

  /** Lets the disks go on, if they stand still. */
  public synchronized void end() {
    standing = false;
    notifyAll();
  }

  /** The same, but the client's power is off: it has no reply to what wasn't served before. */
  public synchronized void endWithoutPower() {
    off = true;
    end();
  }

  /**
   * Waits while the disks stand still.
   *
   * @param unflushed whether this request's disk has something in its cache
   * @return false if the client has no power any more, so that nothing need become durable
   */
  synchronized boolean pass(boolean unflushed) throws InterruptedException {
    if (!standing && unflushed && toGo > 0 && --toGo == 0) {
      standing = true;
      notifyAll();
    }
    while (standing) {
      wait();
    }
    return !off;
  }
}
