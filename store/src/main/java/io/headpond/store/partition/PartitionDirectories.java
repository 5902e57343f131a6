// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.store.claim.Home;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.NameLook;
import io.headpond.store.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The partition directories in which segments are, or were, open, by canonical path. They are found
 * and locked while renames change that path. Any thread.
 */
public final class PartitionDirectories {
  /** Finds the home that a partition directory lies in. */
  public interface HomeLookup {
    /**
     * Takes a log directory over that wasn't there at the start.
     *
     * @throws IOException if it can't be
     */
    Home home(Path partition) throws IOException;
  }

  private final Homes homes;
  private final HomeLookup lookup;
  private final Map<Path, PartitionDirectory> directories = new ConcurrentHashMap<>();

  public PartitionDirectories(final Homes homes, final HomeLookup lookup) {
    this.homes = homes;
    this.lookup = lookup;
  }

  /**
   * The home that a partition directory lies in.
   *
   * @param partition canonical or as configured
   * @throws IOException if its log directory can't be taken over
   */
  public Home home(final Path partition) throws IOException {
    return lookup.home(partition);
  }

  /** Null if no segment was opened there. */
  public PartitionDirectory get(final Path canonical) {
    return directories.get(canonical);
  }

  /** The one that had a path before its last rename; null if there is none. Looks at all. */
  public PartitionDirectory formerly(final Path canonical) {
    return directories.values().stream()
        .filter(each -> each.was(canonical))
        .findFirst()
        .orElse(null);
  }

  /** It is gone, or has another path. */
  public void remove(final Path canonical) {
    directories.remove(canonical);
  }

  /**
   * It is about to be renamed to a path. Under its lock, for which those wait who come by that
   * path.
   *
   * @return what was known there before; null: nothing
   */
  public PartitionDirectory put(final Path canonical, final PartitionDirectory partition) {
    return directories.put(canonical, partition);
  }

  /** The rename failed: what was known at the path is there still. */
  public void restore(final Path canonical, final PartitionDirectory before) {
    if (before == null) {
      directories.remove(canonical);
    } else {
      directories.put(canonical, before);
    }
  }

  /**
   * Forgets one that was asked for and isn't there: engines delete files of partitions that have
   * another name since. Under its lock.
   */
  public void forgetAbsent(final PartitionDirectory partition) {
    final Path path = partition.path();
    try {
      if (partition.open.isEmpty() && !NameLook.exists(path)) {
        directories.remove(path, partition);
      }
    } catch (final IOException unknown) {
      return; // it may be there
    }
  }

  /** Number of known directories. */
  public int size() {
    return directories.size();
  }

  /**
   * The partition directory, locked: the caller unlocks it. A rename may be changing which one that
   * is.
   */
  @SuppressWarnings("LockNotBeforeTry")
  public PartitionDirectory locked(final Path directory) throws IOException {
    final Home home = home(directory);
    final Path wanted = homes.canonical(directory);
    while (true) {
      final PartitionDirectory partition =
          directories.computeIfAbsent(wanted, path -> new PartitionDirectory(home, path));
      partition.lock.lock();
      if (partition.path().equals(wanted) && directories.get(wanted) == partition) {
        return partition;
      }
      partition.lock.unlock();
    }
  }

  /**
   * The segment's partition directory, locked: the caller unlocks it. A rename may be changing
   * which one that is.
   */
  @SuppressWarnings("LockNotBeforeTry")
  public PartitionDirectory lockedOf(final Segment segment) {
    while (true) {
      final Path directory = segment.name().getParent();
      final PartitionDirectory partition = directories.get(directory);
      if (partition == null) {
        // Deleted with everything in it, while this channel was open.
        final PartitionDirectory gone = new PartitionDirectory(null, directory);
        gone.lock.lock();
        return gone;
      }
      partition.lock.lock();
      if (partition.path().equals(segment.name().getParent())) {
        return partition;
      }
      partition.lock.unlock();
    }
  }

  /** True if the engine has closed every channel. */
  public boolean allClosed() {
    return directories.values().stream().allMatch(partition -> partition.open.isEmpty());
  }

  /** Null if no channel is open on the name. */
  public Segment open(final Path name) {
    final PartitionDirectory partition = directories.get(homes.canonical(name.getParent()));
    return partition == null ? null : partition.open.get(name.getFileName().toString());
  }
}
