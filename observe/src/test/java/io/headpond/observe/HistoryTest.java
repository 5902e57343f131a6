// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headpond.store.event.Incident;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Rates, percentiles and their limits, of a store that appends 1,000 bytes a second. */
class HistoryTest {
  private final AtomicLong seconds = new AtomicLong();
  private final History history = new History(() -> facts(seconds.get()));

  static StoreFacts facts(final long second) {
    final long[] nanos = new long[LatencyHistogram.BUCKETS];
    nanos[40] = second * 99; // 2.048 to 2.304 µs
    nanos[120] = second; // 2.1 to 2.36 ms
    final Map<Count, Long> counts = new EnumMap<>(Count.class);
    for (final Count each : Count.values()) {
      counts.put(each, 0L);
    }
    counts.put(Count.APPENDS, second);
    counts.put(Count.APPENDED_UNFORCED, second * 1_000);
    return new StoreFacts(
        second * 1_000,
        0,
        List.of(),
        List.of(),
        List.of(),
        new StoreFacts.Contents(0, 0, second * 1_000, second * 10),
        new StoreFacts.Appends(nanos, second * 100_000, 0),
        new StoreFacts.Moves(false, "", List.of()),
        new StoreFacts.Recovery(0, 0, 0, 0),
        new StoreFacts.Background(0, 0),
        counts,
        new EnumMap<>(Incident.class),
        List.of(),
        List.of());
  }

  private void look(final int times) {
    for (int i = 0; i < times; i++) {
      history.look();
      seconds.incrementAndGet();
    }
  }

  @Test
  void whatIsKeptIsBounded() {
    look(History.POINTS_MAX + 100);
    assertThat(history.since(0)).hasSize(History.POINTS_MAX);
    assertThat(history.minuteAgo().atMs()).isEqualTo((History.POINTS_MAX + 99 - 60) * 1_000L);
  }

  @Test
  void aPointHasTheRatesAndLatenciesOfItsSecond() {
    look(5);
    final List<History.Point> points = history.since(2_000);
    assertThat(points).extracting(History.Point::atMs).containsExactly(3_000L, 4_000L);
    final History.Point point = points.get(0);
    assertThat(point.appended()).isEqualTo(1_000);
    assertThat(point.read()).isEqualTo(10);
    assertThat(point.latency().count()).isEqualTo(100);
    assertThat(point.latency().avgMs()).isEqualTo(0.001);
    assertThat(point.latency().p50Ms()).isCloseTo(0.0023, within(0.0001));
    assertThat(point.latency().p99Ms()).isCloseTo(0.0023, within(0.0001));
    assertThat(point.latency().maxMs()).isCloseTo(2.36, within(0.01));
  }

  @Test
  void ratesAndPointsGoOnAfterTheClockWasSetBack() {
    seconds.set(3_600);
    look(20);
    final long shownMs = history.since(0).get(18).atMs();
    seconds.set(100);
    look(1);
    assertThat(history.rateMs()).isZero();
    assertThat(history.since(0)).isEmpty();
    look(3);
    assertThat(history.rateMs()).isEqualTo(3_000);
    assertThat(history.perSecond(facts -> facts.count(Count.APPENDS))).isEqualTo(1);
    assertThat(history.since(shownMs))
        .as("for a page that asks for what is newer than it has")
        .extracting(History.Point::atMs)
        .containsExactly(101_000L, 102_000L, 103_000L);
  }

  @Test
  void aRateIsThatOfTheLastTenSeconds() {
    assertThat(history.perSecond(facts -> facts.count(Count.APPENDS))).isZero();
    look(30);
    assertThat(history.perSecond(facts -> facts.count(Count.APPENDS))).isEqualTo(1);
    assertThat(history.rateMs()).isEqualTo(10_000);
  }
}
