// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A few figures of each second of the last 15 minutes, for a page, beside all facts of the last
 * minute. Bounded. Any thread.
 *
 * @param <F> the facts, immutable
 * @param <P> the figures of one second
 */
public abstract class Timeline<F, P> extends Looks<F> {
  static final int POINTS_MAX = 900;

  /** Rates for people: long enough to see several segments move, short enough for a burst. */
  private static final long RATE_MS = 10_000;

  private final ToLongFunction<F> atMs;
  private final ToLongFunction<P> pointAtMs;
  private final Deque<P> points = new ArrayDeque<>(POINTS_MAX);

  /**
   * Nothing was looked at yet.
   *
   * @param atMs when facts were looked at, milliseconds since 1970
   * @param pointAtMs when a second ended, likewise
   */
  protected Timeline(
      final Supplier<F> source, final ToLongFunction<F> atMs, final ToLongFunction<P> pointAtMs) {
    super(source, atMs);
    this.atMs = atMs;
    this.pointAtMs = pointAtMs;
  }

  /** The figures of what lies between two looks. */
  protected abstract P point(F before, F now);

  @Override
  protected final void looked(final F before, final F now) {
    if (points.size() == POINTS_MAX) {
      points.removeFirst();
    }
    points.addLast(point(before, now));
  }

  @Override
  protected final void setBack() {
    points.clear();
  }

  /**
   * The second points that are newer, the oldest first; all of them for a time to come, which is
   * from before the clock was set back.
   */
  public final synchronized List<P> since(final long ms) {
    final F last = last();
    final boolean toCome = last != null && ms > atMs.applyAsLong(last);
    final List<P> newer = new ArrayList<>();
    for (final P point : points) {
      if (toCome || pointAtMs.applyAsLong(point) > ms) {
        newer.add(point);
      }
    }
    return newer;
  }

  /** A value's growth, per second, over the last ten seconds. */
  public final synchronized double perSecond(final ToDoubleFunction<F> value) {
    final F last = last();
    return last == null ? 0 : perSecond(tenSecondsAgo(), last, value);
  }

  /** The interval of {@link #perSecond}, milliseconds. */
  public final synchronized long rateMs() {
    final F last = last();
    return last == null ? 0 : atMs.applyAsLong(last) - atMs.applyAsLong(tenSecondsAgo());
  }

  /** The look that {@link #perSecond} compares the last one with; null if there was none. */
  final synchronized F tenSecondsAgo() {
    if (last() == null) {
      return null;
    }
    final long end = atMs.applyAsLong(last());
    for (final F facts : minute()) {
      if (atMs.applyAsLong(facts) >= end - RATE_MS) {
        return facts;
      }
    }
    return last();
  }
}
