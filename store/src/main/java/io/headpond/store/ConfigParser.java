// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.PersistBackend;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.Policies;
import io.headpond.store.migrate.PolicySettings;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the values of one configuration: each method checks what it reads, and refuses it by naming
 * source, key and reason.
 */
final class ConfigParser {
  private static final String PREFIX = "headpond.";
  private static final Pattern TIER_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
  private static final Pattern TIER_KEY = Pattern.compile("headpond\\.tier\\.([^.]+)\\.(.+)");

  private final Properties properties;
  private final String source;
  private final FileSystem fileSystem;

  ConfigParser(final Properties properties, final String source, final FileSystem fileSystem) {
    this.properties = properties;
    this.source = source;
    this.fileSystem = fileSystem;
  }

  /** The configuration's name in error messages. */
  String source() {
    return source;
  }

  String text(final String key, final String standard) {
    return properties.getProperty(key, standard).trim();
  }

  List<String> list(final String key, final String standard) {
    final Set<String> items = new LinkedHashSet<>();
    for (final String item : text(key, standard).split(",")) {
      if (!item.isBlank()) {
        items.add(item.trim());
      }
    }
    return List.copyOf(items);
  }

  void refuseUnknownKeys() throws ConfigException {
    final List<String> tierNames = list(ConfigKey.TIERS.name(), "");
    for (final String key : new TreeSet<>(properties.stringPropertyNames())) {
      if (!key.startsWith(PREFIX)) {
        continue;
      }
      final Matcher matcher = TIER_KEY.matcher(key);
      final String generic = matcher.matches() ? "headpond.tier.NAME." + matcher.group(2) : key;
      if (ConfigKey.ALL.stream().noneMatch(known -> known.name().equals(generic))) {
        throw new ConfigException(source, key, "this version has no such key");
      }
      if (matcher.matches() && !tierNames.contains(matcher.group(1))) {
        throw new ConfigException(
            source, key, "no tier '" + matcher.group(1) + "' in " + ConfigKey.TIERS.name());
      }
    }
  }

  List<TierConfig> tiers() throws ConfigException {
    final List<TierConfig> found = new ArrayList<>();
    for (final String name : list(ConfigKey.TIERS.name(), "")) {
      if (!TIER_NAME.matcher(name).matches() || "home".equals(name)) {
        throw new ConfigException(
            source,
            ConfigKey.TIERS.name(),
            "'" + name + "' is not a tier name (a-z, 0-9, '-', 1 to 32 characters, not 'home')");
      }
      found.add(
          new TierConfig(
              name,
              choice(ConfigKey.TIER_TYPE.of(name), TierType.class, TierType.AUTO),
              paths(ConfigKey.TIER_PATHS.of(name), ""),
              size(ConfigKey.TIER_CAPACITY.of(name), 1),
              size(ConfigKey.TIER_POOL.of(name), 0),
              threshold(ConfigKey.TIER_THRESHOLD.of(name))));
    }
    if (found.size() > StoreConfig.TIERS_MAX) {
      throw new ConfigException(
          source, ConfigKey.TIERS.name(), "more than " + StoreConfig.TIERS_MAX + " tiers");
    }
    for (final TierConfig tier : found) {
      if (tier.paths().isEmpty()) {
        throw new ConfigException(
            source, ConfigKey.TIER_PATHS.of(tier.name()), "the tier needs a directory");
      }
    }
    return List.copyOf(found);
  }

  List<Path> logDirs() throws ConfigException {
    String key = ConfigKey.LOG_DIRS.name();
    if (!properties.containsKey(key)) {
      key = properties.containsKey("log.dirs") ? "log.dirs" : "log.dir";
    }
    final List<Path> found = paths(key, "");
    if (found.isEmpty() && !list(ConfigKey.TIERS.name(), "").isEmpty()) {
      throw new ConfigException(
          source,
          ConfigKey.LOG_DIRS.name(),
          "no log directory: set it, or log.dirs, in the same file");
    }
    return found;
  }

  List<Path> paths(final String key, final String standard) throws ConfigException {
    final List<Path> found = new ArrayList<>();
    for (final String item : list(key, standard)) {
      try {
        final Path path = fileSystem.getPath(item);
        if (!path.isAbsolute() && key.startsWith(PREFIX)) {
          throw new ConfigException(source, key, "'" + item + "' is not an absolute path");
        }
        found.add(path.toAbsolutePath().normalize());
      } catch (final InvalidPathException e) {
        throw new ConfigException(source, key, "'" + item + "' is not a path: " + e.getReason());
      }
    }
    if (found.size() > StoreConfig.PATHS_MAX) {
      throw new ConfigException(source, key, "more than " + StoreConfig.PATHS_MAX + " directories");
    }
    return List.copyOf(found);
  }

  OptionalLong size(final String key, final long min) throws ConfigException {
    if (!properties.containsKey(key)) {
      return OptionalLong.empty();
    }
    try {
      final long bytes = StoreConfig.bytes(text(key, ""));
      if (bytes < min) {
        throw new ConfigException(source, key, "must be at least " + min + " B");
      }
      return OptionalLong.of(bytes);
    } catch (final IllegalArgumentException e) {
      throw new ConfigException(source, key, e.getMessage());
    }
  }

  Duration duration(final String key, final Duration standard) throws ConfigException {
    if (!properties.containsKey(key)) {
      return standard;
    }
    try {
      return StoreConfig.duration(text(key, ""));
    } catch (final IllegalArgumentException e) {
      throw new ConfigException(source, key, e.getMessage());
    }
  }

  /** As Kafka reads them: milliseconds before minutes before hours. */
  long engineRetentionMs() {
    final String[] keys = {"log.retention.ms", "log.retention.minutes", "log.retention.hours"};
    final TimeUnit[] units = {TimeUnit.MILLISECONDS, TimeUnit.MINUTES, TimeUnit.HOURS};
    for (int i = 0; i < keys.length; i++) {
      if (properties.containsKey(keys[i])) {
        try {
          return units[i].toMillis(Long.parseLong(text(keys[i], "")));
        } catch (final NumberFormatException e) {
          return -1; // the engine will say so
        }
      }
    }
    return -1;
  }

  /** By a key of our own, or by the engine's in the same file; 0: neither says it. */
  long engineSegmentBytes() throws ConfigException {
    final String key = ConfigKey.SEGMENT_BYTES.name();
    if (properties.containsKey(key)) {
      return size(key, 1).orElse(0);
    }
    try {
      return Math.max(0, Long.parseLong(text("log.segment.bytes", "0")));
    } catch (final NumberFormatException e) {
      return 0; // the engine will say so
    }
  }

  double threshold(final String key) throws ConfigException {
    final String value = text(key, "0.5");
    try {
      final double share = Double.parseDouble(value);
      if (share == -1 || share >= 0 && share <= 1) {
        return share;
      }
    } catch (final NumberFormatException e) {
      throw new ConfigException(source, key, "'" + value + "' is not a number");
    }
    throw new ConfigException(source, key, "'" + value + "' is neither 0 to 1 nor -1");
  }

  long number(final String key, final long standard, final long min, final long max)
      throws ConfigException {
    final String value = text(key, String.valueOf(standard));
    try {
      final long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (final NumberFormatException e) {
      throw new ConfigException(source, key, "'" + value + "' is not a whole number");
    }
    throw new ConfigException(source, key, "'" + value + "' is not " + min + " to " + max);
  }

  String address(final String key, final String standard) throws ConfigException {
    final String value = text(key, standard);
    if (value.isEmpty() || value.chars().anyMatch(Character::isWhitespace)) {
      throw new ConfigException(source, key, "'" + value + "' is not an address");
    }
    return value;
  }

  SortedMap<String, String> given() {
    final SortedMap<String, String> found = new TreeMap<>();
    for (final String key : properties.stringPropertyNames()) {
      if (key.startsWith(PREFIX)) {
        found.put(key, text(key, ""));
      }
    }
    return Collections.unmodifiableSortedMap(found);
  }

  long rate(final String key) throws ConfigException {
    return text(key, "-1").equals("-1") ? -1 : size(key, 1 << 20).orElse(-1);
  }

  boolean flag(final String key) throws ConfigException {
    final String value = text(key, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new ConfigException(source, key, "'" + value + "' is neither true nor false");
    }
    return value.equals("true");
  }

  HomeReserve reserve() throws ConfigException {
    final String key = ConfigKey.HOME_RESERVE.name();
    try {
      return HomeReserve.parse(text(key, HomeReserve.STANDARD.toString()));
    } catch (final IllegalArgumentException e) {
      throw new ConfigException(source, key, e.getMessage());
    }
  }

  List<String> policyNames() {
    return list(ConfigKey.MIGRATE_POLICY.name(), Policies.names().get(0));
  }

  MigrationPolicy policy(final Duration halfLife) throws ConfigException {
    final String key = ConfigKey.MIGRATE_POLICY.name();
    final PolicySettings settings =
        new PolicySettings(
            duration(ConfigKey.MIGRATE_AGE.name(), Duration.ofHours(1)),
            halfLife,
            list(ConfigKey.MIGRATE_PIN_UP.name(), ""),
            list(ConfigKey.MIGRATE_PIN_HOME.name(), ""));
    try {
      return Policies.of(policyNames(), settings);
    } catch (final IllegalArgumentException e) {
      throw new ConfigException(source, key, e.getMessage());
    }
  }

  <E extends Enum<E>> E choice(final String key, final Class<E> type, final E standard)
      throws ConfigException {
    final String value = text(key, standard.name());
    for (final E constant : type.getEnumConstants()) {
      if (constant.name().equals(value.toUpperCase(Locale.ROOT))) {
        return constant;
      }
    }
    final List<String> names = new ArrayList<>();
    for (final E constant : type.getEnumConstants()) {
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    throw new ConfigException(source, key, "'" + value + "' is none of " + names);
  }

  Optional<PersistBackend> persist() throws ConfigException {
    final String key = ConfigKey.PERSIST.name();
    if (!properties.containsKey(key)) {
      return Optional.empty();
    }
    return Optional.of(choice(key, PersistBackend.class, PersistBackend.NONE));
  }

  void refuseSharedDirectories(final List<TierConfig> tiers, final List<Path> logDirs)
      throws ConfigException {
    final Set<Path> taken = new LinkedHashSet<>();
    for (final Path logDir : logDirs) {
      taken.add(real(logDir));
    }
    for (final TierConfig tier : tiers) {
      final String key = ConfigKey.TIER_PATHS.of(tier.name());
      for (final Path path : tier.paths()) {
        final Path real = real(path);
        for (final Path other : taken) {
          if (real.startsWith(other) || other.startsWith(real)) {
            throw new ConfigException(
                source,
                key,
                path
                    + " is also (or lies in, or holds) "
                    + other
                    + ", which another tier or log directory uses; give each its own directory");
          }
        }
        taken.add(real);
      }
    }
  }

  /** The real path; of what isn't there yet, the real path of the directory that will hold it. */
  private static Path real(final Path path) {
    try {
      return path.toRealPath();
    } catch (final IOException notThereYet) {
      final Path parent = path.getParent();
      return parent == null ? path : real(parent).resolve(path.getFileName());
    }
  }
}
