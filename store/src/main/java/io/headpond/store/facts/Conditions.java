// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlaceCodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The lasting conditions that an operator is told of: once when one begins, and once when it hasn't
 * been met for a minute. However often it is met in between, the log has two lines of it. Any
 * thread.
 */
public final class Conditions {
  /** A condition that comes and goes more often than that is one. */
  static final long REST_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The words of their ends. */
  private static final Map<EventCode, String> OVER =
      Map.of(
          PlaceCodes.OVERFLOW, "new segments are no longer created further down",
          PlaceCodes.EVACUATED, "no further segment had to go on elsewhere",
          PlaceCodes.TIER_FULL, "has room again",
          PlaceCodes.TIER_FAILED, "works again",
          BackgroundCodes.MIGRATION_BLOCKED, "migration goes on");

  /** A condition's object: a tier, a tier directory, a home. */
  private record Subject(EventCode code, String name) {}

  /** A condition that was said to have begun. */
  private static final class Begun {
    private final long sinceNanos;
    private long lastNanos;
    private long times;

    Begun(final long nowNanos) {
      sinceNanos = nowNanos;
    }
  }

  private final TimeSource time;
  private final Map<Subject, Begun> begun = new HashMap<>();

  /** No condition has begun yet. */
  public Conditions(final TimeSource time) {
    this.time = time;
  }

  /** It is met now. */
  public void met(final String subject, final EventCode.Words words) {
    if (begins(new Subject(words.code(), subject))) {
      words.log(); // outside the monitor: the engine's log may hang
    } else {
      Events.LOG.debug("{}", words.text());
    }
  }

  private synchronized boolean begins(final Subject subject) {
    final long now = time.nanos();
    final boolean begins = !begun.containsKey(subject);
    final Begun state = begun.computeIfAbsent(subject, unknown -> new Begun(now));
    state.lastNanos = now;
    state.times++;
    return begins;
  }

  /** Says what is over. */
  public void tick() {
    over().forEach(Events.LOG::info);
  }

  private synchronized List<String> over() {
    final List<String> over = new ArrayList<>();
    final long now = time.nanos();
    final Iterator<Map.Entry<Subject, Begun>> all = begun.entrySet().iterator();
    while (all.hasNext()) {
      final Map.Entry<Subject, Begun> each = all.next();
      final Begun state = each.getValue();
      if (now - state.lastNanos >= REST_NANOS) {
        over.add(words(each.getKey(), state));
        all.remove();
      }
    }
    return over;
  }

  private static String words(final Subject subject, final Begun state) {
    return subject.code.code()
        + " is over, "
        + subject.name
        + ": "
        + OVER.get(subject.code)
        + " (met "
        + state.times
        + " times in "
        + TimeUnit.NANOSECONDS.toSeconds(state.lastNanos - state.sinceNanos)
        + " s, and not for "
        + TimeUnit.NANOSECONDS.toSeconds(REST_NANOS)
        + " s)";
  }
}
