// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.home;

import io.headpond.store.claim.Access;
import io.headpond.store.claim.Claim;
import io.headpond.store.claim.Home;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.Incidents;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Situation;
import io.headpond.store.tier.Catalogue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The engine's log directories: as they are configured, by their real paths, and those of them that
 * this process owns. Any thread; one at a time claims.
 */
public final class Homes {
  private final StoreConfig config;
  private final Incidents incidents;
  private final Map<Path, Home> homes = new ConcurrentHashMap<>();

  /** Log directories as configured and by real path, to the real path. */
  private final Map<Path, Path> logDirs = new ConcurrentHashMap<>();

  /** The reasons of log directories that are left out, by their paths as configured. */
  private final Map<Path, StoreRefusedException> refused = new ConcurrentHashMap<>();

  /** Those whose logs an engine lists after they were claimed, by their paths as configured. */
  private final Set<Path> loads = ConcurrentHashMap.newKeySet();

  /** By the real path of the log directory. */
  private final Map<Path, HomeSpace> spaces = new ConcurrentHashMap<>();

  private final TimeSource time;

  public Homes(final StoreConfig config, final Incidents incidents, final TimeSource time) {
    this.time = time;
    this.config = config;
    this.incidents = incidents;
    config.logDirs().forEach(logDir -> logDirs.put(logDir, logDir));
  }

  /** An engine is about to claim a log directory, given as configured, and to list its logs. */
  public void loads(final Path logDir) {
    loads.add(logDir);
  }

  /**
   * Takes a log directory over, if that wasn't done yet.
   *
   * @throws StoreRefusedException if it can't be; every later call throws the same
   */
  public Home claim(final Path logDir, final Claim claim, final Catalogue catalogue) {
    final StoreRefusedException before = refused.get(logDir);
    if (before != null) {
      throw before;
    }
    try {
      return taken(logDir, claim, catalogue);
    } catch (final StoreRefusedException e) {
      refused.put(logDir, e);
      throw e;
    } catch (final IOException e) {
      final StoreRefusedException unread =
          StartCodes.HOME_UNREAD.refusal(logDir, PlainText.reason(e), Access.remedy(logDir, e), e);
      refused.put(logDir, unread);
      throw unread;
    }
  }

  private Home taken(final Path logDir, final Claim claim, final Catalogue catalogue)
      throws IOException {
    final Path real = logDir.toRealPath();
    Home home = homes.get(real);
    if (home == null) {
      final Claim.Found found = claim.home(real);
      spaces.put(real, new HomeSpace(found.home(), config, incidents, claim.names(), time));
      home = found.home();
      claim.catalogued(found, catalogue, loads.contains(logDir)); // nothing fails from here on
      homes.put(real, home);
    }
    logDirs.put(logDir, real);
    logDirs.put(real, real);
    return home;
  }

  /** Nothing looks at them any more. */
  public void close() {
    spaces.values().forEach(HomeSpace::close);
  }

  /** The claim failed: none of them is owned. */
  public void abandon() {
    homes.clear();
    spaces.clear();
    refused.clear();
  }

  /** The reason why a log directory is left out; null if it isn't. */
  public StoreRefusedException refusal(final Path logDir) {
    return refused.get(logDir);
  }

  /** True if any of them is left out. */
  public boolean anyRefused() {
    return !refused.isEmpty();
  }

  /**
   * Keeps the engine away from what is left out.
   *
   * @param path absolute
   * @throws IOException if it is a log directory that is left out, or below one
   */
  public void admit(final Path path) throws IOException {
    for (final Map.Entry<Path, StoreRefusedException> each : refused.entrySet()) {
      if (path.startsWith(each.getKey())) {
        throw alone(each.getKey(), each.getValue());
      }
    }
  }

  /** The engine's error at a log directory that is left out while others go on. */
  public static IOException alone(final Path logDir, final StoreRefusedException cause) {
    final String why = withoutFullStop(cause);
    return new IOException(StartCodes.HOME_REFUSED.text(logDir, why), cause);
  }

  /** The sentence goes on. */
  private static String withoutFullStop(final StoreRefusedException refusal) {
    return refusal.getMessage().replaceFirst("\\.$", "");
  }

  /** A log directory is left out from now on: said once. */
  public void tellRefused(final Path logDir, final StoreRefusedException cause) {
    final String why = withoutFullStop(cause);
    StartCodes.HOME_REFUSED.log(logDir, why, cause);
    incidents.count(Incident.HOME_REFUSED);
  }

  /** Those that are left out. */
  public List<Path> refused() {
    return refused.keySet().stream().sorted().toList();
  }

  /** Null if it isn't owned. */
  public Home get(final Path logDir) {
    return homes.get(logDirs.getOrDefault(logDir, logDir));
  }

  /** True for one of the log directories. */
  public boolean contains(final Path directory) {
    return logDirs.containsKey(directory);
  }

  /** True for the name of a segment in one of the log directories. Costs no I/O. */
  public boolean isSegment(final Path path) {
    final Path fileName = path.getFileName();
    if (fileName == null || !SegmentName.matches(fileName.toString())) {
      return false;
    }
    final Path partition = path.getParent();
    return partition != null && partition.getParent() != null && contains(partition.getParent());
  }

  /** A directory, by the real path of its log directory. */
  public Path canonical(final Path directory) {
    final Path parent = directory.getParent();
    final Path logDir = parent == null ? null : logDirs.get(parent);
    return logDir == null ? directory : logDir.resolve(directory.getFileName());
  }

  /** The room on a home's own disk. */
  public HomeSpace space(final Home home) {
    return spaces.get(home.path());
  }

  /** The room for a file in a log directory or a partition directory; null: not in one owned. */
  public HomeSpace around(final Path file) {
    final Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      return null;
    }
    final Path directory = contains(parent) ? parent : parent.getParent();
    final Path real = directory == null ? null : logDirs.get(directory);
    return real == null ? null : spaces.get(real);
  }

  /** The real path of the first of those that are owned. */
  public Optional<Path> first() {
    return homes.keySet().stream().min(Comparator.naturalOrder());
  }

  /** Those that are owned. */
  public Collection<Home> all() {
    return homes.values();
  }

  /** The room on all of them. */
  public Collection<HomeSpace> spaces() {
    return spaces.values();
  }

  /** The room on each of them when it was looked at last, by their real paths. */
  public Map<Path, Situation.HomeState> states() {
    return spaces.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().state()));
  }

  /** True if a home is at its reserve. */
  public boolean low(final Path logDir) {
    final HomeSpace space = spaces.get(logDir);
    return space != null && space.low();
  }

  /** Those whose disks don't answer now, by their real paths. */
  public Set<Path> hung(final long nowNanos) {
    return spaces.entrySet().stream()
        .filter(each -> each.getValue().hung(nowNanos))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Looks at the room of one of them again. */
  public void refresh(final Path logDir) {
    final HomeSpace space = spaces.get(logDir);
    if (space != null) {
      space.refresh();
    }
  }
}
