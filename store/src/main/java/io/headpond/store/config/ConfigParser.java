// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.Policies;
import io.headpond.store.migrate.PolicySettings;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parts of a broker's configuration that are more than one value each. */
final class ConfigParser {
  private static final String PREFIX = "headpond.";
  private static final Pattern TIER_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
  private static final Pattern TIER_KEY = Pattern.compile("[^.]+\\.tier\\.([^.]+)\\.(.+)");

  private final ConfigValues values;
  private final SortedMap<String, String> given;
  private final Set<String> engines;
  private final FileSystem fileSystem;

  ConfigParser(final Properties properties, final String source, final FileSystem fileSystem) {
    final SortedMap<String, String> all = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
    values = new ConfigValues(all, source);
    given = new TreeMap<>(all);
    given.keySet().removeIf(key -> !key.startsWith(PREFIX));
    engines = new TreeSet<>(all.keySet());
    engines.removeAll(given.keySet());
    given.replaceAll((key, value) -> value.trim());
    this.fileSystem = fileSystem;
  }

  /** All values. */
  ConfigValues values() {
    return values;
  }

  void unknownKeys(final ConfigProblems problems) {
    final List<String> known = ConfigKey.ALL.stream().map(ConfigKey::name).toList();
    final List<String> tierNames = values.list(ConfigKey.TIERS);
    for (final String key : given.keySet()) {
      final Matcher matcher = TIER_KEY.matcher(key);
      final String generic = matcher.matches() ? "headpond.tier.NAME." + matcher.group(2) : key;
      if (!known.contains(generic)) {
        problems.add(unknown(key, NearestKey.of(key, named(known, tierNames, matcher))));
      } else if (matcher.matches() && !tierNames.contains(matcher.group(1))) {
        problems.add(
            new ConfigException(
                values.source(),
                key,
                "no tier '" + matcher.group(1) + "' in " + ConfigKey.TIERS.name()));
      }
    }
    // The engine would say nothing of one whose prefix is mistyped.
    for (final String key : engines) {
      final String lower = key.toLowerCase(Locale.ROOT);
      NearestKey.of(lower, named(known, tierNames, TIER_KEY.matcher(lower)))
          .ifPresent(meant -> problems.add(unknown(key, Optional.of(meant))));
    }
  }

  private ConfigException unknown(final String key, final Optional<String> meant) {
    return new ConfigException(
        values.source(),
        key,
        "this version has no such key"
            + meant.map(name -> "; the nearest one is " + name).orElse(""));
  }

  /** The keys with the names of tiers: those that are configured, and that of a typed key. */
  private static List<String> named(
      final List<String> keys, final List<String> tiers, final Matcher typed) {
    final Set<String> names = new LinkedHashSet<>(tiers);
    if (typed.matches()) {
      names.add(typed.group(1));
    }
    return keys.stream()
        .flatMap(
            key ->
                key.startsWith("headpond.tier.NAME.")
                    ? names.stream().map(name -> key.replace("NAME", name))
                    : Stream.of(key))
        .toList();
  }

  List<TierConfig> tiers(final ConfigProblems problems) throws ConfigException {
    final List<TierConfig> found = new ArrayList<>();
    for (final String name : values.list(ConfigKey.TIERS)) {
      if (TIER_NAME.matcher(name).matches() && !"home".equals(name)) {
        found.add(tier(name, problems));
      } else {
        problems.add(
            values.refusal(
                ConfigKey.TIERS,
                "'"
                    + name
                    + "' is not a tier name (a-z, 0-9, '-', 1 to 32 characters, not"
                    + " 'home')"));
      }
    }
    if (found.size() > StoreConfig.TIERS_MAX) {
      problems.add(
          values.refusal(ConfigKey.TIERS, "more than " + StoreConfig.TIERS_MAX + " tiers"));
    }
    return List.copyOf(found);
  }

  private TierConfig tier(final String name, final ConfigProblems problems) throws ConfigException {
    return new TierConfig(
        name,
        problems.read(() -> tierPaths(name), List.of()),
        problems.read(values, ConfigKey.TIER_CAPACITY.of(name)),
        problems.read(values, ConfigKey.TIER_EPHEMERAL.of(name)),
        problems.read(values, ConfigKey.TIER_DRAINING.of(name)),
        problems.read(values, ConfigKey.TIER_THRESHOLD.of(name)));
  }

  private List<Path> tierPaths(final String name) throws ConfigException {
    final ConfigKey<List<String>> key = ConfigKey.TIER_PATHS.of(name);
    final List<Path> paths = values.paths(key, fileSystem);
    if (paths.isEmpty()) {
      throw values.refusal(key, "the tier needs a directory");
    }
    return paths;
  }

  /** By a key of our own, or by the engine's in the same file, whose paths may be relative. */
  List<Path> logDirs() throws ConfigException {
    final List<Path> found = new ArrayList<>();
    if (values.isGiven(ConfigKey.LOG_DIRS)) {
      found.addAll(values.paths(ConfigKey.LOG_DIRS, fileSystem));
    } else {
      final String key = values.engines("log.dirs").isPresent() ? "log.dirs" : "log.dir";
      for (final String item : ConfigValues.items(values.engines(key).orElse(""))) {
        found.add(values.normal(key, values.path(key, item, fileSystem).toAbsolutePath()));
      }
      values.refuseTooMany(key, found);
    }
    if (found.isEmpty() && !values.list(ConfigKey.TIERS).isEmpty()) {
      throw values.refusal(
          ConfigKey.LOG_DIRS, "no log directory: set it, or log.dirs, in the same file");
    }
    return List.copyOf(found);
  }

  /** As Kafka reads them: milliseconds before minutes before hours. */
  long engineRetentionMs() {
    final String[] keys = {"log.retention.ms", "log.retention.minutes", "log.retention.hours"};
    final TimeUnit[] units = {TimeUnit.MILLISECONDS, TimeUnit.MINUTES, TimeUnit.HOURS};
    for (int i = 0; i < keys.length; i++) {
      final Optional<String> value = values.engines(keys[i]);
      if (value.isPresent()) {
        try {
          return units[i].toMillis(Long.parseLong(value.get()));
        } catch (final NumberFormatException e) {
          return -1; // the engine will say so
        }
      }
    }
    return -1;
  }

  /** By the engine's key in the same file; 0: it isn't there. */
  long engineSegmentBytes() {
    try {
      return Math.max(0, Long.parseLong(values.engines("log.segment.bytes").orElse("0")));
    } catch (final NumberFormatException e) {
      return 0; // the engine will say so
    }
  }

  boolean engineHasRoles() {
    return values.engines("process.roles").isPresent();
  }

  SortedMap<String, String> given() {
    return Collections.unmodifiableSortedMap(given);
  }

  MigrationPolicy policy() throws ConfigException {
    final PolicySettings settings = new PolicySettings(values.get(ConfigKey.MIGRATE_AGE));
    try {
      return Policies.of(
          values.get(ConfigKey.MIGRATE_POLICY), settings, values.get(ConfigKey.MIGRATE_PIN_UP));
    } catch (final IllegalArgumentException e) {
      throw values.refusal(ConfigKey.MIGRATE_POLICY, e.getMessage());
    }
  }

  void refuseSharedDirectories(final List<TierConfig> tiers, final List<Path> logDirs)
      throws ConfigException {
    final Set<Path> taken = new LinkedHashSet<>();
    for (final Path logDir : logDirs) {
      taken.add(ConfigValues.real(logDir));
    }
    for (final TierConfig tier : tiers) {
      final ConfigKey<?> key = ConfigKey.TIER_PATHS.of(tier.name());
      for (final Path path : tier.paths()) {
        final Path real = ConfigValues.real(path);
        for (final Path other : taken) {
          if (real.startsWith(other) || other.startsWith(real)) {
            throw values.refusal(
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
}
