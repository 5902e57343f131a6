// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.store.HomeIdentity;
import io.headpond.store.HomeIdentity.TierRef;
import io.headpond.store.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Brings the entry logs of one of a stopped bookie's ledger directories home. */
final class LedgerDrain {
  private static final String CURRENT = "current";

  /** RocksDB holds these while a bookie runs: of the ledgers and of the entries' locations. */
  private static final List<String> INDEX_LOCKS = List.of("ledgers/LOCK", "locations/LOCK");

  private final Path ledgerDirectory;
  private final Path indexDirectory;
  private final HomeIdentity identity;
  private final OfflineMoves moves;
  private final List<Path> leftovers = new ArrayList<>();

  /**
   * Where one part of a bookie's ledgers and their index lie.
   *
   * @param ledgers one of {@code ledgerDirectories}
   * @param index the same one of {@code indexDirectories}; the same directory by default
   */
  record Place(Path ledgers, Path index) {}

  private LedgerDrain(Place place, HomeIdentity identity, Progress progress) {
    ledgerDirectory = place.ledgers();
    indexDirectory = place.index();
    this.identity = identity;
    moves = new OfflineMoves(ledgerDirectory, identity.id(), "drain", "entry log", progress);
  }

  /** The places that a bookie's configuration names. */
  static List<Place> places(Path configuration) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(configuration)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          configuration + " can't be read: " + e, "name the bookie's bk_server.conf", e);
    }
    List<Path> ledgers = paths(properties, "ledgerDirectories");
    List<Path> index = paths(properties, "indexDirectories");
    if (ledgers.isEmpty()) {
      throw new CommandFailure(
          configuration + " names no ledgerDirectories", "name the bookie's bk_server.conf");
    }
    if (!index.isEmpty() && index.size() != ledgers.size()) {
      throw new CommandFailure(
          configuration + " names as many indexDirectories as " + index.size(),
          "it needs one for each of " + ledgers.size() + " ledgerDirectories");
    }
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < ledgers.size(); i++) {
      places.add(new Place(ledgers.get(i), index.isEmpty() ? ledgers.get(i) : index.get(i)));
    }
    return places;
  }

  private static List<Path> paths(Properties properties, String key) {
    return Arrays.stream(properties.getProperty(key, "").split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(name -> Path.of(name).toAbsolutePath().normalize())
        .toList();
  }

  /**
   * Looks at a ledger directory.
   *
   * @return empty if Headpond never wrote there, or it was drained before
   */
  static Optional<LedgerDrain> of(Place place, Progress progress) throws IOException {
    if (!Files.isDirectory(place.ledgers())) {
      throw new CommandFailure(
          place.ledgers() + ": no such directory", "mount it, or correct ledgerDirectories");
    }
    return HomeIdentity.read(place.ledgers())
        .map(identity -> new LedgerDrain(place, identity, progress));
  }

  /** Takes the locks that a running bookie holds. */
  void lock(EngineLock locks) throws IOException {
    for (String lock : INDEX_LOCKS) {
      Path file = indexDirectory.resolve(CURRENT).resolve(lock);
      if (Files.exists(file)) {
        locks.takeIndex(file, ledgerDirectory);
      }
    }
  }

  /** Finds what has to be moved, and that it can be: all files there, and room for them. */
  void plan() throws IOException {
    List<LogDirScan.Entry> logs = logs();
    for (LogDirScan.Entry log : logs) {
      if (log.dangling()) {
        throw new CommandFailure(
            log.name() + " has lost its file " + log.target(),
            "mount its device (nothing was changed)");
      }
      moves.add(log, Optional.empty());
    }
    long free = Files.getFileStore(ledgerDirectory).getUsableSpace();
    if (moves.bytesTotal() > free) {
      throw new CommandFailure(
          ledgerDirectory
              + " has "
              + Units.bytes(free)
              + " free, but "
              + Units.bytes(moves.bytesTotal())
              + " have to come home",
          "make room (nothing was changed)");
    }
  }

  /** The entry logs that are links; all must lead into a fast directory of this home. */
  private List<LogDirScan.Entry> logs() throws IOException {
    List<LogDirScan.Entry> found = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(
            ledgerDirectory.resolve(CURRENT),
            path -> path.toString().endsWith(".log") && Files.isSymbolicLink(path))) {
      for (Path name : stream) {
        Path target = name.resolveSibling(Files.readSymbolicLink(name));
        if (identity.tiers().stream().noneMatch(tier -> folder(tier).equals(target.getParent()))) {
          throw new CommandFailure(
              name + " links to " + target + ", which is in no fast directory of it",
              "replace the link by its file first (nothing was changed)");
        }
        boolean there = Files.isRegularFile(target);
        found.add(
            new LogDirScan.Entry(
                CURRENT,
                name,
                target,
                there ? Files.size(target) : -1,
                there ? Files.getLastModifiedTime(target).toMillis() : 0));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private Path folder(TierRef tier) {
    return tier.segments(identity.id()).resolve(CURRENT);
  }

  /** Moves everything, then removes what has become empty. */
  void run(PrintWriter err) throws IOException {
    moves.run(err);
    for (TierRef tier : identity.tiers()) {
      Files.deleteIfExists(folder(tier).resolve("lastId")); // BookKeeper's, kept at home too
      removeIfEmpty(folder(tier));
      removeIfEmpty(tier.segments(identity.id()));
      removeIfEmpty(tier.quarantine(identity.id()));
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
