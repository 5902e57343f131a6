// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * All facts of the last minute, looked at once a second, for rates and percentiles. Bounded. Any
 * thread.
 *
 * @param <F> the facts, immutable
 */
class Looks<F> {
  static final int MINUTE_LOOKS = 61;

  /** Who asks more often gets the same answer again. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Supplier<F> source;
  private final ToLongFunction<F> atMs;
  private final Deque<F> minute = new ArrayDeque<>(MINUTE_LOOKS);
  private F fresh;
  private long freshNanos;

  /**
   * Nothing was looked at yet.
   *
   * @param atMs when facts were looked at, milliseconds since 1970
   */
  Looks(final Supplier<F> source, final ToLongFunction<F> atMs) {
    this.source = source;
    this.atMs = atMs;
  }

  /** To be called once a second. */
  final synchronized void look() {
    final F now = take();
    final F before = minute.peekLast();
    if (before != null && ms(before, now) > 0) {
      looked(before, now);
    }
    if (minute.size() == MINUTE_LOOKS) {
      minute.removeFirst();
    }
    minute.addLast(now);
  }

  /** Time has passed between two looks; under the object's monitor. */
  void looked(final F before, final F now) {}

  /** The facts as of now, or of a quarter of a second ago at most. */
  final synchronized F now() {
    return fresh != null && System.nanoTime() - freshNanos < FRESH_NANOS ? fresh : take();
  }

  private F take() {
    fresh = source.get();
    freshNanos = System.nanoTime();
    return fresh;
  }

  /** The oldest facts there are of the last minute. */
  final synchronized F minuteAgo() {
    final F oldest = minute.peekFirst();
    return oldest == null ? now() : oldest;
  }

  /** The looks of the last minute, the oldest first; under the object's monitor. */
  final Iterable<F> minute() {
    return minute;
  }

  /** The last look; null if there was none. */
  final synchronized F last() {
    return minute.peekLast();
  }

  /** How much a value has grown a second. */
  final double perSecond(final F first, final F last, final ToDoubleFunction<F> value) {
    final long ms = ms(first, last);
    return ms <= 0 ? 0 : (value.applyAsDouble(last) - value.applyAsDouble(first)) * 1e3 / ms;
  }

  private long ms(final F first, final F last) {
    return atMs.applyAsLong(last) - atMs.applyAsLong(first);
  }
}
