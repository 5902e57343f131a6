// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The segments of one log that the {@link Catalogue} knows. Guarded by the catalogue's monitor.
 *
 * <p>Which of them are active is kept beside: a roll seals these, and must not look at all others.
 */
final class LogEntries {
  /** By file name, which is the order in which they come in a log. */
  private final NavigableMap<String, CatalogueEntry> byName = new TreeMap<>();

  private final Set<CatalogueEntry> active = new HashSet<>();

  void put(final CatalogueEntry entry) {
    byName.put(entry.fileName(), entry);
    activity(entry);
  }

  /** Null if it isn't known. */
  CatalogueEntry remove(final String fileName) {
    final CatalogueEntry entry = byName.remove(fileName);
    active.remove(entry);
    return entry;
  }

  /** An entry has become active, or isn't any more. */
  void activity(final CatalogueEntry entry) {
    if (entry.active()) {
      active.add(entry);
    } else {
      active.remove(entry);
    }
  }

  CatalogueEntry get(final String fileName) {
    return byName.get(fileName);
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** True for a name behind which none comes. */
  boolean isLast(final String fileName) {
    return byName.higherKey(fileName) == null;
  }

  /** All, in the log's order. */
  Collection<CatalogueEntry> all() {
    return byName.values();
  }

  /** A copy of the active ones. */
  List<CatalogueEntry> active() {
    return List.copyOf(active);
  }

  /** The larger of the two before a name, bytes; 0 if there are none. */
  long bytesBefore(final String fileName) {
    final Map.Entry<String, CatalogueEntry> last = byName.lowerEntry(fileName);
    final Map.Entry<String, CatalogueEntry> before =
        last == null ? null : byName.lowerEntry(last.getKey());
    return Math.max(
        last == null ? 0 : last.getValue().bytes(), before == null ? 0 : before.getValue().bytes());
  }
}
