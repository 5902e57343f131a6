// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import io.headpond.store.event.Incident;
import java.util.EnumMap;
import java.util.Map;

/** The number of incidents of each kind since the claim. Any thread. */
public final class Incidents {
  private final Map<Incident, Long> counts = new EnumMap<>(Incident.class);

  /** Nothing has happened yet. */
  public Incidents() {
    for (final Incident kind : Incident.values()) {
      counts.put(kind, 0L);
    }
  }

  /** Counts one. */
  public synchronized void count(final Incident kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  /** The number of incidents of each kind; all kinds. */
  public synchronized Map<Incident, Long> counts() {
    return new EnumMap<>(counts);
  }
}
