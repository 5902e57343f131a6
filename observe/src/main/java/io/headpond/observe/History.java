// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.StoreFacts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What was, looked at once a second: all facts of the last minute, for rates and percentiles; a few
 * figures of the last 15 minutes, for the page. Bounded by both. Any thread.
 */
final class History {
  static final int MINUTE_LOOKS = 61;
  static final int POINTS_MAX = 900;

  /** Rates for people: long enough to see several segments move, short enough for a burst. */
  private static final long RATE_MS = 10_000;

  /** Who asks more often gets the same answer again. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /**
   * One second.
   *
   * @param atMs its end, milliseconds since 1970
   * @param appended to all places, bytes a second
   * @param home of that to home
   * @param read from all places, bytes a second
   * @param down migrated, bytes a second
   * @param up migrated, bytes a second
   * @param latency of its timed appends
   * @param tierBytes of segments, by tier
   */
  record Point(
      long atMs,
      double appended,
      double home,
      double read,
      double down,
      double up,
      LatencyFigures latency,
      long[] tierBytes) {}

  private final Supplier<StoreFacts> store;
  private final Deque<StoreFacts> minute = new ArrayDeque<>(MINUTE_LOOKS);
  private final Deque<Point> points = new ArrayDeque<>(POINTS_MAX);
  private StoreFacts fresh;
  private long freshNanos;

  History(final Supplier<StoreFacts> store) {
    this.store = store;
  }

  /** To be called once a second. */
  synchronized void look() {
    final StoreFacts now = take();
    final StoreFacts before = minute.peekLast();
    if (before != null && now.atMs() > before.atMs()) {
      if (points.size() == POINTS_MAX) {
        points.removeFirst();
      }
      points.addLast(point(before, now));
    }
    if (minute.size() == MINUTE_LOOKS) {
      minute.removeFirst();
    }
    minute.addLast(now);
  }

  /** The facts as of now, or of a quarter of a second ago at most. */
  synchronized StoreFacts now() {
    return fresh != null && System.nanoTime() - freshNanos < FRESH_NANOS ? fresh : take();
  }

  private StoreFacts take() {
    fresh = store.get();
    freshNanos = System.nanoTime();
    return fresh;
  }

  /** The oldest facts there are of the last minute. */
  synchronized StoreFacts minuteAgo() {
    final StoreFacts oldest = minute.peekFirst();
    return oldest == null ? now() : oldest;
  }

  /** The second points that are newer, the oldest first. */
  synchronized List<Point> since(final long atMs) {
    final List<Point> newer = new ArrayList<>();
    for (final Point point : points) {
      if (point.atMs() > atMs) {
        newer.add(point);
      }
    }
    return newer;
  }

  /** How much a value has grown a second, over the last ten. */
  synchronized double perSecond(final ToDoubleFunction<StoreFacts> value) {
    final StoreFacts last = minute.peekLast();
    return last == null ? 0 : perSecond(tenSecondsAgo(), last, value);
  }

  /** What {@link #perSecond} was seen over, milliseconds. */
  synchronized long rateMs() {
    final StoreFacts last = minute.peekLast();
    return last == null ? 0 : last.atMs() - tenSecondsAgo().atMs();
  }

  private StoreFacts tenSecondsAgo() {
    final long end = minute.peekLast().atMs();
    for (final StoreFacts facts : minute) {
      if (facts.atMs() >= end - RATE_MS) {
        return facts;
      }
    }
    return minute.peekLast();
  }

  static double perSecond(
      final StoreFacts first, final StoreFacts last, final ToDoubleFunction<StoreFacts> value) {
    final long ms = last.atMs() - first.atMs();
    return ms <= 0 ? 0 : (value.applyAsDouble(last) - value.applyAsDouble(first)) * 1e3 / ms;
  }

  private static Point point(final StoreFacts before, final StoreFacts now) {
    return new Point(
        now.atMs(),
        perSecond(before, now, facts -> facts.appends().bytes()),
        perSecond(before, now, facts -> facts.home().appendedBytes()),
        perSecond(before, now, History::readBytes),
        perSecond(before, now, facts -> facts.moves().downBytes()),
        perSecond(before, now, facts -> facts.moves().upBytes()),
        LatencyFigures.between(before, now),
        now.tiers().stream().mapToLong(StoreFacts.Tier::segmentBytes).toArray());
  }

  static long readBytes(final StoreFacts facts) {
    return facts.home().readBytes()
        + facts.tiers().stream().mapToLong(tier -> tier.contents().readBytes()).sum();
  }
}
