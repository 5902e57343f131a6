// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.layout.TierIdentity;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
  private final Tiers tiers = new Tiers(List.of());
  private final List<Home> claimed = new ArrayList<>();
  private final KnownHomes homes = new KnownHomes();
  private final LinkCheck links;
  private final DirectoryForce names = new DirectoryForce();
  private final OrphanSweep sweep;
  private final ShutdownCheck shutdowns;
  private volatile StoreFacts.Recovery recovery = new StoreFacts.Recovery(0, 0, 0, 0);

  /**
   * Looks at nothing yet.
   *
   * @param proof null: the engine's records have no checksum that is known here
   */
  public Claim(final StoreConfig config, final SegmentProof proof, final TimeSource time) {
    this.time = time;
    shutdowns = new ShutdownCheck(proof, time);
    locks = new TierLocks(time);
    this.config = config;
    links = new LinkCheck(() -> tiers.all().map(each -> each.ref.path()), config.source());
    sweep = new OrphanSweep(this::inUse, names, time);
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
      check(check, tier);
    }
    final List<TierDirectory> all = new ArrayList<>();
    for (final TierConfig tier : config.tiers()) {
      final List<TierDirectory> directories = new ArrayList<>();
      for (final Path path : tier.paths()) {
        final TierDirectory opened =
            at(
                tier,
                path,
                () -> {
                  locks.lock(tier, path);
                  return check.open(tier, path);
                });
        all.forEach(other -> TierCheck.refuseTwin(opened.ref, other.ref));
        all.add(opened);
        directories.add(opened);
      }
      tiers.add(tiers.now().size(), directories);
    }
    return tiers;
  }

  private static void check(final TierCheck check, final TierConfig tier) {
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

  /** The directories that hold files of ours, and may get more. */
  private List<TierDirectory> inUse() {
    return tiers
        .all()
        .filter(each -> each.standing() != StoreFacts.Standing.REMOVED && !each.superseded())
        .toList();
  }

  /**
   * Examines a tier directory that failed, or was given away, as a start does, and opens it anew.
   * Asks its device.
   *
   * @throws StoreRefusedException if it isn't the one that it was, or somebody else's now
   * @throws IOException if its device doesn't do what it must; one that was given away isn't held
   *     then
   */
  public synchronized TierDirectory reopened(
      final TierDirectory old, final DirectoryForce forces, final Coming coming)
      throws IOException {
    final TierConfig tier = old.tier;
    final Path path = old.ref.path();
    final boolean givenAway = old.standing() == StoreFacts.Standing.REMOVED;
    final TierCheck check = new TierCheck(config, homes.first(), time);
    check.check(tier, path);
    TierCheck.refuseOther(
        tier, old.ref, TierIdentity.read(path), config.logDirs().get(0), config.source());
    boolean done = false;
    try {
      locks.lockAgain(tier, path);
      TierProbe.run(path);
      makeFolders(old.ref);
      claimed.forEach(home -> forces.renamed(old.segments(home.id()), null));
      final TierDirectory made =
          old.failed() && !givenAway && !TierCheck.files(path).isEmpty()
              ? check.open(tier, path, 0, old)
              : check.open(tier, path);
      if (givenAway) { // others may have been made known since, without it
        makeKnown(List.of(made));
      }
      coming.use(List.of(made));
      done = true;
      return made;
    } finally {
      if (!done && givenAway) {
        giveBack(List.of(path));
      }
    }
  }

  /** The last step before new directories are seen. */
  public interface Coming {
    void use(List<TierDirectory> directories) throws IOException;
  }

  /**
   * Takes a tier that the start didn't know, as a start does. Asks its devices.
   *
   * @param place its index among the tiers
   * @throws StoreRefusedException if it isn't there, can't be read or isn't ours
   * @throws IOException if a device doesn't do what it must; nothing of the tier is held then
   */
  public synchronized List<TierDirectory> joined(
      final TierConfig tier, final int place, final Coming coming) throws IOException {
    final long begunNanos = time.nanos();
    final KnownHomes present = new KnownHomes();
    present.look(config.logDirs());
    final TierCheck check = new TierCheck(config, present.first(), time);
    check(check, tier);
    final List<TierDirectory> opened = new ArrayList<>();
    final List<Path> locked = new ArrayList<>();
    boolean done = false;
    try {
      for (final Path path : tier.paths()) {
        locks.lockAgain(tier, path);
        locked.add(path);
        TierProbe.run(path);
        final TierDirectory made = at(tier, path, () -> check.open(tier, path));
        Stream.concat(tiers.all(), opened.stream())
            .forEach(other -> TierCheck.refuseTwin(made.ref, other.ref));
        opened.add(made);
      }
      makeKnown(opened);
      for (final TierDirectory each : opened) {
        reportAbsentHomes(each);
      }
      coming.use(opened);
      tiers.add(place, opened); // nothing fails from here on
      done = true;
    } finally {
      if (!done) {
        giveBack(locked);
      }
    }
    took(time.nanos() - begunNanos);
    return opened;
  }

  /** Nothing of a tier that didn't come is held, and no log directory knows it. */
  private void giveBack(final List<Path> locked) throws IOException {
    for (final Home home : claimed) {
      try {
        final Optional<HomeIdentity> identity = HomeIdentity.read(home.path());
        if (identity.isPresent()) {
          writeIdentity(home.path(), identity.get(), true);
        }
      } catch (final IOException | StoreRefusedException e) {
        Events.LOG.debug("{}: it knows a tier that didn't come", home.path(), e);
      }
    }
    for (final Path path : locked) {
      locks.unlock(path);
    }
  }

  /** The log directories know new directories before a link can lead there. */
  private void makeKnown(final List<TierDirectory> opened) throws IOException {
    final List<HomeIdentity.TierRef> refs =
        Stream.concat(inUse().stream(), opened.stream()).map(each -> each.ref).toList();
    for (final Home home : claimed) {
      final Set<Path> linked = new HashSet<>();
      LogDirScan.scan(
          home.path(),
          entry -> {
            if (entry.linked()
                && (!entry.dangling() || entry.lost())
                && opened.stream().anyMatch(each -> entry.target().startsWith(each.ref.path()))) {
              linked.add(entry.target());
            }
          });
      if (!linked.isEmpty()) { // who made them knows why; a start looks at all of them
        throw StartCodes.LINKS_OUTSIDE.refusal(
            home.path(), linked.iterator().next(), config.source(), home.path());
      }
      for (final TierDirectory directory : opened) {
        sweep.sweep(directory, home.path(), home.id(), linked);
      }
      final HomeIdentity identity =
          HomeIdentity.read(home.path())
              .orElseThrow(() -> new NoSuchFileException(home.path().toString()));
      shutdowns.check(home.path(), identity, opened, List.of());
      writeTiers(home.path(), identity, refs);
    }
  }

  /** Gives an empty tier directory up: its device may go. */
  public synchronized void release(final TierDirectory directory) {
    try {
      locks.unlock(directory.ref.path());
    } catch (final IOException e) {
      Events.LOG.debug("{}: its lock's descriptor", directory, e); // which is gone all the same
    }
  }

  /**
   * Puts tier files of a home that no link names any more into quarantine, as a start does. Asks
   * the devices of both.
   */
  public synchronized void quarantine(
      final TierDirectory directory, final Home home, final List<Path> orphans) throws IOException {
    sweep.quarantine(directory, home, orphans);
    took(0);
  }

  /** Makes a home's folder in a tier directory, durably. */
  private void makeFolders(final HomeIdentity.TierRef ref) throws IOException {
    for (final Home home : claimed) {
      NameLook.makeDirectories(ref.segments(home.id()));
    }
    DirectoryForce.forceNow(HomeIdentity.segments(ref.path()));
    DirectoryForce.forceNow(ref.path());
  }

  /** Something that is done with a tier directory. */
  private interface AtTier<T> {
    T run() throws IOException;
  }

  private static <T> T at(final TierConfig tier, final Path path, final AtTier<T> look) {
    try {
      return look.run();
    } catch (final IOException e) {
      throw StartCodes.TIER_UNREAD.refusal(tier.name(), path, PlainText.reason(e), e);
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
  public synchronized Found home(final Path logDir) throws IOException {
    final Optional<HomeIdentity> found = HomeIdentity.read(logDir);
    final HomeIdentity identity =
        found.isPresent() ? found.get() : HomeIdentity.create(logDir, joinedMs());
    final OptionalLong joinedMs = identity.joinedMs();
    homes.refuseTwin(logDir, identity.id());
    homes.has(identity.id(), logDir);
    final List<LogDirScan.Entry> segments = new ArrayList<>();
    final Set<Path> linked = links.check(logDir, identity.id(), segments);
    refuseRemoved(logDir, linked);
    final boolean counted = shutdowns.check(logDir, identity, inUse(), segments);
    writeIdentity(logDir, identity, found.isPresent() && !counted);
    sweep.sweep(logDir, identity.id(), linked);
    final Home home = new Home(logDir, identity.id());
    claimed.add(home);
    return new Found(home, joinedMs, segments);
  }

  /** A tier that an operator took out is nobody's any more; only a start takes it back for this. */
  private void refuseRemoved(final Path logDir, final Set<Path> linked) {
    tiers
        .all()
        .filter(each -> each.standing() == StoreFacts.Standing.REMOVED)
        .flatMap(each -> linked.stream().filter(file -> file.startsWith(each.ref.path())))
        .findFirst()
        .ifPresent(
            file -> {
              throw StartCodes.LINKS_OUTSIDE.refusal(logDir, file, config.source(), logDir);
            });
  }

  /**
   * Tells the catalogue what migration may move. The last segment of each log is the active one.
   *
   * @param loads as {@link Catalogue#loads}
   */
  public void catalogued(final Found found, final Catalogue catalogue, final boolean loads) {
    final List<LogDirScan.Entry> segments = found.segments();
    found.joinedMs().ifPresent(ms -> catalogue.joined(found.home().path(), ms));
    final Map<Path, List<TierDirectory>> byFolder = new HashMap<>(); // of many segments each
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
          entry.linked() ? directoryOf(found.home(), entry.target(), byFolder) : null,
          entry.bytes(),
          entry.modifiedMs(),
          !entry.partition().equals(later));
      later = entry.partition();
    }
  }

  /** Of several directories in one folder, which was taken back, it is that which has the file. */
  private TierDirectory directoryOf(
      final Home home, final Path file, final Map<Path, List<TierDirectory>> byFolder) {
    final List<TierDirectory> there =
        byFolder.computeIfAbsent(
            file.getParent(),
            folder -> tiers.all().filter(each -> each.segments(home.id()).equals(folder)).toList());
    return there.stream()
        .filter(each -> there.size() == 1 || each.holds(home.id(), file))
        .findFirst()
        .orElseThrow(() -> new AssertionError(file + " was checked to lie in a tier"));
  }

  private long joinedMs() {
    return time.millis() - FILE_CLOCK_MS;
  }

  private void writeIdentity(final Path logDir, final HomeIdentity identity, final boolean known)
      throws IOException {
    final List<HomeIdentity.TierRef> refs =
        inUse().stream().map(directory -> directory.ref).toList();
    if (!known || !Set.copyOf(identity.tiers()).equals(Set.copyOf(refs))) {
      writeTiers(logDir, identity, refs);
    }
  }

  /** It forces the log directory, in which the engine may have made names. */
  private void writeTiers(
      final Path logDir, final HomeIdentity identity, final List<HomeIdentity.TierRef> refs)
      throws IOException {
    try {
      identity.writeTiers(refs);
    } catch (final ForceFailedException e) {
      names.failed(logDir, e);
      throw e;
    }
  }

  /** Says what the tiers hold for log directories that are not there; nothing of it is touched. */
  public void reportAbsentHomes() throws IOException {
    for (final TierDirectory directory : inUse()) {
      reportAbsentHomes(directory);
    }
  }

  private void reportAbsentHomes(final TierDirectory directory) throws IOException {
    for (final String id : homes.absentIn(directory.ref.path())) {
      StartCodes.HOME_ABSENT.log(directory, id);
    }
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
