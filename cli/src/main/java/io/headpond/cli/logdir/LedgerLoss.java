// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.bookkeeper.ledger.PlaceCheck;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a stopped bookie has lost with the fast device of its ledger directories or of its journals,
 * and how it gives that up.
 *
 * <p>Its cookie goes first: without it BookKeeper starts the bookie only if its data integrity
 * check is on, which brings back what is missing, or as a new bookie with nothing. Then the names
 * of lost entry logs go, and word is left to take their entries out of the index; the identity of
 * the lost directory goes last, so a start in between is refused.
 */
final class LedgerLoss {
  /** BookKeeper's cookie, in each of its directories. */
  private static final String COOKIE = "VERSION";

  private final List<Directory> directories = new ArrayList<>();
  private final List<Journal> journals = new ArrayList<>();

  /**
   * A ledger directory that has lost entry logs.
   *
   * @param gone the fast directories that aren't there, or are others
   * @param logs the names of lost entry logs
   */
  record Directory(Path path, HomeIdentity identity, List<TierRef> gone, List<Path> logs) {}

  /**
   * A journal directory that has lost what a restart replays.
   *
   * @param from the file that a restart begins with
   * @param marks the files that say so
   */
  record Journal(Path path, Path from, List<Path> marks) {}

  private LedgerLoss() {}

  /** Looks at all directories of a bookie; changes nothing. */
  static LedgerLoss of(BookieConfiguration configuration) throws IOException {
    LedgerLoss loss = new LedgerLoss();
    for (LedgerPlace place : configuration.ledgers()) {
      loss.look(place);
    }
    List<Path> journals = configuration.journals();
    for (int i = 0; i < journals.size(); i++) {
      loss.look(journals.get(i), configuration.marks(i));
    }
    return loss;
  }

  /** True if nothing is lost. */
  boolean isEmpty() {
    return directories.isEmpty() && journals.isEmpty();
  }

  private void look(LedgerPlace place) throws IOException {
    Optional<HomeIdentity> identity = HomeIdentity.read(place.ledgers());
    if (identity.isEmpty()) {
      return;
    }
    List<TierRef> gone = new ArrayList<>();
    for (TierRef tier : identity.get().tiers()) {
      if (KnownTiers.wrong(tier).isPresent()) {
        gone.add(tier);
      }
    }
    KnownTiers tiers = KnownTiers.ofLedgers(place.ledgers());
    List<Path> lost = new ArrayList<>();
    for (LogDirScan.Entry log : place.entryLogs()) {
      if (!log.linked()) {
        continue;
      }
      Optional<TierRef> tier = tiers.tierOf(log.target());
      if (tier.isEmpty() && !log.dangling()) {
        throw new CommandFailure(
            log.name() + " links to " + log.target() + ", which is in no fast directory of it",
            "replace the link by its file first (nothing was changed)");
      }
      // A directory that isn't the right one holds none of them, whatever a file there is named.
      if (log.dangling() || gone.contains(tier.get())) {
        lost.add(log.name());
      }
    }
    if (!gone.isEmpty() || !lost.isEmpty()) {
      directories.add(new Directory(place.ledgers(), identity.get(), gone, lost));
    }
  }

  private void look(Path journal, List<Path> marks) throws IOException {
    long mark = JournalDirCheck.mark(marks).journal();
    List<Path> files;
    try {
      files = JournalDirCheck.journals(journal);
    } catch (NoSuchFileException wiped) {
      files = List.of();
    }
    if (mark > 0 && files.stream().noneMatch(file -> BookieConfiguration.number(file) == mark)) {
      Path from =
          journal.resolve(BookieConfiguration.CURRENT).resolve(Long.toHexString(mark) + ".txn");
      journals.add(new Journal(journal, from, marks));
    }
  }

  /** The ledger directories that have lost something. */
  List<Directory> directories() {
    return directories;
  }

  /** The journal directories that are lost, often on the same device. */
  List<Journal> journals() {
    return journals;
  }

  /** Gives it up, once there is room for that in each ledger directory. */
  void accept(LogDirChanges changes) throws IOException {
    for (Directory directory : directories) {
      HomeRoom.make(directory.path(), changes);
    }
    for (Directory directory : directories) {
      Path current = directory.path().resolve(BookieConfiguration.CURRENT);
      changes.delete(current.resolve(COOKIE));
      changes.force(current);
      Path word = PlaceCheck.forgotten(directory.path());
      changes.append(word, directory.path(), "");
      changes.make(() -> DirectoryForce.forceNow(word));
      changes.force(directory.path());
    }
    for (Journal journal : journals) {
      Path current = journal.path().resolve(BookieConfiguration.CURRENT);
      if (Files.isDirectory(current)) {
        changes.delete(current.resolve(COOKIE));
        changes.force(current);
      }
      for (Path mark : journal.marks()) {
        changes.delete(mark);
        changes.force(mark.getParent());
      }
    }
    for (Directory directory : directories) {
      for (Path log : directory.logs()) {
        changes.delete(log);
      }
      changes.force(directory.path().resolve(BookieConfiguration.CURRENT));
      List<TierRef> kept = new ArrayList<>(directory.identity().tiers());
      kept.removeAll(directory.gone());
      changes.make(() -> directory.identity().writeTiers(kept));
    }
  }
}
