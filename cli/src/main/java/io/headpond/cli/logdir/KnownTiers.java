// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.SpareFile;
import io.headpond.store.layout.TierIdentity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The tier directories that a log directory, or a bookie's ledger directory, knows by its identity
 * file: which of them are missing or foreign, into which a link leads, and which of their files no
 * link names.
 */
final class KnownTiers {
  /** BookKeeper's, beside the entry logs. */
  private static final String LAST_ID = "lastId";

  /** Some file systems, as XFS, read nothing after an error until then. */
  static final String MOUNT_AGAIN = "look at dmesg, unmount its device and mount it again,";

  private final UUID home;
  private final List<TierRef> tiers;

  /** The folder of a home's files in a tier that the files lie in; empty: that one itself. */
  private final String below;

  private final Map<Path, Path> claimed = new HashMap<>();
  // Folders that links name by another path than the identity file does, and what they really are.
  private final Map<Path, Optional<TierRef>> folders = new HashMap<>();
  private final Set<Path> unusable = new HashSet<>();

  private KnownTiers(UUID home, List<TierRef> tiers, String below) {
    this.home = home;
    this.tiers = tiers;
    this.below = below;
  }

  /** The look at one tier directory. */
  private interface Look {
    Optional<Finding> at(TierRef tier) throws IOException;
  }

  /**
   * The tiers of a log directory, each one looked at.
   *
   * @param findings takes what is wrong with them, or with the identity file; a tier that can't be
   *     read is a finding, too
   */
  static KnownTiers examined(Path logDir, Consumer<Finding> findings) throws IOException {
    return of(logDir, "", KnownTiers::fault, findings);
  }

  /** The fast directories of a bookie's ledger directory, as {@link #examined}. */
  static KnownTiers examinedLedgers(Path ledgerDirectory, Consumer<Finding> findings)
      throws IOException {
    return of(ledgerDirectory, BookieConfiguration.CURRENT, KnownTiers::fault, findings);
  }

  /**
   * The tiers of a log directory, for whoever needs them right: which of them aren't, {@link
   * #unusable} tells.
   *
   * @throws IOException also if a tier can't be read
   */
  static KnownTiers of(Path logDir) throws IOException {
    return of(logDir, "", KnownTiers::wrong, finding -> {});
  }

  /** The fast directories of a bookie's ledger directory, as {@link #of(Path)}. */
  static KnownTiers ofLedgers(Path ledgerDirectory) throws IOException {
    return of(ledgerDirectory, BookieConfiguration.CURRENT, KnownTiers::wrong, finding -> {});
  }

  private static KnownTiers of(Path logDir, String below, Look look, Consumer<Finding> findings)
      throws IOException {
    try {
      Optional<HomeIdentity> identity = HomeIdentity.read(logDir);
      if (identity.isEmpty()) {
        return new KnownTiers(null, List.of(), below);
      }
      KnownTiers known = new KnownTiers(identity.get().id(), identity.get().tiers(), below);
      for (TierRef tier : known.tiers) {
        DeviceAnswer.requireReads(tier.path()); // every look at a link asks it, too
        known.identify(tier, look.at(tier), findings);
      }
      return known;
    } catch (StoreRefusedException e) {
      findings.accept(
          Finding.problem(
              Finding.Kind.DAMAGED_IDENTITY, logDir.resolve(".headpond"), e.getMessage()));
      return new KnownTiers(null, List.of(), below);
    }
  }

  /** The home's identifier; empty if Headpond never wrote there. */
  Optional<UUID> home() {
    return Optional.ofNullable(home);
  }

  /** The tier directories, as the log directory names them. */
  List<TierRef> tiers() {
    return tiers;
  }

  private void identify(TierRef tier, Optional<Finding> wrong, Consumer<Finding> findings) {
    wrong.ifPresent(findings);
    if (wrong.isPresent()) {
      unusable.add(tier.path());
    }
  }

  /** As {@link #wrong}, also of one that can't be read: it isn't lost, as long as it is there. */
  static Optional<Finding> fault(TierRef tier) {
    try {
      return wrong(tier);
    } catch (IOException e) {
      return Optional.of(
          Finding.problem(
              Finding.Kind.UNREADABLE,
              tier.path(),
              "tier "
                  + tier.tier()
                  + " can't be read: "
                  + PlainText.reason(e)
                  + "; look at dmesg, or run as the broker's user"));
    }
  }

  /** The fault of a tier directory, if it has one. */
  static Optional<Finding> wrong(TierRef tier) throws IOException {
    if (!NameLook.isDirectory(tier.path())) { // a device's error is no answer
      return Optional.of(
          Finding.problem(
              Finding.Kind.MISSING_TIER,
              tier.path(),
              "tier " + tier.tier() + " isn't there; mount it again at this path"));
    }
    Optional<TierIdentity> identity;
    try {
      identity = TierIdentity.read(tier.path());
    } catch (StoreRefusedException e) {
      return Optional.of(
          Finding.problem(Finding.Kind.DAMAGED_IDENTITY, tier.path(), e.getMessage()));
    }
    if (identity.isEmpty()) {
      return Optional.of(
          Finding.problem(
              Finding.Kind.MISSING_TIER,
              tier.path(),
              "the directory of tier "
                  + tier.tier()
                  + " has no identity file: probably its device isn't mounted; mount it"));
    }
    if (!identity.get().id().equals(tier.id())) {
      return Optional.of(
          Finding.problem(
              Finding.Kind.FOREIGN_TIER,
              tier.path(),
              "this is tier directory "
                  + identity.get().id()
                  + " ("
                  + identity.get().tier()
                  + "), but its home expects "
                  + tier.id()
                  + "; mount the right device here"));
    }
    return Optional.empty();
  }

  /** True if the tier directory that a link leads to is missing or foreign. */
  boolean unusable(TierRef tier) {
    return unusable.contains(tier.path());
  }

  /** The tier directory whose segments of this home a link target belongs to. */
  Optional<TierRef> tierOf(Path target) {
    for (Path name : target) {
      if (name.toString().equals("..")) {
        return Optional.empty(); // behind a link it may lead anywhere
      }
    }
    Path folder = target.normalize().getParent();
    return folder == null ? Optional.empty() : folders.computeIfAbsent(folder, this::find);
  }

  /** The tier directory that a segment's link leads into; refuses a link that leads elsewhere. */
  TierRef tierOf(LogDirScan.Entry segment) {
    return tierOf(segment.target())
        .orElseThrow(
            () ->
                new CommandFailure(
                    segment.name()
                        + " links to "
                        + segment.target()
                        + ", which is in no tier of it",
                    "'headpond verify' shows all such links; replace them by their files first"));
  }

  /** A segment whose file isn't in its tier can't be moved. */
  static CommandFailure lost(LogDirScan.Entry segment, TierRef tier) {
    return new CommandFailure(
        segment.name() + " has lost its file " + segment.target(),
        "mount tier "
            + tier.tier()
            + ", or if it is lost for good: headpond recover FILE --tier "
            + tier.tier());
  }

  private Optional<TierRef> find(Path folder) {
    for (TierRef tier : tiers) {
      Path segments = segments(tier);
      if (folder.equals(segments.normalize()) || sameFile(folder, segments)) {
        return Optional.of(tier);
      }
    }
    return Optional.empty();
  }

  /** The directory of this home's files in a tier. */
  private Path segments(TierRef tier) {
    return tier.segments(home).resolve(below);
  }

  private static boolean sameFile(Path a, Path b) {
    try {
      return Files.isSameFile(a, b);
    } catch (IOException oneIsMissing) {
      return false;
    }
  }

  /**
   * Records that a name links to a tier file.
   *
   * @return another name that links there, if there is one. A running broker's rename may have
   *     shown the segment by both of its names, so both are looked at again.
   */
  Optional<Path> claim(Path target, Path name) throws IOException {
    Path file = target.normalize();
    Path other = claimed.putIfAbsent(file, name);
    if (other == null) {
      return Optional.empty();
    }
    if (!leadsTo(file, other)) {
      claimed.put(file, name);
      return Optional.empty();
    }
    return leadsTo(file, name) ? Optional.of(other) : Optional.empty();
  }

  private static boolean leadsTo(Path file, Path name) throws IOException {
    Path target = NameLook.target(name);
    return target != null && target.normalize().equals(file);
  }

  /** Reports tier files that no link names, and those in quarantine. */
  void leftovers(Consumer<Finding> findings) throws IOException {
    Set<String> named = new HashSet<>();
    claimed.keySet().forEach(target -> named.add(target.getFileName().toString()));
    for (TierRef tier : tiers) {
      if (unusable(tier)) {
        continue;
      }
      for (Path file : files(segments(tier))) {
        String fileName = file.getFileName().toString();
        if (!named.contains(fileName)
            && !SegmentMove.isTemporary(fileName)
            && !fileName.equals(LAST_ID)
            && !SpareFile.is(file)) {
          findings.accept(
              Finding.note(
                  Finding.Kind.ORPHAN,
                  file,
                  "no link names it; the engine's next start puts it into quarantine"));
        }
      }
      for (Path file : files(tier.quarantine(home))) {
        findings.accept(
            Finding.note(
                Finding.Kind.QUARANTINED,
                file,
                "no link named it at a start; deleted after the grace period of the quarantine"));
      }
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(found::add);
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    found.sort(null);
    return found;
  }
}
