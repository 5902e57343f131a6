// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.layout.ShutdownCounts;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The owner's start. It locks the tiers once. Then, for each log directory, it checks that every
 * link leads where it must before it writes anything.
 *
 * <p>Order: look at all identities (nothing is written, not even a lock file, into a directory that
 * turns out to be another's or an empty mount point), lock; for each log directory check the links,
 * write a new identity, put orphans into quarantine. A log directory that fails is taken for not
 * searched: nothing of it in the tiers is called an orphan.
 *
 * <p>One thread at a time, but for {@link #recovery}.
 */
public final class Claim implements AutoCloseable {
  /**
   * File systems' clocks are behind by some milliseconds, and no engine writes so shortly before.
   */
  private static final long FILE_CLOCK_MS = 1_000;

  private final StoreConfig config;
  private final TimeSource time;
  private final TierLocks locks;
  private final KnownHomes homes = new KnownHomes();
  private final LinkCheck links;
  private final DirectoryForce names = new DirectoryForce();
  private final OrphanSweep sweep;
  private Tiers tiers = new Tiers(List.of());
  private volatile StoreFacts.Recovery recovery = new StoreFacts.Recovery(0, 0, 0, 0);

  /** Looks at nothing yet. */
  public Claim(final StoreConfig config, final TimeSource time) {
    this.time = time;
    locks = new TierLocks(time);
    this.config = config;
    links = new LinkCheck(config);
    sweep = new OrphanSweep(() -> tiers.all(), names, time);
  }

  /** The findings so far, and the time that they took. Any thread. */
  public StoreFacts.Recovery recovery() {
    return recovery;
  }

  /** Makes the names in the log directories durable: here, and once the engine runs. Any thread. */
  public DirectoryForce names() {
    return names;
  }

  /** As {@link TierLocks#bootMs}. */
  public long bootMs() {
    return locks.bootMs(config.logDirs().iterator().next().getFileSystem());
  }

  /** Something more was looked at. */
  public void took(final long nanos) {
    recovery =
        new StoreFacts.Recovery(
            recovery.nanos() + nanos,
            links.checked(),
            sweep.quarantined(),
            sweep.unfinishedMoves());
  }

  /**
   * Locks and checks the tiers; every home must then be claimed by itself.
   *
   * @throws StoreRefusedException if a tier isn't there, can't be read or isn't ours
   */
  public Tiers tiers() {
    homes.look(config.logDirs());
    homes.first().forEach((logDir, identity) -> homes.refuseTwin(logDir, identity.id()));
    final TierCheck check = new TierCheck(config, homes.first(), time);
    for (final TierConfig tier : config.tiers()) {
      for (final Path path : tier.paths()) {
        at(
            tier,
            path,
            () -> {
              check.check(tier, path);
              return null;
            });
      }
    }
    final List<List<TierDirectory>> opened = new ArrayList<>();
    for (final TierConfig tier : config.tiers()) {
      final List<TierDirectory> directories = new ArrayList<>();
      for (final Path path : tier.paths()) {
        final TierDirectory directory =
            at(
                tier,
                path,
                () -> {
                  locks.lock(tier, path);
                  return check.open(tier, path);
                });
        Stream.concat(opened.stream().flatMap(List::stream), directories.stream())
            .forEach(other -> TierCheck.refuseTwin(directory.ref, other.ref));
        directories.add(directory);
      }
      opened.add(directories);
    }
    tiers = new Tiers(opened);
    return tiers;
  }

  /** Something that is done with a tier directory. */
  private interface AtTier<T> {
    T run() throws IOException;
  }

  private static <T> T at(final TierConfig tier, final Path path, final AtTier<T> look) {
    try {
      return look.run();
    } catch (final IOException e) {
      throw StartCodes.TIER_UNREAD.refusal(
          tier.name(), path, PlainText.reason(e), Access.remedy(path, e), e);
    }
  }

  /**
   * A log directory that was checked and swept.
   *
   * @param joinedMs as {@link HomeIdentity#joinedMs} gives it
   * @param segments all that were found in it
   */
  public record Found(Home home, OptionalLong joinedMs, List<LogDirScan.Entry> segments) {}

  /**
   * Checks one log directory and takes it over; {@link #catalogued} follows.
   *
   * @param logDir its real path
   * @throws StoreRefusedException if one of its segments isn't where it must be
   */
  public Found home(final Path logDir) throws IOException {
    final Optional<HomeIdentity> found = HomeIdentity.read(logDir);
    final HomeIdentity identity =
        found.isPresent() ? found.get() : HomeIdentity.create(logDir, joinedMs());
    final OptionalLong joinedMs = identity.joinedMs();
    homes.refuseTwin(logDir, identity.id());
    homes.has(identity.id(), logDir);
    final List<LogDirScan.Entry> segments = new ArrayList<>();
    final Set<Path> linked = links.check(logDir, identity.id(), segments);
    final boolean noted = noteShutdowns(identity, tiers.all().toList());
    writeIdentity(logDir, identity, found.isPresent() && !noted);
    sweep.sweep(logDir, identity.id(), linked);
    final Home home = new Home(logDir, identity.id());
    return new Found(home, joinedMs, segments);
  }

  /** Notes the first counts that devices show; true if there are some. */
  private static boolean noteShutdowns(
      final HomeIdentity identity, final List<TierDirectory> directories) {
    boolean noted = false;
    for (final TierDirectory each : directories) {
      final String now = ShutdownCounts.of(each.device);
      if (!now.isEmpty() && identity.shutdowns(each.ref.id()).isEmpty()) {
        identity.noteShutdowns(each.ref.id(), now);
        noted = true;
      }
    }
    return noted;
  }

  /**
   * Tells the catalogue what migration may move. The last segment of each log is the active one.
   *
   * @param loads as {@link Catalogue#loads}
   */
  public void catalogued(final Found found, final Catalogue catalogue, final boolean loads) {
    final List<LogDirScan.Entry> segments = found.segments();
    found.joinedMs().ifPresent(ms -> catalogue.joined(found.home().path(), ms));
    final Map<Path, TierDirectory> byFolder = new HashMap<>();
    tiers.all().forEach(each -> byFolder.put(each.segments(found.home().id()), each));
    String later = ""; // the partition of the one that comes next in its log
    for (int i = segments.size() - 1; i >= 0; i--) {
      final LogDirScan.Entry entry = segments.get(i);
      final String fileName = entry.name().getFileName().toString();
      if (!SegmentName.isPlain(fileName) || entry.dangling()) {
        continue;
      }
      if (loads && !entry.partition().equals(later)) {
        catalogue.loads(entry.name().getParent()); // first: what is added may move at once
      }
      catalogue.add(
          entry.name().getParent(),
          fileName,
          entry.linked() ? byFolder.get(entry.target().getParent()) : null, // as was checked
          entry.bytes(),
          entry.modifiedMs(),
          !entry.partition().equals(later));
      later = entry.partition();
    }
  }

  private long joinedMs() {
    return time.millis() - FILE_CLOCK_MS;
  }

  private void writeIdentity(final Path logDir, final HomeIdentity identity, final boolean known)
      throws IOException {
    final List<HomeIdentity.TierRef> refs = tiers.all().map(directory -> directory.ref).toList();
    if (known && Set.copyOf(identity.tiers()).equals(Set.copyOf(refs))) {
      return;
    }
    try {
      identity.writeTiers(
          refs); // forces the log directory, in which the engine may have made names
    } catch (final ForceFailedException e) {
      names.failed(logDir, e);
      throw e;
    }
  }

  /** Says what the tiers hold for log directories that are not there; nothing of it is touched. */
  public void reportAbsentHomes() throws IOException {
    for (final TierDirectory directory : tiers.all().toList()) {
      for (final String id : homes.absentIn(directory.ref.path())) {
        StartCodes.HOME_ABSENT.log(directory, id);
      }
    }
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
