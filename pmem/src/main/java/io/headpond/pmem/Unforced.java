// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * What of a file no force covers yet: some of its bytes, and after a cut its length.
 *
 * <p>A force takes both over before it begins, so what is written or cut beside it is left to the
 * next one. A force that fails leaves both where they were. Any thread; forces take turns, because
 * the second of two must not return before the first is done.
 */
final class Unforced {
  /** Makes the file's bytes durable. */
  @FunctionalInterface
  interface Cover {
    /**
     * Returns when they are.
     *
     * @param length the length, too?
     */
    void run(boolean length) throws IOException;
  }

  private final AppendShape shape;
  private final LongSupplier clock;
  private volatile boolean bytes;
  private volatile boolean length;

  /** The end that the last force covered. Guarded by this. */
  private long coveredEnd;

  /**
   * Of a file that is durable up to its end.
   *
   * @param shape learns from forces that cover appends; null: none does
   */
  Unforced(long end, AppendShape shape, LongSupplier clock) {
    coveredEnd = end;
    this.shape = shape;
    this.clock = clock;
  }

  /** Bytes were written that aren't durable yet. */
  void written() {
    bytes = true;
  }

  /** The file was cut. */
  void cut() {
    length = true;
    bytes = true;
  }

  /**
   * Covers what isn't durable yet; does nothing if all is.
   *
   * @param end the file's end, asked for before the force begins
   * @throws IOException as the force throws it
   */
  synchronized void cover(LongSupplier end, Cover force) throws IOException {
    if (!bytes) {
      return;
    }
    bytes = false;
    boolean withLength = length;
    if (withLength) {
      length = false; // before the force: a cut beside it is the next one's
    }
    long upTo = end.getAsLong();
    long beginNanos = clock.getAsLong();
    boolean done = false;
    try {
      force.run(withLength);
      done = true;
    } finally {
      if (!done) {
        if (withLength) {
          length = true;
        }
        bytes = true; // also after an error of the JVM: nothing was forced, perhaps
      }
    }
    covered(upTo, beginNanos);
  }

  private void covered(long upTo, long beginNanos) {
    if (shape != null && upTo > coveredEnd) {
      int appended = (int) Math.min(upTo - coveredEnd, Integer.MAX_VALUE);
      shape.forced(appended, beginNanos, clock.getAsLong());
    }
    coveredEnd = upTo;
  }
}
