// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import io.headpond.store.event.Incident;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The incidents since the claim: how many of each kind, and the last few in words. Any thread. */
public final class Incidents {
  private final Map<Incident, Long> counts = new EnumMap<>(Incident.class);

  /** By kind, so that many of one don't push out the few of another. */
  private final Map<Incident, Deque<StoreFacts.Event>> last = new EnumMap<>(Incident.class);

  private final TimeSource time;

  /** Nothing has happened yet. */
  public Incidents(final TimeSource time) {
    this.time = time;
    for (final Incident kind : Incident.values()) {
      counts.put(kind, 0L);
      last.put(kind, new ArrayDeque<>());
    }
  }

  /** It happened just now. */
  public synchronized void note(final Incident kind, final String what) {
    counts.merge(kind, 1L, Long::sum);
    final Deque<StoreFacts.Event> kept = last.get(kind);
    if (kept.size() == StoreFacts.Event.KEPT_MAX) {
      kept.removeFirst();
    }
    kept.addLast(new StoreFacts.Event(time.millis(), kind, what));
  }

  /** The number of incidents of each kind; all kinds. */
  public synchronized Map<Incident, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** The last ones of each kind, the oldest first. */
  public synchronized List<StoreFacts.Event> last() {
    final List<StoreFacts.Event> all = new ArrayList<>();
    last.values().forEach(all::addAll);
    all.sort(Comparator.comparingLong(StoreFacts.Event::atMs));
    return List.copyOf(all);
  }
}
