// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The logs that an engine's start has yet to list, by their partition directories: nothing of them
 * may move. A listing may leave out a name that is replaced meanwhile, and the look at a name that
 * leads to a file which a move has just dropped finds none: the engine would go on without that
 * segment.
 *
 * <p>As many as the claim of a log directory has found at most. Guarded by the {@link Catalogue}'s
 * monitor.
 */
final class UnloadedLogs {
  private final Set<Path> partitions = new HashSet<>();

  void add(final Path partition) {
    partitions.add(partition);
  }

  /** It rolls: whoever opened the segment before has listed all. */
  void rolls(final Path partition) {
    partitions.remove(partition);
  }

  /** The engine has loaded all logs of a log directory, given by its real path. */
  void loaded(final Path home) {
    partitions.removeIf(partition -> partition.getParent().equals(home));
  }

  /** A partition directory has another name; null: it is gone, or about to go. */
  void renamed(final Path from, final Path to) {
    if (partitions.remove(from) && to != null) {
      partitions.add(to);
    }
  }

  boolean has(final Path partition) {
    return !partitions.isEmpty() && partitions.contains(partition);
  }
}
