// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
public class Looks<F> {
  static final int MINUTE_LOOKS = 61;

  /** The time for which a snapshot is reused. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Facts whose samples are kept: those of now and of a minute ago, and some before them. */
  private static final int INDEXED_MAX = 4;

  private final Supplier<F> source;
  private final ToLongFunction<F> atMs;
  private final Deque<F> minute = new ArrayDeque<>(MINUTE_LOOKS);
  private final Map<F, Map<Metric<F>, Map<List<String>, Sample>>> indexed = new IdentityHashMap<>();
  private F fresh;
  private long freshNanos;

  /**
   * Nothing was looked at yet.
   *
   * @param atMs when facts were looked at, milliseconds since 1970
   */
  public Looks(final Supplier<F> source, final ToLongFunction<F> atMs) {
    this.source = source;
    this.atMs = atMs;
  }

  /** To be called once a second. */
  public final synchronized void look() {
    final F now = take();
    final F before = minute.peekLast();
    if (before != null && ms(before, now) < 0) {
      minute.clear();
      setBack();
    } else if (before != null && ms(before, now) > 0) {
      looked(before, now);
    }
    if (minute.size() == MINUTE_LOOKS) {
      minute.removeFirst();
    }
    minute.addLast(now);
  }

  /** Time has passed between two looks; under the object's monitor. */
  protected void looked(final F before, final F now) {}

  /**
   * The clock was set back: what is kept seems to be of a time to come; under the object's monitor.
   */
  protected void setBack() {}

  /** The facts as of now, or of a quarter of a second ago at most. */
  public final synchronized F now() {
    return fresh != null && System.nanoTime() - freshNanos < FRESH_NANOS ? fresh : take();
  }

  /**
   * A metric's samples by their labels. Of facts that are asked for again and again it is made
   * once: who reads all beans reads each of a thousand topics by itself.
   */
  final synchronized Map<List<String>, Sample> samples(final Metric<F> metric, final F facts) {
    if (indexed.size() > INDEXED_MAX) {
      indexed.clear();
    }
    return indexed
        .computeIfAbsent(facts, any -> new IdentityHashMap<>())
        .computeIfAbsent(
            metric,
            any -> {
              final Map<List<String>, Sample> samples = new HashMap<>();
              metric.reader().apply(facts).forEach(sample -> samples.put(sample.labels(), sample));
              return samples;
            });
  }

  private F take() {
    fresh = source.get();
    freshNanos = System.nanoTime();
    return fresh;
  }

  /** The oldest facts there are of the last minute. */
  public final synchronized F minuteAgo() {
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

  /** A value's growth, per second. */
  protected final double perSecond(final F first, final F last, final ToDoubleFunction<F> value) {
    final long ms = ms(first, last);
    return ms <= 0 ? 0 : (value.applyAsDouble(last) - value.applyAsDouble(first)) * 1e3 / ms;
  }

  private long ms(final F first, final F last) {
    return atMs.applyAsLong(last) - atMs.applyAsLong(first);
  }
}
