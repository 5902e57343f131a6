// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToLongFunction;

/**
 * The rates of an owner's counters over a sliding window. One thread.
 *
 * <p>The owner publishes its counters once a second, and only if one changed. So a look's counters
 * belong to the moment of their publication, and if that is longer ago than one and a half of those
 * seconds, nothing has happened since.
 */
final class LiveRates {
  /** Long enough to see several segments move, short enough to see a burst begin. */
  static final Duration WINDOW = Duration.ofSeconds(10);

  private static final long PUBLISHED_WITHIN_MS = 1_500;

  private record Look(long atMs, OwnerCounters counters) {}

  private final Deque<Look> looks = new ArrayDeque<>();
  private long nowMsBefore;

  /**
   * Adds what was seen.
   *
   * @param nowMs when, milliseconds since 1970
   */
  void add(long nowMs, OwnerCounters counters) {
    Look last = looks.peekLast();
    boolean another = last != null && last.counters().get("pid") != counters.get("pid");
    boolean setBack =
        nowMs < nowMsBefore || last != null && counters.updatedMs() < last.counters().updatedMs();
    if (another || setBack) {
      looks.clear(); // it counts from zero; the clock would have to pass the former time first
    }
    nowMsBefore = nowMs;
    long at = Math.max(counters.updatedMs(), nowMs - PUBLISHED_WITHIN_MS);
    last = looks.peekLast();
    if (last != null && at <= last.atMs()) {
      return;
    }
    looks.addLast(new Look(at, counters));
    while (looks.size() > 2 && secondAtMs() <= at - WINDOW.toMillis()) {
      looks.removeFirst();
    }
  }

  /** Forgets what was seen. */
  void clear() {
    looks.clear();
  }

  private long secondAtMs() {
    return looks.stream().skip(1).findFirst().orElseThrow().atMs();
  }

  /** The time that the rates are over; zero as long as there was one look only. */
  Duration time() {
    return looks.isEmpty()
        ? Duration.ZERO
        : Duration.ofMillis(looks.peekLast().atMs() - looks.peekFirst().atMs());
  }

  /** The rate of a counter, in its unit per second; 0 until it is known. */
  long perSecond(ToLongFunction<OwnerCounters> counter) {
    long ms = time().toMillis();
    if (ms == 0) {
      return 0;
    }
    long grown =
        counter.applyAsLong(looks.peekLast().counters())
            - counter.applyAsLong(looks.peekFirst().counters());
    return Math.round(grown * 1e3 / ms);
  }
}
