// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.bookkeeper.ledger.PlaceCheck;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Progress;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Brings the entry logs of one of a stopped bookie's ledger directories home. */
final class LedgerDrain {
  private static final String CURRENT = BookieConfiguration.CURRENT;

  private final LedgerPlace place;
  private final Path ledgerDirectory;
  private final HomeIdentity identity;
  private final OfflineMoves moves;
  private final List<Path> leftovers = new ArrayList<>();

  private LedgerDrain(LedgerPlace place, HomeIdentity identity, Progress progress) {
    this.place = place;
    ledgerDirectory = place.ledgers();
    this.identity = identity;
    moves = new OfflineMoves(ledgerDirectory, identity.id(), "drain", "entry log", progress);
  }

  /** Takes the locks that a running bookie holds; before anything is looked at. */
  static void lock(LedgerPlace place, EngineLock locks) throws IOException {
    for (Path lock : place.locks()) {
      locks.takeIndex(lock, place.ledgers());
    }
  }

  /**
   * Looks at a ledger directory.
   *
   * @return empty if Headpond never wrote there, or it was drained before
   */
  static Optional<LedgerDrain> of(LedgerPlace place, Progress progress) throws IOException {
    if (!Files.isDirectory(place.ledgers())) {
      throw new CommandFailure(
          place.ledgers() + ": no such directory", "mount it, or correct ledgerDirectories");
    }
    return HomeIdentity.read(place.ledgers())
        .map(identity -> new LedgerDrain(place, identity, progress));
  }

  /** Finds what has to be moved, and that it can be: all files there, and room for them. */
  void plan() throws IOException {
    if (Files.exists(PlaceCheck.forgotten(ledgerDirectory))) {
      throw new CommandFailure(
          ledgerDirectory + " has given up entry logs whose entries are still in its index",
          "start the bookie with Headpond once: it takes them out (nothing was changed)");
    }
    List<LogDirScan.Entry> logs = logs();
    for (LogDirScan.Entry log : logs) {
      if (log.dangling()) {
        throw new CommandFailure(
            log.name() + " has lost its file " + log.target(),
            "mount its device (nothing was changed)");
      }
      moves.add(log, Optional.empty());
    }
    moves.requireRoom(
        Files.getFileStore(ledgerDirectory).getUsableSpace()
            + HomeRoom.ballastBytes(ledgerDirectory),
        "make room (nothing was changed)");
  }

  /** The entry logs that are links; all must lead into a fast directory of this home. */
  private List<LogDirScan.Entry> logs() throws IOException {
    List<LogDirScan.Entry> found = new ArrayList<>();
    for (LogDirScan.Entry log : place.entryLogs()) {
      if (!log.linked()) {
        continue;
      }
      Path folder = log.target().getParent();
      if (identity.tiers().stream().noneMatch(tier -> folder(tier).equals(folder))) {
        throw new CommandFailure(
            log.name() + " links to " + log.target() + ", which is in no fast directory of it",
            "replace the link by its file first (nothing was changed)");
      }
      found.add(log);
    }
    return found;
  }

  private Path folder(TierRef tier) {
    return tier.segments(identity.id()).resolve(CURRENT);
  }

  /**
   * Moves everything, then removes what has become empty; nothing of that if an entry log can't be
   * read, which {@link OfflineMoves#refuseUnread} tells.
   */
  void run(PrintWriter err) throws IOException {
    Files.deleteIfExists(HomeRoom.ballast(ledgerDirectory));
    moves.runReadable(err);
    if (moves.leftUnread()) {
      return;
    }
    for (TierRef tier : identity.tiers()) {
      Files.deleteIfExists(folder(tier).resolve("lastId")); // BookKeeper's, kept at home too
      removeIfEmpty(folder(tier));
      removeIfEmpty(tier.segments(identity.id()));
      removeIfEmpty(tier.quarantine(identity.id()));
      OfflineMoves.forceRemovals(folder(tier));
      OfflineMoves.forceRemovals(tier.quarantine(identity.id()));
    }
    identity.remove();
  }

  private void removeIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      leftovers.add(directory);
    }
  }

  OfflineMoves moves() {
    return moves;
  }

  /** Directories that still hold files which no name leads to. */
  List<Path> leftovers() {
    return leftovers;
  }
}
