// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The last minutes of a store. */
final class History extends Timeline<StoreFacts, History.Point> {
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
   * @param tierBytes of segments, by the tier's name
   */
  record Point(
      long atMs,
      double appended,
      double home,
      double read,
      double down,
      double up,
      LatencyFigures latency,
      Map<String, Long> tierBytes) {}

  History(final Supplier<StoreFacts> store) {
    super(store, StoreFacts::atMs, Point::atMs);
  }

  @Override
  protected Point point(final StoreFacts before, final StoreFacts now) {
    return new Point(
        now.atMs(),
        perSecond(before, now, StoreFacts::appendedBytes),
        perSecond(before, now, facts -> facts.home().appendedBytes()),
        perSecond(before, now, History::readBytes),
        perSecond(before, now, facts -> facts.count(Count.DOWN_BYTES)),
        perSecond(before, now, facts -> facts.count(Count.UP_BYTES)),
        LatencyFigures.between(before, now),
        now.tiers().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    StoreFacts.Tier::name, StoreFacts.Tier::segmentBytes)));
  }

  static long readBytes(final StoreFacts facts) {
    return facts.home().readBytes()
        + facts.tiers().stream().mapToLong(tier -> tier.contents().readBytes()).sum();
  }
}
