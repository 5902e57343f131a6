// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

/** The present time, for all of a store: tests let it jump. Any thread; it costs no system call. */
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
}
