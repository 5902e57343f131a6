// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engine's log directories: as they are configured, by their real paths, and those of them that
 * this process owns. Any thread; a home is claimed under the store's monitor.
 */
final class Homes {
  private final HomeReserve reserve;
  private final Incidents incidents;
  private final Map<Path, Home> homes = new ConcurrentHashMap<>();

  /** Log directories as configured and by real path, to the real path. */
  private final Map<Path, Path> logDirs = new ConcurrentHashMap<>();

  /** By the real path of the log directory. */
  private final Map<Path, HomeSpace> spaces = new ConcurrentHashMap<>();

  Homes(final StoreConfig config, final Incidents incidents) {
    reserve = config.homeReserve();
    this.incidents = incidents;
    config.logDirs().forEach(logDir -> logDirs.put(logDir, logDir));
  }

  /** Takes a log directory over, if that wasn't done yet. */
  Home claim(final Path logDir, final Claim claim, final Catalogue catalogue) throws IOException {
    final Path real = logDir.toRealPath();
    Home home = homes.get(real);
    if (home == null) {
      home = claim.home(real, catalogue);
      spaces.put(real, new HomeSpace(home, reserve, incidents));
      homes.put(real, home);
    }
    logDirs.put(logDir, real);
    logDirs.put(real, real);
    return home;
  }

  /** The claim failed: none of them is owned. */
  void abandon() {
    homes.clear();
  }

  /** Null if it isn't owned. */
  Home get(final Path logDir) {
    return homes.get(logDirs.getOrDefault(logDir, logDir));
  }

  /** Is it one of the log directories? */
  boolean contains(final Path directory) {
    return logDirs.containsKey(directory);
  }

  /** Is the path a log directory, or below one? */
  boolean cover(final Path path) {
    for (final Path logDir : logDirs.keySet()) {
      if (path.startsWith(logDir)) {
        return true;
      }
    }
    return false;
  }

  /** A directory, by the real path of its log directory. */
  Path canonical(final Path directory) {
    final Path parent = directory.getParent();
    final Path logDir = parent == null ? null : logDirs.get(parent);
    return logDir == null ? directory : logDir.resolve(directory.getFileName());
  }

  /** The room on a home's own disk. */
  HomeSpace space(final Home home) {
    return spaces.get(home.path());
  }

  /** The room on all of them. */
  Collection<HomeSpace> spaces() {
    return spaces.values();
  }

  /** Is a home at its reserve? */
  boolean low(final Path logDir) {
    final HomeSpace space = spaces.get(logDir);
    return space != null && space.low();
  }

  /** Is any of them at its reserve? */
  boolean anyLow() {
    return spaces.values().stream().anyMatch(HomeSpace::low);
  }

  /** Looks at their room again. */
  void refresh() {
    spaces.values().forEach(HomeSpace::refresh);
  }
}
