// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Progress;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SpareFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** Brings the segments of one log directory home. The caller holds all locks. */
final class Drain {
  private final Path logDir;
  private final HomeIdentity identity;
  private final Optional<String> tierName;
  private final Predicate<Path> readOnly;
  private final OfflineMoves moves;
  private final List<Path> dangling = new ArrayList<>();
  private final List<Path> leftovers = new ArrayList<>();
  private boolean identityRemoved;

  /**
   * Nothing is planned yet.
   *
   * @param readOnly the tier directories in which nothing can be deleted
   */
  Drain(
      Path logDir,
      HomeIdentity identity,
      Optional<String> tierName,
      Predicate<Path> readOnly,
      Progress progress) {
    this.readOnly = readOnly;
    this.logDir = logDir;
    this.identity = identity;
    this.tierName = tierName;
    moves = new OfflineMoves(logDir, identity.id(), "drain", "segment", progress);
  }

  /** The tier directories that a drain concerns. */
  static List<TierRef> concerned(HomeIdentity identity, Optional<String> tierName) {
    List<TierRef> tiers =
        identity.tiers().stream()
            .filter(tier -> tierName.isEmpty() || tierName.get().equals(tier.tier()))
            .toList();
    if (tiers.isEmpty() && tierName.isPresent()) {
      List<String> names = identity.tiers().stream().map(TierRef::tier).distinct().toList();
      throw new CommandFailure(
          "this log directory has no tier " + tierName.get(),
          "it has: " + String.join(", ", names));
    }
    return tiers;
  }

  /** Finds what has to be moved, and that it can be: all files there, and room for them at home. */
  void plan() throws IOException {
    LogDirState.refuseHidden(logDir);
    KnownTiers tiers = KnownTiers.of(logDir);
    List<TierRef> concerned = concerned(identity, tierName);
    LogDirScan.scan(
        logDir,
        segment -> {
          if (segment.linked()) {
            plan(segment, tiers, concerned);
          }
        });
    moves.refuseShared();
    long free = Files.getFileStore(logDir).getUsableSpace() + HomeRoom.ballastBytes(logDir);
    moves.requireRoom(free, "make room, or drain tier by tier with --tier (nothing was changed)");
  }

  private void plan(LogDirScan.Entry segment, KnownTiers tiers, List<TierRef> concerned) {
    TierRef tier = tiers.tierOf(segment);
    if (!concerned.contains(tier)) {
      return;
    }
    if (segment.lost()) {
      throw KnownTiers.lost(segment, tier);
    }
    if (segment.dangling()) {
      dangling.add(segment.name());
    } else {
      moves.add(segment, Optional.empty());
    }
  }

  /** Moves everything, then removes what has become empty. */
  void run(PrintWriter err) throws IOException {
    Files.deleteIfExists(
        HomeRoom.ballast(logDir)); // the owner takes it again if it is started again
    moves.run(err);
    for (Path link : dangling) {
      Files.delete(link);
    }
    finish();
  }

  private void finish() throws IOException {
    UUID home = identity.id();
    List<TierRef> drained = concerned(identity, tierName);
    for (TierRef tier : drained) {
      if (readOnly.test(tier.path())) {
        leftovers.add(tier.segments(home));
        continue;
      }
      removeSpares(tier.segments(home));
      removeIfEmpty(tier.segments(home));
      removeIfEmpty(tier.quarantine(home));
      OfflineMoves.forceRemovals(tier.segments(home));
      OfflineMoves.forceRemovals(tier.quarantine(home));
    }
    List<TierRef> rest = identity.tiers().stream().filter(tier -> !drained.contains(tier)).toList();
    if (rest.isEmpty()) {
      Files.deleteIfExists(logDir.resolve(OwnerCounters.FILE));
      identity.remove();
      identityRemoved = true;
    } else {
      identity.writeTiers(rest);
    }
  }

  /** Nothing of this log directory leads into the tier any more. */
  private static void removeSpares(Path segments) throws IOException {
    if (Files.isDirectory(segments)) {
      for (Path file : NameLook.list(segments)) {
        if (SpareFile.is(file)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private void removeIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      leftovers.add(directory);
    } catch (NoSuchFileException none) {
      return;
    }
  }

  OfflineMoves moves() {
    return moves;
  }

  /** True if nothing of Headpond is left in the log directory. */
  boolean identityRemoved() {
    return identityRemoved;
  }

  /** Directories that still hold files of this log directory which no link names. */
  List<Path> leftovers() {
    return leftovers;
  }
}
