// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.StoreFacts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What a store did: beside the last minute, a few figures of the last 15, for the page. */
final class History extends Looks<StoreFacts> {
  static final int POINTS_MAX = 900;

  /** Rates for people: long enough to see several segments move, short enough for a burst. */
  private static final long RATE_MS = 10_000;

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

  private final Deque<Point> points = new ArrayDeque<>(POINTS_MAX);

  History(final Supplier<StoreFacts> store) {
    super(store, StoreFacts::atMs);
  }

  @Override
  void looked(final StoreFacts before, final StoreFacts now) {
    if (points.size() == POINTS_MAX) {
      points.removeFirst();
    }
    points.addLast(point(before, now));
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
    final StoreFacts last = last();
    return last == null ? 0 : perSecond(tenSecondsAgo(), last, value);
  }

  /** What {@link #perSecond} was seen over, milliseconds. */
  synchronized long rateMs() {
    final StoreFacts last = last();
    return last == null ? 0 : last.atMs() - tenSecondsAgo().atMs();
  }

  private StoreFacts tenSecondsAgo() {
    final long end = last().atMs();
    for (final StoreFacts facts : minute()) {
      if (facts.atMs() >= end - RATE_MS) {
        return facts;
      }
    }
    return last();
  }

  private Point point(final StoreFacts before, final StoreFacts now) {
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
