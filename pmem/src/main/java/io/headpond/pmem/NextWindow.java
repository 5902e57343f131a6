// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The window after the one that a file's writer stores to: asked for by the writer, made by a
 * {@link RunAhead} thread, taken by the writer with one reference. What the writer has left is
 * unmapped on that thread too.
 *
 * <p>All methods but {@link #quiet} and those of the client are the writer's.
 */
final class NextWindow implements RunAhead.Client {
  /** Makes the window: on the run-ahead thread, under the lock for growth. */
  interface Maker {
    /** Null if there is none to be had. */
    Window make(long from, StopSignal stop);
  }

  private final RunAhead runAhead;

  /** {@link FileGrowth#lock}. */
  private final ReentrantLock growth;

  private final Maker maker;
  private final AtomicReference<Window> next = new AtomicReference<>();
  private final AtomicReference<Window> retired = new AtomicReference<>();
  private final AtomicBoolean queued = new AtomicBoolean();
  private volatile long wantedFrom = -1;
  private volatile boolean abandon;

  NextWindow(RunAhead runAhead, ReentrantLock growth, Maker maker) {
    this.runAhead = runAhead;
    this.growth = growth;
    this.maker = maker;
  }

  /** Asks for the window that begins there. */
  void request(long from) {
    wantedFrom = from;
    if (!submit()) {
      wantedFrom = -1;
    }
  }

  /** It isn't wanted any more. */
  void cancel() {
    wantedFrom = -1;
  }

  boolean ready() {
    return next.get() != null;
  }

  /** The window, if it is there and covers a position; null if not. */
  Window take(long at) {
    Window ready = next.get();
    if (ready == null || at < ready.start || at >= ready.limit) {
      return null;
    }
    next.set(null);
    return ready;
  }

  /** The writer has left a window. */
  void retire(Window old) {
    if (old != null && Mapper.unmapsAtOnce()) {
      Window before = retired.getAndSet(old);
      if (before != null) {
        before.unmap();
      }
      if (!submit()) {
        unmapRetired();
      }
    }
  }

  /** Unmaps everything that is here. Under the lock. */
  void drop() {
    Window ahead = next.getAndSet(null);
    if (ahead != null) {
      ahead.unmap();
    }
    unmapRetired();
  }

  /** Takes the lock, and soon: what is in work is abandoned, what is wanted is forgotten. */
  void lockAbandoning() {
    abandon = true;
    growth.lock();
    abandon = false;
    wantedFrom = -1;
  }

  /** True when nothing is wanted or in work. */
  boolean quiet() {
    return wantedFrom < 0 && !growth.isLocked();
  }

  private boolean submit() {
    if (!queued.compareAndSet(false, true)) {
      return true;
    }
    if (runAhead.submit(this)) {
      return true;
    }
    queued.set(false);
    return false;
  }

  private void unmapRetired() {
    Window old = retired.getAndSet(null);
    if (old != null) {
      old.unmap();
    }
  }

  @Override
  public void runAhead() {
    queued.set(false);
    unmapRetired();
    growth.lock();
    try {
      long from = wantedFrom;
      wantedFrom = -1;
      if (from < 0 || next.get() != null || abandon) {
        return;
      }
      Window made = maker.make(from, () -> abandon || runAhead.closed());
      if (made != null) {
        next.set(made);
      }
    } finally {
      growth.unlock();
    }
  }

  @Override
  public void runAheadDropped() {
    queued.set(false);
    wantedFrom = -1;
    unmapRetired();
  }
}
