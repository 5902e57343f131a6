// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.store.ConfigException;
import io.headpond.store.ConfigKey;
import io.headpond.store.StoreConfig;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The parsed and checked {@link LedgerKeys}. Knows no class of BookKeeper.
 *
 * @param fast the fast directory of each ledger directory; both absolute
 * @param capacityBytes what entry logs may use in each of them; empty: what its file system has
 * @param threshold the used share that migration steers to; negative: nothing moves
 * @param bytesPerSecond what migration copies in a second at most; negative: no limit
 * @param readBack is a copy read again before it replaces its source?
 * @param quarantineGrace how long orphans are kept
 */
public record LedgerConfig(
    Map<Path, Path> fast,
    OptionalLong capacityBytes,
    double threshold,
    long bytesPerSecond,
    boolean readBack,
    Duration quarantineGrace) {
  /** What error messages call the place of the keys. */
  private static final String SOURCE = "the bookie's configuration";

  /** Less is of no use for a log and would only be a slip of the unit. */
  private static final long RATE_MIN = 1 << 20;

  /**
   * Checks the keys.
   *
   * @param keys those that begin with {@link LedgerKeys#PREFIX}, and their values
   * @param ledgerDirectories the bookie's {@code ledgerDirectories}, in their order
   * @throws ConfigException if a key or a value is refused
   */
  public static LedgerConfig parse(
      final Map<String, String> keys, final List<Path> ledgerDirectories) throws ConfigException {
    for (final String key : keys.keySet()) {
      if (LedgerKeys.ALL.stream().noneMatch(known -> known.name().equals(key))) {
        throw new ConfigException(
            SOURCE,
            key,
            "there is no such key; there are "
                + LedgerKeys.ALL.stream().map(ConfigKey::name).toList());
      }
    }
    return new LedgerConfig(
        fast(keys, ledgerDirectories),
        value(keys, LedgerKeys.FAST_CAPACITY, StoreConfig::bytes)
            .map(OptionalLong::of)
            .orElse(OptionalLong.empty()),
        value(keys, LedgerKeys.MIGRATE_THRESHOLD, LedgerConfig::threshold).orElse(0.5),
        value(keys, LedgerKeys.MIGRATE_RATE, LedgerConfig::rate).orElse(-1L),
        value(keys, LedgerKeys.MIGRATE_READ_BACK, LedgerConfig::flag).orElse(false),
        value(keys, LedgerKeys.QUARANTINE_GRACE, StoreConfig::duration).orElse(Duration.ofDays(7)));
  }

  private static Map<Path, Path> fast(
      final Map<String, String> keys, final List<Path> ledgerDirectories) throws ConfigException {
    final String key = LedgerKeys.FAST_DIRECTORIES.name();
    final FileSystem fileSystem = ledgerDirectories.get(0).getFileSystem(); // a bookie has one
    final List<Path> paths = new ArrayList<>();
    for (final String item : keys.getOrDefault(key, "").split(",")) {
      if (!item.isBlank()) {
        final Path path = fileSystem.getPath(item.trim()).normalize();
        if (!path.isAbsolute()) {
          throw new ConfigException(SOURCE, key, path + " is not an absolute path");
        }
        paths.add(path);
      }
    }
    if (paths.size() != ledgerDirectories.size()) {
      throw new ConfigException(
          SOURCE,
          key,
          "names "
              + paths.size()
              + " directories, but ledgerDirectories names "
              + ledgerDirectories.size()
              + "; name one fast directory for each of them, in their order");
    }
    refuseShared(key, paths, ledgerDirectories);
    final Map<Path, Path> fast = new HashMap<>();
    for (int i = 0; i < paths.size(); i++) {
      fast.put(ledgerDirectories.get(i).toAbsolutePath().normalize(), paths.get(i));
    }
    return Map.copyOf(fast);
  }

  private static void refuseShared(
      final String key, final List<Path> paths, final List<Path> ledgerDirectories)
      throws ConfigException {
    final List<Path> taken = new ArrayList<>();
    ledgerDirectories.forEach(directory -> taken.add(directory.toAbsolutePath().normalize()));
    for (final Path path : paths) {
      for (final Path other : taken) {
        if (path.startsWith(other) || other.startsWith(path)) {
          throw new ConfigException(
              SOURCE,
              key,
              path
                  + " is also (or lies in, or holds) "
                  + other
                  + ", which is a ledger directory or another fast directory; give each its own");
        }
      }
      taken.add(path);
    }
  }

  private static <T> Optional<T> value(
      final Map<String, String> keys, final ConfigKey key, final Function<String, T> parse)
      throws ConfigException {
    final String text = keys.get(key.name());
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse.apply(text.trim()));
    } catch (final IllegalArgumentException e) {
      throw new ConfigException(SOURCE, key.name(), e.getMessage());
    }
  }

  private static double threshold(final String text) {
    try {
      final double share = Double.parseDouble(text);
      if (share == -1 || share >= 0 && share <= 1) {
        return share;
      }
    } catch (final NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
    throw new IllegalArgumentException("'" + text + "' is neither 0 to 1 nor -1");
  }

  private static long rate(final String text) {
    if (text.equals("-1")) {
      return -1;
    }
    final long rate = StoreConfig.bytes(text);
    if (rate < RATE_MIN) {
      throw new IllegalArgumentException("must be -1 or at least " + RATE_MIN + " B");
    }
    return rate;
  }

  private static boolean flag(final String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("'" + text + "' is neither true nor false");
    }
    return text.equals("true");
  }
}
