// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.PersistBackend;
import io.headpond.store.migrate.MigrationPolicy;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed and checked configuration; see {@link ConfigKey} for the keys.
 *
 * <p>Keys without the prefix {@code headpond.} belong to the engine and are left alone, so that the
 * engine's own {@code server.properties} can be given. Immutable; any thread.
 */
public final class StoreConfig {
  /** More tiers than anyone has speeds of devices. */
  static final int TIERS_MAX = 8;

  /** Directories in one tier. */
  static final int PATHS_MAX = 64;

  /** Topics that have metrics of their own. */
  static final int TOPICS_MAX = 1_000;

  /** As long as Kafka waits between two looks at what to delete, by default. */
  private static final long SPARE_MS_MAX = Duration.ofMinutes(5).toMillis();

  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})\\s*(B|KiB|MiB|GiB|TiB)?");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  private final String source;
  private final List<TierConfig> tiers;
  private final List<Path> logDirs;
  private final DurabilityMode durability;
  private final Optional<PersistBackend> persist;
  private final Set<String> homeOnly;
  private final Duration quarantineGrace;
  private final Duration idle;
  private final boolean preallocate;
  private final MigrationPolicy migratePolicy;
  private final String migratePolicyName;
  private final Duration migrateHalfLife;
  private final int migrateThreads;
  private final long migrateBytesPerSecond;
  private final MigrateCache migrateCache;
  private final boolean migrateReadBack;
  private final HomeReserve homeReserve;
  private final Duration placementMaxAge;
  private final long engineRetentionMs;
  private final long engineSegmentBytes;
  private final int httpPort;
  private final String httpBind;
  private final int metricsTopics;
  private final SortedMap<String, String> given;

  private StoreConfig(final ConfigParser parser) throws ConfigException {
    source = parser.source();
    parser.refuseUnknownKeys();
    tiers = parser.tiers();
    logDirs = parser.logDirs();
    durability =
        parser.choice(ConfigKey.DURABILITY.name(), DurabilityMode.class, DurabilityMode.ENGINE);
    persist = parser.persist();
    homeOnly = Set.copyOf(parser.list(ConfigKey.HOME_ONLY.name(), "__cluster_metadata"));
    quarantineGrace = parser.duration(ConfigKey.QUARANTINE_GRACE.name(), Duration.ofDays(7));
    idle = parser.duration(ConfigKey.IDLE.name(), Duration.ofSeconds(30));
    preallocate = Boolean.parseBoolean(parser.text("log.preallocate", "false"));
    migrateHalfLife = parser.duration(ConfigKey.MIGRATE_HALF_LIFE.name(), Duration.ofMinutes(10));
    migratePolicyName = String.join(",", parser.policyNames());
    migratePolicy = parser.policy(migrateHalfLife);
    migrateThreads = (int) parser.number(ConfigKey.MIGRATE_THREADS.name(), 2, 1, 16);
    migrateBytesPerSecond = parser.rate(ConfigKey.MIGRATE_RATE.name());
    migrateCache =
        parser.choice(ConfigKey.MIGRATE_CACHE.name(), MigrateCache.class, MigrateCache.AUTO);
    migrateReadBack = parser.flag(ConfigKey.MIGRATE_READ_BACK.name());
    homeReserve = parser.reserve();
    placementMaxAge = parser.duration(ConfigKey.PLACEMENT_MAX_AGE.name(), Duration.ofHours(24));
    engineRetentionMs = parser.engineRetentionMs();
    engineSegmentBytes = parser.engineSegmentBytes();
    httpPort = (int) parser.number(ConfigKey.HTTP_PORT.name(), 0, 0, 65_535);
    httpBind = parser.address(ConfigKey.HTTP_BIND.name(), "127.0.0.1");
    metricsTopics = (int) parser.number(ConfigKey.METRICS_TOPICS.name(), 0, 0, TOPICS_MAX);
    given = parser.given();
    parser.refuseSharedDirectories(tiers, logDirs);
  }

  /**
   * Reads a configuration file in the format of {@link Properties}, UTF-8.
   *
   * @param file a path of the built-in file system
   * @throws ConfigException if the file can't be read or a key or value is refused
   */
  public static StoreConfig load(final Path file) throws ConfigException {
    final Properties properties = new Properties();
    try (Reader reader = new StringReader(Files.readString(file, StandardCharsets.UTF_8))) {
      properties.load(reader);
    } catch (final IOException | IllegalArgumentException e) {
      throw new ConfigException(file.toString(), "the configuration file can't be read: " + e, e);
    }
    return parse(properties, file.toString(), file.getFileSystem());
  }

  /**
   * Checks a configuration.
   *
   * @param properties all keys, the engine's too
   * @param source what error messages call it
   * @param fileSystem makes the paths; inside an engine the built-in file system
   * @throws ConfigException if a key or value is refused
   */
  public static StoreConfig parse(
      final Properties properties, final String source, final FileSystem fileSystem)
      throws ConfigException {
    return new StoreConfig(new ConfigParser(properties, source, fileSystem));
  }

  /** The source of the configuration. */
  public String source() {
    return source;
  }

  /** The tiers above home, fastest first. */
  public List<TierConfig> tiers() {
    return tiers;
  }

  /** The engine's log directories as configured, absolute. */
  public List<Path> logDirs() {
    return logDirs;
  }

  /** The promise of an append. */
  public DurabilityMode durability() {
    return durability;
  }

  /** The persist back end that the operator named. */
  public Optional<PersistBackend> persist() {
    return persist;
  }

  /** Topics whose segments stay home. */
  public Set<String> homeOnly() {
    return homeOnly;
  }

  /** The time that orphans are kept. */
  public Duration quarantineGrace() {
    return quarantineGrace;
  }

  /** The time after which an active segment counts as idle. */
  public Duration idle() {
    return idle;
  }

  /**
   * True if the engine's own {@code log.preallocate} is on. It then creates segments around the
   * plug-in, and those stay home.
   */
  public boolean preallocate() {
    return preallocate;
  }

  /** The policy that ranks segments. */
  public MigrationPolicy migratePolicy() {
    return migratePolicy;
  }

  /**
   * The policy's name in the configuration: {@code freshness}, {@code pinned,heat}, a class name.
   */
  public String migratePolicyName() {
    return migratePolicyName;
  }

  /** After this time a read counts half. */
  public Duration migrateHalfLife() {
    return migrateHalfLife;
  }

  /** The number of segments that move at once. */
  public int migrateThreads() {
    return migrateThreads;
  }

  /** The maximum rate of all moves together, bytes per second; negative: no limit. */
  public long migrateBytesPerSecond() {
    return migrateBytesPerSecond;
  }

  /** The use of the page cache by copies at home. */
  public MigrateCache migrateCache() {
    return migrateCache;
  }

  /** True if a copy is read again before it replaces its source. */
  public boolean migrateReadBack() {
    return migrateReadBack;
  }

  /** The maximum age of data that are placed in a tier; zero: any age. */
  public Duration placementMaxAge() {
    return placementMaxAge;
  }

  /**
   * The time that the engine keeps a segment after its last append, by its own keys in the same
   * file; negative: it isn't known, or for ever. A topic may have a setting of its own.
   */
  public long engineRetentionMs() {
    return engineRetentionMs;
  }

  /** The engine's maximum size of a segment, bytes; 0: it isn't known. */
  public long engineSegmentBytes() {
    return engineSegmentBytes;
  }

  /**
   * The limit of the engine's retention, milliseconds since 1970. What was last appended to before
   * it will soon be deleted: its space comes back without a move.
   */
  public long deletedSoonBeforeMs(final long nowMs) {
    return engineRetentionMs < 0
        ? Long.MIN_VALUE
        : nowMs - engineRetentionMs + Math.min(SPARE_MS_MAX, engineRetentionMs / 10);
  }

  /** The port of metrics and the live page; zero: they aren't served. */
  public int httpPort() {
    return httpPort;
  }

  /** The address, or a name of one, that the port listens at. */
  public String httpBind() {
    return httpBind;
  }

  /** The number of topics with metrics of their own; zero: nothing is counted by topic. */
  public int metricsTopics() {
    return metricsTopics;
  }

  /** The {@code headpond.} keys that the operator set, as they were written. */
  public SortedMap<String, String> given() {
    return given;
  }

  /** The reserve at home. */
  public HomeReserve homeReserve() {
    return homeReserve;
  }

  /**
   * Parses a size.
   *
   * @param text digits and one of B, KiB, MiB, GiB, TiB; no unit means bytes
   * @return bytes
   * @throws IllegalArgumentException if it is not of that form
   */
  public static long bytes(final String text) {
    final Matcher matcher = SIZE.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a size such as 64MiB or 600GiB");
    }
    final int shift =
        switch (matcher.group(2) == null ? "B" : matcher.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          case "TiB" -> 40;
          default -> 0;
        };
    final long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException("'" + text + "' is larger than any device");
    }
    return number << shift;
  }

  /**
   * Parses a duration.
   *
   * @param text digits and one of ms, s, m, h, d
   * @throws IllegalArgumentException if it is not of that form
   */
  public static Duration duration(final String text) {
    final Matcher matcher = DURATION.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a duration such as 20s or 7d");
    }
    final long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
