// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.event.Events;
import io.headpond.store.event.StartCodes;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.SpareFile;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The removal of a crash's remains from the tiers at the owner's start. Files that no link names go
 * to quarantine; spares and unfinished copies of moves are deleted.
 */
public final class OrphanSweep {
  private final Supplier<Stream<TierDirectory>> directories;
  private final DirectoryForce names;
  private final TimeSource time;
  private boolean namesForced;
  private long quarantined;
  private long unfinishedMoves;

  OrphanSweep(
      final Supplier<Stream<TierDirectory>> directories,
      final DirectoryForce names,
      final TimeSource time) {
    this.time = time;
    this.directories = directories;
    this.names = names;
  }

  /** Files that were put into quarantine. */
  long quarantined() {
    return quarantined;
  }

  /** Copies that were removed. */
  long unfinishedMoves() {
    return unfinishedMoves;
  }

  /**
   * Sweeps the tiers' directories for one home, and makes them where they are missing.
   *
   * @param linked all tier files that links of this home lead to
   */
  void sweep(final Path logDir, final UUID home, final Set<Path> linked) throws IOException {
    final boolean complete = scannedCompletely(logDir);
    namesForced = false;
    for (final TierDirectory directory : directories.get().toList()) {
      NameLook.makeDirectories(directory.segments(home));
      if (complete) {
        quarantineOrphans(logDir, directory, home, linked);
      }
      DirectoryForce.forceNow(HomeIdentity.segments(directory.ref.path()));
      DirectoryForce.forceNow(directory.ref.path());
    }
    removeUnfinishedMoves(logDir);
  }

  private static boolean scannedCompletely(final Path logDir) throws IOException {
    final Optional<Path> nowhere = linkToNowhere(logDir);
    nowhere.ifPresent(link -> StartCodes.LINK_NOWHERE.log(link, logDir));
    return nowhere.isEmpty();
  }

  /** A partition directory behind a link to a disk that isn't mounted may name any tier file. */
  public static Optional<Path> linkToNowhere(final Path logDir) throws IOException {
    for (final Path path : NameLook.list(logDir)) {
      if (NameLook.isLink(path)
          && !SegmentMove.isTemporary(path.getFileName().toString())
          && !NameLook.leadsSomewhere(path)) {
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  private void quarantineOrphans(
      final Path logDir, final TierDirectory directory, final UUID home, final Set<Path> linked)
      throws IOException {
    final List<Path> orphans = new ArrayList<>();
    for (final Path file : NameLook.list(directory.segments(home))) {
      if (!linked.contains(file) && !SegmentMove.isTemporary(file.getFileName().toString())) {
        orphans.add(file);
      }
    }
    if (orphans.isEmpty()) {
      return;
    }
    try {
      quarantine(directory, logDir, home, orphans);
    } catch (final IOException e) {
      if (!namesForced) {
        throw e; // that is home's
      }
      // Nobody needs them: they keep no broker from starting.
      StartCodes.ORPHANS_STAY.log(directory, directory.ref.quarantine(home), e);
    }
  }

  private void quarantine(
      final TierDirectory directory, final Path logDir, final UUID home, final List<Path> orphans)
      throws IOException {
    forceNames(logDir);
    final Path quarantine = directory.ref.quarantine(home);
    NameLook.makeDirectories(quarantine);
    final Swept swept = new Swept();
    for (final Path file : orphans) {
      try {
        swept.add(quarantined(directory, file, quarantine));
      } catch (final IOException e) {
        swept.failed(e);
      }
    }
    quarantined += swept.moved;
    if (swept.moved > 0) {
      StartCodes.ORPHANS.log(directory, swept.moved, swept.bytes, quarantine);
    }
    if (swept.failure != null) {
      throw swept.failure;
    }
  }

  /** The files of one directory: one that can't be moved keeps no other where it is. */
  private static final class Swept {
    int moved;
    long bytes;
    IOException failure;

    void add(final long fileBytes) {
      if (fileBytes >= 0) {
        moved++;
        bytes += fileBytes;
      }
    }

    /** The first one is told: there may be as many as files. */
    void failed(final IOException e) {
      failure = failure == null ? e : failure;
    }
  }

  /**
   * Moves a file to quarantine, or deletes a spare.
   *
   * @return its bytes; negative: it was a spare
   */
  private long quarantined(final TierDirectory directory, final Path file, final Path quarantine)
      throws IOException {
    final long size = Files.size(file);
    if (SpareFile.is(file)) {
      Files.delete(file);
      directory.space.release(size);
      return -1;
    }
    Files.move(
        file,
        quarantine.resolve(time.millis() + "." + file.getFileName()),
        StandardCopyOption.ATOMIC_MOVE);
    directory.space.quarantined(size);
    return size;
  }

  /**
   * Forces the names in the log directory. The process before this one may have ended before it
   * forced the name that replaced or dropped a link to an orphan; a power cut now must not bring
   * that link back, to lead nowhere.
   */
  private void forceNames(final Path logDir) throws IOException {
    if (!namesForced) {
      for (final Path partition : LogDirScan.partitions(logDir)) {
        names.force(partition);
      }
      names.force(logDir);
      namesForced = true;
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
        directories
            .get()
            .filter(directory -> file.startsWith(directory.ref.path()))
            .forEach(directory -> directory.space.release(bytes));
        Events.LOG.info("{}: the rest of an interrupted move was removed", file);
      }
    }
  }
}
