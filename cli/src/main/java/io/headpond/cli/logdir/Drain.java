// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.store.HomeIdentity;
import io.headpond.store.HomeIdentity.TierRef;
import io.headpond.store.LogDirScan;
import io.headpond.store.SegmentMove;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Brings the segments of one log directory home. The caller holds all locks.
 *
 * <p>Each segment is moved by itself and completely, so the log directory is right at every instant
 * and a drain that was ended goes on where it stopped.
 */
final class Drain {
  private final Path logDir;
  private final HomeIdentity identity;
  private final Optional<String> tierName;
  private final Progress progress;
  private final List<Item> items = new ArrayList<>();
  private final List<Path> dangling = new ArrayList<>();
  private final List<Path> leftovers = new ArrayList<>();
  private long bytesTotal;
  private long bytesDone;
  private long segmentsDone;
  private long startedNanos;
  private boolean identityRemoved;

  private record Item(LogDirScan.Entry segment, TierRef tier) {}

  Drain(Path logDir, HomeIdentity identity, Optional<String> tierName, Progress progress) {
    this.logDir = logDir;
    this.identity = identity;
    this.tierName = tierName;
    this.progress = progress;
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
    TierCheck tiers = TierCheck.of(logDir, finding -> {});
    List<TierRef> concerned = concerned(identity, tierName);
    LogDirScan.scan(
        logDir,
        segment -> {
          if (segment.linked()) {
            plan(segment, tiers, concerned);
          }
        });
    long free = Files.getFileStore(logDir).getUsableSpace();
    if (bytesTotal > free) {
      throw new CommandFailure(
          logDir
              + " has "
              + Units.bytes(free)
              + " free, but "
              + Units.bytes(bytesTotal)
              + " have to come home",
          "make room, or drain tier by tier with --tier (nothing was changed)");
    }
  }

  private void plan(LogDirScan.Entry segment, TierCheck tiers, List<TierRef> concerned) {
    TierRef tier = tiers.tierOf(segment.target()).orElse(null);
    if (tier == null) {
      throw new CommandFailure(
          segment.name() + " links to " + segment.target() + ", which is in no tier of it",
          "'headpond verify' shows all such links; replace them by their files first");
    }
    if (!concerned.contains(tier)) {
      return;
    }
    if (segment.lost()) {
      throw new CommandFailure(
          segment.name() + " has lost its file " + segment.target(),
          "mount tier " + tier.tier() + ", or if it is lost for good: headpond forget-tier");
    }
    if (segment.dangling()) {
      dangling.add(segment.name());
    } else {
      items.add(new Item(segment, tier));
      bytesTotal += segment.bytes();
    }
  }

  /** Moves everything, then removes what has become empty. */
  void run() throws IOException {
    startedNanos = System.nanoTime();
    removeUnfinishedMoves();
    for (Item item : items) {
      LogDirScan.Entry segment = item.segment();
      show();
      try {
        SegmentMove.home(segment.name(), segment.target(), segment.bytes(), this::copied);
      } catch (IOException e) {
        throw new CommandFailure(
            segment.name() + " can't be brought home: " + e.getMessage(),
            Units.count(segmentsDone, "segment") + " are home; remedy it and run this again",
            e);
      }
      // The log directory was forced by the move: nothing resolves to this file any more.
      Files.delete(segment.target());
      segmentsDone++;
    }
    for (Path link : dangling) {
      Files.delete(link);
    }
    finish();
  }

  private void removeUnfinishedMoves() throws IOException {
    for (Path file : LogDirScan.unfinishedMoves(logDir)) {
      Files.delete(file);
    }
  }

  private void copied(long bytes) {
    bytesDone += bytes;
    show();
  }

  private void show() {
    Duration time = time();
    progress.show(
        String.format(
            "drain: segment %,d of %,d, %s of %s, %s",
            segmentsDone + 1,
            items.size(),
            Units.bytes(bytesDone),
            Units.bytes(bytesTotal),
            Units.bytesPerSecond(bytesDone, time)));
  }

  private void finish() throws IOException {
    UUID home = identity.id();
    List<TierRef> drained = concerned(identity, tierName);
    for (TierRef tier : drained) {
      removeIfEmpty(tier.segments(home));
      removeIfEmpty(tier.quarantine(home));
    }
    List<TierRef> rest = identity.tiers().stream().filter(tier -> !drained.contains(tier)).toList();
    if (rest.isEmpty()) {
      identity.remove();
      identityRemoved = true;
    } else {
      identity.writeTiers(rest);
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

  long segments() {
    return items.size();
  }

  long segmentsDone() {
    return segmentsDone;
  }

  long bytesTotal() {
    return bytesTotal;
  }

  long bytesDone() {
    return bytesDone;
  }

  Duration time() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /** Whether the log directory has nothing to do with Headpond any more. */
  boolean identityRemoved() {
    return identityRemoved;
  }

  /** Directories that still hold files of this log directory which no link names. */
  List<Path> leftovers() {
    return leftovers;
  }
}
