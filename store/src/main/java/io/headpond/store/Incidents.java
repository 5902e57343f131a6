// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The incidents since the claim: how many of each kind, and the last few in words. Any thread. */
final class Incidents {
  /** More than these are forgotten, the oldest first. */
  static final int KEPT_MAX = 64;

  private final Map<Incident, Long> counts = new EnumMap<>(Incident.class);
  private final Deque<StoreFacts.Event> last = new ArrayDeque<>(KEPT_MAX);

  /** It happened just now. */
  synchronized void note(final Incident kind, final String what) {
    counts.merge(kind, 1L, Long::sum);
    if (last.size() == KEPT_MAX) {
      last.removeFirst();
    }
    last.addLast(new StoreFacts.Event(System.currentTimeMillis(), kind, what));
  }

  /** How many of each kind; all kinds. */
  synchronized Map<Incident, Long> counts() {
    final Map<Incident, Long> all = new EnumMap<>(Incident.class);
    for (final Incident kind : Incident.values()) {
      all.put(kind, counts.getOrDefault(kind, 0L));
    }
    return all;
  }

  /** The last ones, the oldest first. */
  synchronized List<StoreFacts.Event> last() {
    return List.copyOf(last);
  }
}
