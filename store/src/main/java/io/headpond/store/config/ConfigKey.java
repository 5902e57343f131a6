// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import io.headpond.store.migrate.Policies;
import io.headpond.store.migrate.TopicPatterns;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * One key of the configuration, declared once: parsing refuses a {@code headpond.} key that is not
 * in {@link #ALL}, and the reference page is made from it.
 *
 * @param name the key; {@code NAME} stands for a tier's name
 * @param type what a value looks like
 * @param standard the default, as an operator would write it
 * @param meaning one sentence
 * @param reader parses and checks a value
 * @param <T> the type of a parsed value
 */
public record ConfigKey<T>(
    String name, String type, String standard, String meaning, Reader<T> reader) {
  private static final String NONE = "none";
  private static final String REQUIRED = "required";
  private static final String TIER = "NAME";

  /** A name has one key. A record's own hash of all its parts takes microseconds until compiled. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /**
   * The parser of a key's value.
   *
   * @param <T> the type of a parsed value
   */
  @FunctionalInterface
  public interface Reader<T> {
    /** The value of {@code key}, or its default; refused if it makes no sense. */
    T read(ConfigValues values, ConfigKey<T> key) throws ConfigException;
  }

  private static Reader<Integer> number(final int min, final int max) {
    return (values, key) -> (int) values.number(key, min, max);
  }

  /** The tiers above home. */
  public static final ConfigKey<List<String>> TIERS =
      new ConfigKey<>(
          "headpond.tiers",
          "names, comma separated",
          NONE,
          "The tiers, fastest first. Home, the engine's own log directory, is always the last"
              + " place and isn't listed.",
          ConfigValues::list);

  /** A tier's directories. */
  public static final ConfigKey<List<String>> TIER_PATHS =
      new ConfigKey<>(
          "headpond.tier.NAME.paths",
          "absolute paths, comma separated",
          REQUIRED,
          "The tier's directories. Each should be on a device of its own. A new segment is"
              + " created in the emptiest.",
          ConfigValues::list);

  /** A tier's capacity. */
  public static final ConfigKey<OptionalLong> TIER_CAPACITY =
      new ConfigKey<>(
          "headpond.tier.NAME.capacity",
          "size (600GiB)",
          "what the file systems have, less 2 %",
          "Bytes that Headpond may use in all the tier's directories together.",
          (values, key) -> values.size(key, 1));

  /** A tier whose device may come back empty. */
  public static final ConfigKey<Boolean> TIER_EPHEMERAL =
      new ConfigKey<>(
          "headpond.tier.NAME.ephemeral",
          "true | false",
          "false",
          "true: the tier's device may come back empty, as a cloud's instance storage does. Then"
              + " 'headpond recover', run before each start, goes on without what it held, if"
              + " other replicas have it. Each directory must be the mount point of a file system"
              + " of its own.",
          ConfigValues::flag);

  /** True if a tier is to become empty. */
  public static final ConfigKey<Boolean> TIER_DRAINING =
      new ConfigKey<>(
          "headpond.tier.NAME.draining",
          "true | false",
          "false",
          "true: the tier becomes empty while the broker runs. No segment is created there or moves"
              + " up into it, and all that are there move in the background to the next place with"
              + " room. Once it is empty, remove its keys and restart.",
          ConfigValues::flag);

  /** Durability of an append. */
  public static final ConfigKey<DurabilityMode> DURABILITY =
      new ConfigKey<>(
          "headpond.durability",
          "engine | append",
          "engine",
          "engine: the engine's own promise, as without Headpond. append: each append is durable"
              + " when write returns, in every place.",
          (values, key) -> values.choice(key, DurabilityMode.class));

  /** The log directories. */
  public static final ConfigKey<List<String>> LOG_DIRS =
      new ConfigKey<>(
          "headpond.log.dirs",
          "absolute paths, comma separated",
          "log.dirs or log.dir of the same file",
          "The engine's log directories. They are compared by real path.",
          ConfigValues::list);

  /** Topics that stay home. */
  public static final ConfigKey<TopicPatterns> HOME_ONLY =
      new ConfigKey<>(
          "headpond.home.only",
          "topics, comma separated, * for any characters",
          "__cluster_metadata",
          "Topics whose segments are created at home and stay there, untouched by Headpond. When a"
              + " topic is added, its segments in a tier move home by themselves, sealed ones"
              + " first, whatever the tier's threshold. A list replaces the default: name"
              + " __cluster_metadata, too, unless it may be stored in a tier.",
          ConfigValues::topics);

  /** The used share that migration steers a tier to. */
  public static final ConfigKey<Double> TIER_THRESHOLD =
      new ConfigKey<>(
          "headpond.tier.NAME.migrate.threshold",
          "share of the capacity (0.5), or -1",
          "0.5",
          "The used share that migration aims at in each of the tier's directories. Above it the"
              + " coldest segments move down; well below it the hottest move up. -1: migration"
              + " leaves the tier alone.",
          ConfigValues::threshold);

  /** The policy that ranks segments. */
  public static final ConfigKey<String> MIGRATE_POLICY =
      new ConfigKey<>(
          "headpond.migrate.policy",
          String.join(" | ", Policies.names()) + " | a class name",
          Policies.names().get(0),
          "Which segments stay in fast tiers. " + Policies.meanings(),
          ConfigValues::text);

  /** The maximum age of segments in a tier. */
  public static final ConfigKey<Duration> MIGRATE_AGE =
      new ConfigKey<>(
          "headpond.migrate.age",
          "duration (1h)",
          "1h",
          "Policy age: time without an append after which a segment moves down.",
          ConfigValues::duration);

  /** Topics that stay up. */
  public static final ConfigKey<TopicPatterns> MIGRATE_PIN_UP =
      new ConfigKey<>(
          "headpond.migrate.pin.up",
          "topics, comma separated, * for any characters",
          NONE,
          "Topics whose segments don't move down while their tier works, whatever the policy says.",
          ConfigValues::topics);

  /** The maximum age of data that are placed in a tier. */
  public static final ConfigKey<Duration> PLACEMENT_MAX_AGE =
      new ConfigKey<>(
          "headpond.placement.max.age",
          "duration (24h); 0s: any",
          "24h",
          "A new segment is created at home if the newest record of the segment before it is"
              + " older than this. So a follower that catches up, or a partition that moves,"
              + " doesn't push new data out of the tiers.",
          ConfigValues::duration);

  /** The number of segments that move at once. */
  public static final ConfigKey<Integer> MIGRATE_THREADS =
      new ConfigKey<>(
          "headpond.migrate.threads",
          "number, 1 to 16",
          "2",
          "Segments that move at the same time.",
          number(1, 16));

  /** The rate of moves. */
  public static final ConfigKey<Long> MIGRATE_RATE =
      new ConfigKey<>(
          "headpond.migrate.bytes.per.second",
          "size (200MiB), or -1",
          "-1",
          "Most bytes that all moves together copy in a second. -1: as fast as the devices and"
              + " the engine's appends allow.",
          ConfigValues::rate);

  /** The reserve at home. */
  public static final ConfigKey<HomeReserve> HOME_RESERVE =
      new ConfigKey<>(
          "headpond.home.reserve",
          "share of the file system (5%) or size (20GiB)",
          "5%",
          "Space kept free at home for the engine's indexes and checkpoints. While a tier has"
              + " room, Headpond moves or creates nothing at home that would use it.",
          ConfigValues::reserve);

  /** The ballast at home. */
  public static final ConfigKey<Long> HOME_BALLAST =
      new ConfigKey<>(
          "headpond.home.ballast",
          "size (64MiB); 0: none",
          "64MiB",
          "Space that a file in each log directory really takes, at most 2 % of the file system."
              + " When home is full it is given back step by step, so that the engine's indexes"
              + " and checkpoints still have room while a tier takes the segments; an append for"
              + " whose index there is no room is refused. It is taken again when there is room."
              + " 0: home isn't watched.",
          ConfigValues::bytes);

  /** The bytes at home that are read ahead of consumers. */
  public static final ConfigKey<Long> READ_AHEAD =
      new ConfigKey<>(
          "headpond.read.ahead",
          "size (64MiB); 0: off",
          "64MiB",
          "Bytes of segments at home that are brought into the page cache ahead of the consumers"
              + " they are sent to, so that the engine's network threads don't wait for a slow"
              + " disk. Not for encrypted connections.",
          ConfigValues::bytes);

  /** The number of topics that are counted one by one. */
  public static final ConfigKey<Integer> METRICS_TOPICS =
      new ConfigKey<>(
          "headpond.metrics.topics",
          "number, 1 to 1000; 0: off",
          "0",
          "Number of topics with metrics of their own (bytes and segments by tier, appends,"
              + " reads, overflow), for headpond status --topics and JMX. All further"
              + " topics are counted together as (other).",
          number(0, StoreConfig.TOPICS_MAX));

  /** All keys, in the order of the reference page. */
  public static final List<ConfigKey<?>> ALL =
      List.of(
          TIERS,
          TIER_PATHS,
          TIER_CAPACITY,
          TIER_EPHEMERAL,
          TIER_DRAINING,
          DURABILITY,
          LOG_DIRS,
          HOME_ONLY,
          TIER_THRESHOLD,
          MIGRATE_POLICY,
          MIGRATE_AGE,
          MIGRATE_PIN_UP,
          PLACEMENT_MAX_AGE,
          MIGRATE_THREADS,
          MIGRATE_RATE,
          HOME_RESERVE,
          HOME_BALLAST,
          READ_AHEAD,
          METRICS_TOPICS);

  /** The key for one tier. */
  public ConfigKey<T> of(final String tier) {
    return new ConfigKey<>(name.replace(TIER, tier), type, standard, meaning, reader);
  }

  /** True if each tier has a key of its own. */
  boolean ofTier() {
    return name.contains(TIER);
  }

  /** True if there is a default. */
  boolean hasStandard() {
    return !standard.equals(NONE) && !standard.equals(REQUIRED);
  }
}
