// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Device;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The owner's start: locks the tiers, checks that every link of every log directory leads where it
 * must, and only then writes anything.
 *
 * <p>Order: look at all identities (nothing is written, not even a lock file, into a directory that
 * turns out to be another's or an empty mount point), lock, check the links, write new identities,
 * put orphans into quarantine.
 */
final class Claim implements AutoCloseable {
  /** Holds the owner's lock; its text says who that is. */
  static final String LOCK_FILE = ".headpond.lock";

  private static final int NAMES_SHOWN_MAX = 5;

  private final StoreConfig config;

  /**
   * Directories that this process holds: POSIX drops a process's lock when it closes any descriptor
   * of the file, so a second attempt must not even open it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Map<Path, FileChannel> locks = new HashMap<>();
  private final Map<Path, TierDirectory> directories = new LinkedHashMap<>();
  private final Map<UUID, Path> homeIds = new HashMap<>();
  private long linksChecked;
  private long quarantined;
  private long unfinishedMoves;

  Claim(final StoreConfig config) {
    this.config = config;
  }

  /** What was found, after so much time. */
  StoreFacts.Recovery recovery(final long nanos) {
    return new StoreFacts.Recovery(nanos, linksChecked, quarantined, unfinishedMoves);
  }

  /** Locks and checks the tiers; every home must then be claimed by itself. */
  List<List<TierDirectory>> tiers() throws IOException {
    for (final TierConfig tier : config.tiers()) {
      for (final Path path : tier.paths()) {
        checkDirectory(tier, path);
      }
    }
    final List<List<TierDirectory>> tiers = new ArrayList<>();
    for (final TierConfig tier : config.tiers()) {
      final List<TierDirectory> all = new ArrayList<>();
      for (final Path path : tier.paths()) {
        lock(tier, path);
        all.add(open(tier, path));
      }
      tiers.add(List.copyOf(all));
    }
    return List.copyOf(tiers);
  }

  private void checkDirectory(final TierConfig tier, final Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      throw StoreCodes.TIER_MISSING.refusal(
          tier.name(), path, ConfigKey.TIER_PATHS.of(tier.name()), config.source());
    }
    final Optional<TierIdentity> identity = TierIdentity.read(path);
    for (final Path logDir : config.logDirs()) {
      final Optional<HomeIdentity> home =
          Files.isDirectory(logDir) ? HomeIdentity.read(logDir) : Optional.empty();
      if (home.isPresent()) {
        checkKnown(tier, path, logDir, home.get(), identity);
      }
    }
    if (identity.isEmpty()) {
      checkEmpty(tier, path);
    }
  }

  private static void checkKnown(
      final TierConfig tier,
      final Path path,
      final Path logDir,
      final HomeIdentity home,
      final Optional<TierIdentity> identity) {
    for (final HomeIdentity.TierRef ref : home.tiers()) {
      if (!ref.path().equals(path)) {
        continue;
      }
      if (identity.isEmpty()) {
        throw StoreCodes.TIER_UNMOUNTED.refusal(tier.name(), path, logDir, logDir, ref.tier());
      }
      if (!identity.get().id().equals(ref.id())) {
        throw StoreCodes.TIER_FOREIGN.refusal(
            tier.name(),
            path,
            identity.get().id(),
            logDir,
            ref.id(),
            ConfigKey.TIER_PATHS.of(tier.name()));
      }
    }
  }

  private static void checkEmpty(final TierConfig tier, final Path path) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
      for (final Path entry : stream) {
        final String name = entry.getFileName().toString();
        if (!name.equals("lost+found") && !name.startsWith(Identity.FILE_NAME)) {
          throw StoreCodes.TIER_NOT_EMPTY.refusal(tier.name(), path, name);
        }
      }
    }
  }

  private void lock(final TierConfig tier, final Path path) throws IOException {
    final Path real = path.toRealPath();
    if (!HELD.add(real)) {
      throw inUse(tier, path, "pid " + ProcessHandle.current().pid() + ", this one");
    }
    final FileChannel channel;
    try {
      channel =
          FileChannel.open(
              path.resolve(LOCK_FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    } catch (final IOException e) {
      HELD.remove(real);
      throw e;
    }
    locks.put(real, channel);
    if (channel.tryLock() == null) {
      throw inUse(tier, path, read(channel));
    }
    channel.truncate(0);
    channel.write(
        StandardCharsets.UTF_8.encode(
            "pid " + ProcessHandle.current().pid() + " since " + Instant.now()));
  }

  private static StoreRefusedException inUse(
      final TierConfig tier, final Path path, final String owner) {
    return StoreCodes.TIER_IN_USE.refusal(tier.name(), path, owner);
  }

  private static String read(final FileChannel channel) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate(256);
    channel.read(buffer, 0);
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  private TierDirectory open(final TierConfig tier, final Path path) throws IOException {
    final Optional<TierIdentity> found = TierIdentity.read(path);
    final TierIdentity identity =
        found.isPresent() ? found.get() : TierIdentity.create(path, tier.name());
    final HomeIdentity.TierRef ref = new HomeIdentity.TierRef(tier.name(), identity.id(), path);
    final Device device = Device.detect(path);
    final FileStore fileStore = Files.getFileStore(path);
    final long used = bytesBelow(path.resolve("segments")) + bytesBelow(path.resolve("quarantine"));
    final long capacity =
        tier.capacityBytes().isPresent()
            ? tier.capacityBytes().getAsLong() / tier.paths().size()
            : (fileStore.getUsableSpace() + used) / 100 * 98;
    final TierDirectory directory =
        new TierDirectory(tier, ref, device, fileStore, backend(tier, device), capacity, used);
    for (final TierDirectory other : directories.values()) {
      if (other.ref.id().equals(ref.id())) {
        throw StoreCodes.TIER_TWICE.refusal(path, other.ref.path(), ref.id());
      }
    }
    directories.put(path, directory);
    return directory;
  }

  private PersistBackend backend(final TierConfig tier, final Device device) {
    if (tier.type() == TierType.FILE) {
      return PersistBackend.WRITE;
    }
    try {
      final PersistBackend chosen = Persist.choose(device, config.persist());
      // Only a mapped file can begin with the zeroed pages of a recycled one, which cost nothing.
      return chosen == PersistBackend.WRITE
              && config.persist().isEmpty()
              && tier.poolBytes().orElse(0) > 0
          ? PersistBackend.NONE
          : chosen;
    } catch (final IllegalArgumentException e) {
      throw StoreCodes.BACK_END.refusal(
          config.source(), e.getMessage(), tier.name(), device.directory(), e);
    }
  }

  private static long bytesBelow(final Path directory) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(directory)) {
      for (final Path home : homes) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
          for (final Path file : files) {
            bytes += Files.size(file);
          }
        }
      }
    } catch (final NoSuchFileException none) {
      return bytes;
    }
    return bytes;
  }

  /**
   * Checks one log directory and takes it over.
   *
   * @param logDir its real path
   * @param catalogue is told of its segments
   * @throws StoreRefusedException if one of its segments isn't where it must be
   */
  Home home(final Path logDir, final Catalogue catalogue) throws IOException {
    final Optional<HomeIdentity> found = HomeIdentity.read(logDir);
    final HomeIdentity identity = found.isPresent() ? found.get() : HomeIdentity.create(logDir);
    final Path twin = homeIds.putIfAbsent(identity.id(), logDir);
    if (twin != null) {
      throw StoreCodes.LOG_DIR_COPIED.refusal(logDir, twin);
    }
    final List<LogDirScan.Entry> segments = new ArrayList<>();
    final Set<Path> linked = checkLinks(logDir, identity, segments);
    writeIdentity(identity, found.isPresent());
    final boolean complete = scannedCompletely(logDir);
    for (final TierDirectory directory : directories.values()) {
      Files.createDirectories(directory.segments(identity.id()));
      if (complete) {
        quarantineOrphans(directory, identity.id(), linked);
      }
      DirectoryForce.forceNow(directory.ref.path().resolve("segments"));
      DirectoryForce.forceNow(directory.ref.path());
    }
    removeUnfinishedMoves(logDir);
    catalogued(segments, catalogue);
    return new Home(logDir, identity.id());
  }

  /** Every link must lead to a file in one of the tiers; nothing was written so far. */
  private Set<Path> checkLinks(
      final Path logDir, final HomeIdentity identity, final List<LogDirScan.Entry> segments)
      throws IOException {
    final Set<Path> linked = new HashSet<>();
    final List<String> lost = new ArrayList<>();
    final List<String> outside = new ArrayList<>();
    LogDirScan.scan(
        logDir,
        entry -> {
          segments.add(entry);
          if (!entry.linked()) {
            return;
          }
          if (!linked.add(entry.target())) {
            throw StoreCodes.LINK_COPIED.refusal(entry.name(), entry.target());
          }
          if (!inTiers(entry.target(), identity.id())) {
            outside.add(entry.name() + " -> " + entry.target());
          } else if (entry.lost()) {
            lost.add(entry.name() + " -> " + entry.target());
          }
        });
    linksChecked += linked.size();
    if (!outside.isEmpty()) {
      throw StoreCodes.LINKS_OUTSIDE.refusal(logDir, shown(outside), config.source(), logDir);
    }
    if (!lost.isEmpty()) {
      throw StoreCodes.SEGMENTS_MISSING.refusal(logDir, shown(lost), logDir);
    }
    return linked;
  }

  /** A partition directory behind a link to a disk that isn't mounted may name any tier file. */
  private static boolean scannedCompletely(final Path logDir) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(logDir)) {
      for (final Path path : stream) {
        if (Files.isSymbolicLink(path)
            && !SegmentMove.isTemporary(path.getFileName().toString())
            && !Files.exists(path)) {
          StoreCodes.LINK_NOWHERE.log(path, logDir);
          return false;
        }
      }
    }
    return true;
  }

  private static String shown(final List<String> names) {
    final int more = names.size() - NAMES_SHOWN_MAX;
    return String.join(", ", names.subList(0, Math.min(names.size(), NAMES_SHOWN_MAX)))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private boolean inTiers(final Path target, final UUID home) {
    for (final TierDirectory directory : directories.values()) {
      if (directory.segments(home).equals(target.getParent())) {
        return true;
      }
    }
    return false;
  }

  /** What migration may move; the last segment of each log is the one that is appended to. */
  private void catalogued(final List<LogDirScan.Entry> segments, final Catalogue catalogue) {
    final Map<Path, TierDirectory> bySegments = new HashMap<>();
    String later = ""; // the partition of the one that comes next in its log
    for (int i = segments.size() - 1; i >= 0; i--) {
      final LogDirScan.Entry entry = segments.get(i);
      final String fileName = entry.name().getFileName().toString();
      if (!SegmentName.isPlain(fileName)
          || entry.dangling()
          || config.homeOnly().contains(SegmentName.topic(entry.partition()))) {
        continue;
      }
      catalogue.add(
          entry.name().getParent(),
          fileName,
          entry.linked()
              ? bySegments.computeIfAbsent(entry.target().getParent(), this::directoryOf)
              : null,
          entry.bytes(),
          entry.modifiedMs(),
          !entry.partition().equals(later));
      later = entry.partition();
    }
  }

  private TierDirectory directoryOf(final Path segments) {
    for (final TierDirectory directory : directories.values()) {
      if (segments.startsWith(directory.ref.path())) {
        return directory;
      }
    }
    throw new AssertionError(segments + " was checked to lie in a tier");
  }

  private void writeIdentity(final HomeIdentity identity, final boolean exists) throws IOException {
    final List<HomeIdentity.TierRef> refs =
        directories.values().stream().map(directory -> directory.ref).toList();
    if (!exists || !Set.copyOf(identity.tiers()).equals(Set.copyOf(refs))) {
      identity.writeTiers(refs);
    }
  }

  private void quarantineOrphans(
      final TierDirectory directory, final UUID home, final Set<Path> linked) throws IOException {
    final Path quarantine = directory.ref.quarantine(home);
    long files = 0;
    long bytes = 0;
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory.segments(home))) {
      for (final Path file : stream) {
        if (!linked.contains(file) && !SegmentMove.isTemporary(file.getFileName().toString())) {
          Files.createDirectories(quarantine);
          bytes += Files.size(file);
          files++;
          Files.move(
              file,
              quarantine.resolve(System.currentTimeMillis() + "." + file.getFileName()),
              StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
    if (files > 0) {
      quarantined += files;
      StoreCodes.ORPHANS.log(directory, files, bytes, quarantine, config.quarantineGrace());
    }
  }

  /** A crash in the middle of a move leaves a copy, which never was authoritative. */
  private void removeUnfinishedMoves(final Path logDir) throws IOException {
    for (final Path file : LogDirScan.unfinishedMoves(logDir)) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(file)) {
        final long bytes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size();
        Files.delete(file);
        unfinishedMoves++;
        for (final TierDirectory directory : directories.values()) {
          if (file.startsWith(directory.ref.path())) {
            directory.release(bytes);
          }
        }
        StoreCodes.UNFINISHED_MOVE.log(file);
      }
    }
  }

  /** Says what the tiers hold for log directories that are not there; nothing of it is touched. */
  void reportAbsentHomes() throws IOException {
    for (final TierDirectory directory : directories.values()) {
      try (DirectoryStream<Path> stream =
          Files.newDirectoryStream(directory.ref.path().resolve("segments"))) {
        for (final Path home : stream) {
          final String id = home.getFileName().toString();
          if (homeIds.keySet().stream().noneMatch(known -> known.toString().equals(id))) {
            StoreCodes.HOME_ABSENT.log(directory, id);
          }
        }
      } catch (final NoSuchFileException none) {
        continue;
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (final Map.Entry<Path, FileChannel> lock : locks.entrySet()) {
      lock.getValue().close();
      HELD.remove(lock.getKey());
    }
  }
}
