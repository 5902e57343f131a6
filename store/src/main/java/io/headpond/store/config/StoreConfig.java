// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.TopicPatterns;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The parsed and checked configuration; see {@link ConfigKey} for the keys.
 *
 * <p>Keys without the prefix {@code headpond.} belong to the engine and are left alone, so that the
 * engine's own {@code server.properties} can be given. Immutable; any thread.
 */
public final class StoreConfig {
  /** More tiers than anyone has speeds of devices. */
  static final int TIERS_MAX = 8;

  /** Topics that have metrics of their own. */
  static final int TOPICS_MAX = 1_000;

  /** As long as Kafka waits between two looks at what to delete, by default. */
  private static final long SPARE_MS_MAX = Duration.ofMinutes(5).toMillis();

  private final String source;
  private final Map<ConfigKey<?>, Object> values = new HashMap<>();
  private final List<TierConfig> tiers;
  private final List<Path> logDirs;
  private final MigrationPolicy migratePolicy;
  private final long engineRetentionMs;
  private final long engineSegmentBytes;
  private final SortedMap<String, String> given;
  private final boolean engineHasRoles;
  private final Internals internals;

  private StoreConfig(final ConfigParser parser, final Internals internals) throws ConfigException {
    this.internals = internals;
    final ConfigValues read = parser.values();
    source = read.source();
    final ConfigProblems problems = new ConfigProblems(source);
    parser.unknownKeys(problems);
    tiers = parser.tiers(problems);
    logDirs = problems.read(parser::logDirs, List.of());
    for (final ConfigKey<?> key : ConfigKey.ALL) {
      if (!key.ofTier()) {
        values.put(key, problems.read(read, key));
      }
    }
    migratePolicy = problems.read(parser::policy, segment -> 0);
    engineRetentionMs = parser.engineRetentionMs();
    engineSegmentBytes = parser.engineSegmentBytes();
    given = parser.given();
    engineHasRoles = parser.engineHasRoles();
    if (problems.none()) {
      problems.read(
          () -> {
            parser.refuseSharedDirectories(tiers, logDirs);
            return null;
          },
          null);
    }
    problems.refuse();
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
    } catch (final NoSuchFileException e) {
      throw new ConfigException(
          file.toString(),
          "there is no such configuration file; check its path" + cutAtBlank(file),
          e);
    } catch (final AccessDeniedException e) {
      throw new ConfigException(
          file.toString(), "this user has no right to read the configuration file", e);
    } catch (final CharacterCodingException e) {
      throw new ConfigException(
          file.toString(),
          "it is no UTF-8 text, though perhaps in a comment alone: save it as UTF-8, with \\u00fc and"
              + " the like in the engine's own keys, or give Headpond's keys a file of their own",
          e);
    } catch (final IOException | IllegalArgumentException e) {
      throw new ConfigException(file.toString(), "the configuration file can't be read: " + e, e);
    }
    return parse(properties, file.toString(), file.getFileSystem());
  }

  /**
   * What to do if a name there goes on with a blank where this one ends, as half a sentence:
   * Kafka's scripts hand the words of KAFKA_OPTS on one by one, and no quotes keep them together.
   */
  private static String cutAtBlank(final Path file) {
    final Path folder = file.toAbsolutePath().getParent();
    final Path name = file.getFileName();
    if (folder == null || name == null) {
      return "";
    }
    try (DirectoryStream<Path> longer =
        Files.newDirectoryStream(
            folder, each -> each.getFileName().toString().startsWith(name + " "))) {
      for (final Path each : longer) {
        return " ("
            + each
            + " is there: KAFKA_OPTS can't have a path with a blank, JDK_JAVA_OPTIONS can, in"
            + " quotes)";
      }
      return "";
    } catch (final IOException | DirectoryIteratorException notThere) {
      return "";
    }
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
    return parse(properties, source, fileSystem, Internals.ofSystem());
  }

  /** As the other, with a test's own internal values. */
  public static StoreConfig parse(
      final Properties properties,
      final String source,
      final FileSystem fileSystem,
      final Internals internals)
      throws ConfigException {
    return new StoreConfig(new ConfigParser(properties, source, fileSystem), internals);
  }

  /** The values that no operator sets. */
  public Internals internals() {
    return internals;
  }

  /**
   * The value of a key.
   *
   * @param key of {@link ConfigKey#ALL}, and none that each tier has
   */
  @SuppressWarnings("unchecked") // put by the key's own reader
  public <T> T get(final ConfigKey<T> key) {
    return (T) values.get(key);
  }

  /** The source of the configuration. */
  public String source() {
    return source;
  }

  /** The tiers above home, fastest first. */
  public List<TierConfig> tiers() {
    return tiers;
  }

  /** The directories of all of them. */
  public Stream<Path> tierPaths() {
    return tiers.stream().flatMap(tier -> tier.paths().stream());
  }

  /** The engine's log directories as configured, absolute. */
  public List<Path> logDirs() {
    return logDirs;
  }

  /** The promise of an append. */
  public DurabilityMode durability() {
    return get(ConfigKey.DURABILITY);
  }

  /** Topics whose segments stay home. */
  public TopicPatterns homeOnly() {
    return get(ConfigKey.HOME_ONLY);
  }

  /** The policy that ranks segments. */
  public MigrationPolicy migratePolicy() {
    return migratePolicy;
  }

  /** The policy's name in the configuration: {@code freshness}, a class name. */
  public String migratePolicyName() {
    return get(ConfigKey.MIGRATE_POLICY);
  }

  /** The number of segments that move at once. */
  public int migrateThreads() {
    return get(ConfigKey.MIGRATE_THREADS);
  }

  /** The maximum rate of all moves together, bytes per second; negative: no limit. */
  public long migrateBytesPerSecond() {
    return get(ConfigKey.MIGRATE_RATE);
  }

  /** The maximum age of data that are placed in a tier; zero: any age. */
  public Duration placementMaxAge() {
    return get(ConfigKey.PLACEMENT_MAX_AGE);
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

  /** The number of topics with metrics of their own; zero: nothing is counted by topic. */
  public int metricsTopics() {
    return get(ConfigKey.METRICS_TOPICS);
  }

  /** The {@code headpond.} keys that the operator set, as they were written. */
  public SortedMap<String, String> given() {
    return given;
  }

  /**
   * True if the same file has {@code process.roles}: it is Kafka's, and that needs no ZooKeeper.
   */
  public boolean engineHasRoles() {
    return engineHasRoles;
  }

  /** The reserve at home. */
  public HomeReserve homeReserve() {
    return get(ConfigKey.HOME_RESERVE);
  }

  /** The bytes at home that are read ahead of consumers, at most; 0: none. */
  public long readAheadBytes() {
    return get(ConfigKey.READ_AHEAD);
  }

  /** The space at home that is given back when there is no more; 0: none. */
  public long homeBallastBytes() {
    return get(ConfigKey.HOME_BALLAST);
  }
}
