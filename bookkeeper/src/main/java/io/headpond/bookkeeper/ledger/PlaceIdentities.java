// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.TierIdentity;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Identities of a ledger directory and its fast directory. They are checked to belong together
 * before anything is written. One thread.
 */
final class PlaceIdentities {
  /** Name of the fast directory in the identity files. */
  private static final String TIER = "fast";

  private final HomeIdentity home;
  private final TierRef tier;

  private PlaceIdentities(final HomeIdentity home, final TierRef tier) {
    this.home = home;
    this.tier = tier;
  }

  /**
   * Looks at both directories. A new fast directory gets its identity here; it is empty, so nothing
   * is lost if what comes later is refused.
   *
   * @throws StoreRefusedException if the fast directory is missing, another one, or in other use
   * @throws IOException if a directory can't be read or written
   */
  static PlaceIdentities check(final Path ledgerDirectory, final Path fastDirectory)
      throws IOException {
    final Seen seen = look(ledgerDirectory, fastDirectory);
    final UUID tierId =
        seen.tier().isPresent()
            ? seen.tier().get().id()
            : TierIdentity.create(fastDirectory, TIER).id();
    return new PlaceIdentities(
        seen.home().orElseGet(() -> HomeIdentity.create(ledgerDirectory)),
        new TierRef(TIER, tierId, fastDirectory));
  }

  /**
   * The identities that are there.
   *
   * @param home the ledger directory's; empty if it is new
   * @param tier the fast directory's; empty if it is new
   */
  record Seen(Optional<HomeIdentity> home, Optional<TierIdentity> tier) {}

  /**
   * Looks at both directories; writes nothing.
   *
   * @throws StoreRefusedException as {@link #check}
   */
  static Seen look(final Path ledgerDirectory, final Path fastDirectory) throws IOException {
    if (!NameLook.isDirectory(fastDirectory)) {
      throw StartCodes.TIER_MISSING.refusal(
          BookieCodes.ENTRY_LOGS,
          fastDirectory,
          LedgerKeys.FAST_DIRECTORIES.name(),
          BookieSettings.SOURCE);
    }
    final Optional<HomeIdentity> known = HomeIdentity.read(ledgerDirectory);
    final Optional<TierIdentity> found = TierIdentity.read(fastDirectory);
    if (known.isPresent()) {
      checkKnown(ledgerDirectory, known.get(), fastDirectory, found);
    }
    if (found.isEmpty()) {
      checkEmpty(fastDirectory);
    }
    return new Seen(known, found);
  }

  private static void checkKnown(
      final Path ledgerDirectory,
      final HomeIdentity home,
      final Path fastDirectory,
      final Optional<TierIdentity> found) {
    for (final TierRef ref : home.tiers()) {
      if (ref.path().equals(fastDirectory)
          && !found.map(TierIdentity::id).equals(Optional.of(ref.id()))) {
        throw BookieCodes.FAST_FOREIGN.refusal(
            fastDirectory,
            ledgerDirectory,
            ref.id(),
            found
                .map(other -> "it is another one (" + other.id() + ")")
                .orElse("it has no .headpond file, so its device is not mounted or is lost"));
      }
    }
  }

  private static void checkEmpty(final Path fastDirectory) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(fastDirectory)) {
      for (final Path entry : stream) {
        final String name = entry.getFileName().toString();
        if (!name.equals(LogDirScan.LOST_AND_FOUND) && !name.startsWith(".headpond")) {
          throw StartCodes.TIER_NOT_EMPTY.refusal(
              BookieCodes.ENTRY_LOGS, fastDirectory, name, LedgerKeys.FAST_DIRECTORIES.name());
        }
      }
    }
  }

  /** The fast directory. */
  TierRef tier() {
    return tier;
  }

  /** The ledger directory's identifier. */
  UUID homeId() {
    return home.id();
  }

  /** From now on the ledger directory knows its fast directory. */
  void write() throws IOException {
    if (!home.tiers().equals(List.of(tier))) {
      home.writeTiers(List.of(tier));
    }
  }
}
