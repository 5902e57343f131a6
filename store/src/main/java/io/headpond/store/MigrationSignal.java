// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Wakes the threads of migration: something happened that may call for a move. Any thread. */
final class MigrationSignal {
  private final AtomicLong events = new AtomicLong();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** A thread that waits by {@link #await} from now on. */
  void wakes(final Thread thread) {
    threads.add(thread);
  }

  /** Something happened. Never blocks. */
  void give() {
    events.incrementAndGet();
    threads.forEach(LockSupport::unpark);
  }

  /** The number of events so far. */
  long given() {
    return events.get();
  }

  /** Waits until something happens that {@link #given} didn't count; may return before. */
  void await(final long seen) {
    if (events.get() == seen) {
      LockSupport.park(this);
    }
  }
}
