// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigValues;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The parsed and checked {@link LedgerKeys}. Knows no class of BookKeeper.
 *
 * @param fast the fast directory of each ledger directory; both absolute
 * @param capacityBytes what entry logs may use in each of them; empty: what its file system has
 * @param threshold the used share that migration steers to; negative: nothing moves
 * @param bytesPerSecond what migration copies in a second at most; negative: no limit
 * @param homeBallastBytes what a file in each ledger directory takes, to be given back; 0: none
 */
public record LedgerConfig(
    Map<Path, Path> fast,
    OptionalLong capacityBytes,
    double threshold,
    long bytesPerSecond,
    long homeBallastBytes) {
  /** The place of the keys, in error messages. */
  private static final String SOURCE = "the bookie's configuration";

  /**
   * Checks the keys.
   *
   * @param keys those that begin with {@link LedgerKeys#PREFIX}, and their values
   * @param ledgerDirectories the bookie's {@code ledgerDirectories}, in their order
   * @throws ConfigException if a key or a value is refused
   */
  public static LedgerConfig parse(
      final Map<String, String> keys, final List<Path> ledgerDirectories) throws ConfigException {
    final ConfigValues values = new ConfigValues(keys, SOURCE);
    values.refuseOthersThan(LedgerKeys.ALL);
    return new LedgerConfig(
        fast(values, ledgerDirectories),
        values.get(LedgerKeys.FAST_CAPACITY),
        values.get(LedgerKeys.MIGRATE_THRESHOLD),
        values.get(LedgerKeys.MIGRATE_RATE),
        values.get(LedgerKeys.HOME_BALLAST));
  }

  /**
   * What is to be said of a capacity that a fast directory's file system hasn't got, if that is so.
   *
   * @param directory one that is there
   */
  public Optional<Words> tooLarge(final Path directory) throws IOException {
    final long capacity = capacityBytes.orElse(0);
    final long total = Files.getFileStore(directory).getTotalSpace();
    return total <= 0 || capacity <= total
        ? Optional.empty()
        : Optional.of(
            StartCodes.CAPACITY_TOO_LARGE.words(
                BookieCodes.ENTRY_LOGS,
                directory,
                capacity,
                total,
                LedgerKeys.FAST_CAPACITY.name()));
  }

  /**
   * Checks BookKeeper's own settings.
   *
   * @param on whether a key's value is true
   * @throws StoreRefusedException for one under which entry logs can't be placed
   */
  public static void refuseSettings(final Predicate<String> on) {
    refuse(on, "dbStorage_directIOEntryLogger", "it goes around the plug-in");
    refuse(
        on,
        "entryLogPerLedgerEnabled",
        "room for a whole entry log on the fast device is kept for each one that is written to");
  }

  private static void refuse(final Predicate<String> on, final String key, final String reason) {
    if (on.test(key)) {
      throw BookieCodes.STORAGE_SETTING.refusal(key, reason);
    }
  }

  private static Map<Path, Path> fast(final ConfigValues values, final List<Path> ledgerDirectories)
      throws ConfigException {
    final FileSystem fileSystem = ledgerDirectories.get(0).getFileSystem(); // a bookie has one
    final List<Path> paths = values.paths(LedgerKeys.FAST_DIRECTORIES, fileSystem);
    if (paths.size() != ledgerDirectories.size()) {
      throw values.refusal(
          LedgerKeys.FAST_DIRECTORIES,
          "names "
              + paths.size()
              + " directories, but ledgerDirectories names "
              + ledgerDirectories.size()
              + "; name one fast directory for each of them, in their order");
    }
    refuseShared(values, paths, ledgerDirectories);
    final Map<Path, Path> fast = new HashMap<>();
    for (int i = 0; i < paths.size(); i++) {
      final Path ledgers = ledgerDirectories.get(i).toAbsolutePath();
      fast.put(values.normal("ledgerDirectories", ledgers), paths.get(i));
    }
    return Map.copyOf(fast);
  }

  private static void refuseShared(
      final ConfigValues values, final List<Path> paths, final List<Path> ledgerDirectories)
      throws ConfigException {
    final List<Path> taken = new ArrayList<>();
    ledgerDirectories.forEach(directory -> taken.add(directory.toAbsolutePath().normalize()));
    for (final Path path : paths) {
      for (final Path other : taken) {
        if (path.startsWith(other) || other.startsWith(path)) {
          throw values.refusal(
              LedgerKeys.FAST_DIRECTORIES,
              path
                  + " is also (or lies in, or holds) "
                  + other
                  + ", which is a ledger directory or another fast directory; give each its own");
        }
      }
      taken.add(path);
    }
  }
}
