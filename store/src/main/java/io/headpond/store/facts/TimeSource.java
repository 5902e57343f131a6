// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import java.util.concurrent.locks.LockSupport;

/**
 * The present time, for all of a store: tests let it jump. Any thread; to ask costs no system call.
 */
public interface TimeSource {
  /** The machine's own clocks. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long millis() {
          return System.currentTimeMillis();
        }
      };

  /** Nanoseconds since some moment, as {@link System#nanoTime}: never backwards. */
  long nanos();

  /** Milliseconds since 1970, as {@link System#currentTimeMillis}: it may be set anew. */
  long millis();

  /**
   * Parks the calling thread for some nanoseconds; less if it is unparked or interrupted.
   *
   * @param by the object that waits, for who looks at threads
   */
  default void pause(final Object by, final long nanos) {
    LockSupport.parkNanos(by, nanos);
  }
}
