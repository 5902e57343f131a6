// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.pmem.Device;
import io.headpond.pmem.FilePool;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.DurabilityMode;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.Identity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.ShutdownCounts;
import io.headpond.store.layout.TierIdentity;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The check of a configured tier directory at the owner's start: it must be the one that the log
 * directories know. Then it is opened with its identity, its device and its space.
 */
public final class TierCheck {
  /** The folder of a tier directory's prepared files. */
  public static final String POOL = "pool";

  private final TimeSource time;
  private final StoreConfig config;
  private final Map<Path, HomeIdentity> homes;

  /**
   * Looks at nothing yet.
   *
   * @param homes by log directory, those that are there and can be read
   */
  TierCheck(final StoreConfig config, final Map<Path, HomeIdentity> homes, final TimeSource time) {
    this.time = time;
    this.config = config;
    this.homes = homes;
  }

  /**
   * Checks that it is there, and the one that the log directories know. Writes nothing.
   *
   * @throws StoreRefusedException if not
   */
  void check(final TierConfig tier, final Path path) throws IOException {
    if (!NameLook.isDirectory(path)) {
      throw missing(tier, path).refusal();
    }
    final Optional<TierIdentity> identity = TierIdentity.read(path);
    for (final Map.Entry<Path, HomeIdentity> home : homes.entrySet()) {
      checkKnown(tier, path, home.getKey(), home.getValue(), identity);
    }
    if (identity.isEmpty()) {
      checkEmpty(tier, path);
    }
  }

  /** One that a log directory knows isn't made anew: only its own device has the segments. */
  private Words missing(final TierConfig tier, final Path path) {
    final Words plain =
        StartCodes.TIER_MISSING.words(
            "tier " + tier.name(),
            path,
            ConfigKey.TIER_PATHS.of(tier.name()).name(),
            config.source());
    final String instead = instead(path);
    final Words words =
        new Words(
            plain.code(),
            plain.finding() + instead,
            instead.isEmpty() ? plain.remedy() : "Remove that, then: " + plain.remedy());
    for (final Map.Entry<Path, HomeIdentity> home : homes.entrySet()) {
      for (final HomeIdentity.TierRef ref : home.getValue().tiers()) {
        if (ref.path().equals(path)) {
          final Path logDir = home.getKey();
          final Words known =
              StartCodes.TIER_UNMOUNTED.words(tier.name(), path, logDir, recover(tier, ref));
          return new Words(
              words.code(), words.finding() + "; " + logDir + " knows it", known.remedy());
        }
      }
    }
    return words;
  }

  /** What has the name of a directory that isn't there, as half a sentence. */
  private static String instead(final Path path) {
    if (Files.isSymbolicLink(path) && !Files.exists(path)) {
      return ": it is a link that leads nowhere";
    }
    return Files.exists(path) ? ": it is a file, not a directory" : "";
  }

  /** Does a log directory know a tier directory by that path? */
  boolean isKnown(final Path path) {
    return homes.values().stream()
        .flatMap(home -> home.tiers().stream())
        .anyMatch(ref -> ref.path().equals(path));
  }

  private void checkKnown(
      final TierConfig tier,
      final Path path,
      final Path logDir,
      final HomeIdentity home,
      final Optional<TierIdentity> identity)
      throws IOException {
    for (final HomeIdentity.TierRef ref : home.tiers()) {
      if (ref.path().equals(path)) {
        refuseOther(tier, ref, identity, logDir);
        refuseLostWrites(tier, ref, logDir, home.shutdowns(ref.id()));
      }
    }
  }

  /** Nothing that was durable there can be trusted until 'headpond verify' has compared it. */
  private void refuseLostWrites(
      final TierConfig tier, final HomeIdentity.TierRef ref, final Path logDir, final String noted)
      throws IOException {
    final String now = noted.isEmpty() ? "" : ShutdownCounts.of(Device.detect(ref.path()));
    if (ShutdownCounts.changed(noted, now)) {
      throw StartCodes.WRITES_LOST.refusal(
          tier.name(), ref.path(), noted, now, logDir, config.source(), ref.tier());
    }
  }

  private static void checkEmpty(final TierConfig tier, final Path path) throws IOException {
    for (final Path entry : NameLook.list(path)) {
      final String name = entry.getFileName().toString();
      if (!name.equals(LogDirScan.LOST_AND_FOUND) && !name.startsWith(Identity.FILE_NAME)) {
        throw StartCodes.TIER_NOT_EMPTY.refusal(
            "tier " + tier.name(), path, name, ConfigKey.TIER_PATHS.of(tier.name()).name());
      }
    }
  }

  /**
   * Checks that two tier directories aren't the same one.
   *
   * @throws StoreRefusedException if they are
   */
  static void refuseTwin(final HomeIdentity.TierRef ref, final HomeIdentity.TierRef other) {
    if (other.id().equals(ref.id())) {
      throw StartCodes.TIER_TWICE.refusal(ref.path(), other.path(), ref.id());
    }
  }

  /**
   * Checks that a tier directory is the one that it was.
   *
   * @param logDir one that knows it
   * @throws StoreRefusedException if it isn't
   */
  private void refuseOther(
      final TierConfig tier,
      final HomeIdentity.TierRef was,
      final Optional<TierIdentity> now,
      final Path logDir) {
    if (now.isEmpty()) {
      throw StartCodes.TIER_UNMOUNTED.refusal(tier.name(), was.path(), logDir, recover(tier, was));
    }
    if (!now.get().id().equals(was.id())) {
      throw StartCodes.TIER_FOREIGN.refusal(
          tier.name(),
          was.path(),
          now.get().id(),
          logDir,
          was.id(),
          ConfigKey.TIER_PATHS.of(tier.name()).name(),
          recover(tier, was));
    }
  }

  /** The command that goes on without a directory's content; an ephemeral device's is lost. */
  private String recover(final TierConfig tier, final HomeIdentity.TierRef was) {
    final boolean empty = tier.ephemeral() && tier.name().equals(was.tier());
    return "headpond recover " + config.source() + (empty ? "" : " --tier " + was.tier());
  }

  /** Opens a directory that was checked and is locked; a new one gets its identity. */
  TierDirectory open(final TierConfig tier, final Path path) throws IOException {
    final Optional<TierIdentity> found = TierIdentity.read(path);
    final TierIdentity identity =
        found.isPresent() ? found.get() : TierIdentity.create(path, tier.name());
    final HomeIdentity.TierRef ref = new HomeIdentity.TierRef(tier.name(), identity.id(), path);
    FilePool.deleteLeftovers(path.resolve(POOL));
    final Device device = Device.detect(path);
    final FileStore fileStore = Files.getFileStore(path);
    final Held held = held(path);
    final long free = fileStore.getUsableSpace();
    tooLarge(tier, path, fileStore).ifPresent(Words::log);
    final TierDirectory directory =
        new TierDirectory(
            tier,
            ref,
            device,
            fileStore,
            backEnd(device),
            tier.directoryCapacityBytes(free, held.used() + held.quarantined()),
            held.used(),
            time);
    directory.space.quarantineHolds(held.quarantined(), free + held.used() + held.quarantined());
    return directory;
  }

  /**
   * What is to be said of a capacity that a directory's file system hasn't got; one that doesn't
   * know its size, as ramfs, has any.
   */
  static Optional<Words> tooLarge(final TierConfig tier, final Path path, final FileStore fileStore)
      throws IOException {
    final long share = tier.capacityBytes().orElse(0) / tier.paths().size();
    final long total = fileStore.getTotalSpace();
    return total <= 0 || share <= total
        ? Optional.empty()
        : Optional.of(
            StartCodes.CAPACITY_TOO_LARGE.words(
                "tier " + tier.name(),
                path,
                share,
                total,
                ConfigKey.TIER_CAPACITY.of(tier.name()).name()));
  }

  /** The way in which appends become durable there: on a disk, if each is promised, at once. */
  private PersistBackend backEnd(final Device device) {
    final PersistBackend chosen = Persist.decide(device, config.internals().mapsMemory()).backend();
    final boolean ahead =
        chosen == PersistBackend.WRITE
            && config.durability() == DurabilityMode.APPEND
            && device.writesInPlace();
    return ahead ? PersistBackend.DSYNC : chosen;
  }

  /**
   * The bytes that a tier directory holds.
   *
   * @param used by segments
   * @param quarantined by files in quarantine
   */
  record Held(long used, long quarantined) {}

  /** Counts them. */
  static Held held(final Path path) throws IOException {
    return new Held(
        bytesBelow(HomeIdentity.segments(path)), bytesBelow(HomeIdentity.quarantine(path)));
  }

  /** All files of segments that lie in a tier directory, whosever they are. */
  public static Set<Path> files(final Path path) throws IOException {
    final Set<Path> files = new HashSet<>();
    try {
      for (final Path home : NameLook.list(HomeIdentity.segments(path))) {
        files.addAll(NameLook.list(home));
      }
    } catch (final NoSuchFileException none) {
      return files;
    }
    return files;
  }

  private static long bytesBelow(final Path directory) throws IOException {
    long bytes = 0;
    try {
      for (final Path home : NameLook.list(directory)) {
        for (final Path file : NameLook.list(home)) {
          bytes += Files.size(file);
        }
      }
    } catch (final NoSuchFileException none) {
      return bytes;
    }
    return bytes;
  }
}
