// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The longest time in which nothing at all was acknowledged. Times are those of a clock in
 * nanoseconds, as {@link System#nanoTime}. Safe for use by several threads.
 */
public final class AckGap {

  private final AtomicLong last;
  private final AtomicLong longest = new AtomicLong();

  /** Nothing is acknowledged before {@code now}. */
  public AckGap(long now) {
    this.last = new AtomicLong(now);
  }

  /** Something was acknowledged. */
  public void acknowledged(long now) {
    longest(now - last.getAndSet(now));
  }

  private void longest(long gap) {
    if (gap > longest.get()) {
      longest.accumulateAndGet(gap, Math::max);
    }
  }

  /**
   * The longest one that has ended since the last call, nanoseconds; the one that lasts yet counts
   * as far as it is known.
   */
  public long take(long now) {
    return Math.max(longest.getAndSet(0), now - last.get());
  }
}
