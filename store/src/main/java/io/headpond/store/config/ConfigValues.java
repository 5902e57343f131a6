// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import io.headpond.store.migrate.TopicPatterns;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of a configuration. Each method checks the value that it reads, and refuses it by
 * naming source, key and reason. What isn't given is as {@link ConfigKey#standard} says. Immutable.
 */
public final class ConfigValues {
  /** Less is of no use for a rate, and would only be a slip of the unit. */
  private static final long RATE_MIN = 1 << 20;

  /** Less than that, but for none at all, is bytes only where it says so. */
  private static final long WITHOUT_UNIT_MIN = 1 << 20;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})\\s*(B|KiB|MiB|GiB|TiB)?");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  /** Directories in one tier. */
  static final int PATHS_MAX = 64;

  private final Map<String, String> given;
  private final String source;

  /**
   * A configuration.
   *
   * @param given values by key
   * @param source what error messages call it
   */
  public ConfigValues(final Map<String, String> given, final String source) {
    this.given = Map.copyOf(given);
    this.source = source;
  }

  /** The configuration's name in error messages. */
  String source() {
    return source;
  }

  /**
   * Refuses a key that isn't known.
   *
   * @throws ConfigException if there is one; it names those that are known
   */
  public void refuseOthersThan(final List<ConfigKey<?>> known) throws ConfigException {
    final List<String> names = known.stream().map(ConfigKey::name).toList();
    for (final String key : new TreeSet<>(given.keySet())) {
      if (!names.contains(key)) {
        throw new ConfigException(source, key, "there is no such key; there are " + names);
      }
    }
  }

  /** A refusal of a key's value. */
  public ConfigException refusal(final ConfigKey<?> key, final String reason) {
    return new ConfigException(source, key.name(), reason);
  }

  /** The value of an engine's own key, if it is given. */
  Optional<String> engines(final String key) {
    return Optional.ofNullable(given.get(key)).map(String::trim);
  }

  /** A value, if it is given. */
  private Optional<String> given(final ConfigKey<?> key) {
    return engines(key.name());
  }

  /** A value as its key reads it. */
  public <T> T get(final ConfigKey<T> key) throws ConfigException {
    return key.reader().read(this, key);
  }

  /** True if there is a value, though it be empty. */
  boolean isGiven(final ConfigKey<?> key) {
    return given(key).isPresent();
  }

  /** A value as it was written. */
  String text(final ConfigKey<?> key) {
    return given(key).orElse(key.standard());
  }

  private <T> T read(final ConfigKey<?> key, final Function<String, T> parse)
      throws ConfigException {
    try {
      return parse.apply(text(key));
    } catch (final IllegalArgumentException e) {
      throw refusal(key, e.getMessage());
    }
  }

  /** The parts of a value, apart by commas, each once; none if the key has no default either. */
  public List<String> list(final ConfigKey<?> key) {
    return items(given(key).orElse(key.hasStandard() ? key.standard() : ""));
  }

  /** Topics, apart by commas. */
  TopicPatterns topics(final ConfigKey<?> key) {
    return new TopicPatterns(list(key));
  }

  static List<String> items(final String text) {
    final Set<String> items = new LinkedHashSet<>();
    for (final String item : text.split(",")) {
      if (!item.isBlank()) {
        items.add(item.trim());
      }
    }
    return List.copyOf(items);
  }

  /** Absolute paths, apart by commas, each once. */
  public List<Path> paths(final ConfigKey<?> key, final FileSystem fileSystem)
      throws ConfigException {
    final List<Path> paths = new ArrayList<>();
    for (final String item : list(key)) {
      final Path path = path(key.name(), item, fileSystem);
      if (!path.isAbsolute()) {
        throw refusal(key, "'" + item + "' is not an absolute path");
      }
      paths.add(normal(key.name(), path));
    }
    refuseTooMany(key.name(), paths);
    return List.copyOf(paths);
  }

  /**
   * A path without {@code .} and {@code ..}, by which other programs must find the same directory.
   *
   * @param path absolute
   * @throws ConfigException if it is another one: behind a symbolic link {@code ..} is the parent
   *     of what that leads to
   */
  public Path normal(final String key, final Path path) throws ConfigException {
    final Path normal = path.normalize();
    if (!normal.equals(path) && !real(path).equals(real(normal))) {
      throw new ConfigException(
          source,
          key,
          "'" + path + "' has '..' behind a symbolic link, and is " + real(path) + "; write that");
    }
    return normal;
  }

  /** The real path; of what isn't there yet, the real path of the directory that will hold it. */
  static Path real(final Path path) {
    try {
      return path.toRealPath();
    } catch (final IOException notThereYet) {
      final Path parent = path.getParent();
      return parent == null ? path : real(parent).resolve(path.getFileName()).normalize();
    }
  }

  void refuseTooMany(final String key, final List<Path> paths) throws ConfigException {
    if (paths.size() > PATHS_MAX) {
      throw new ConfigException(source, key, "more than " + PATHS_MAX + " directories");
    }
  }

  Path path(final String key, final String item, final FileSystem fileSystem)
      throws ConfigException {
    try {
      return fileSystem.getPath(item);
    } catch (final InvalidPathException e) {
      throw new ConfigException(source, key, "'" + item + "' is not a path: " + e.getReason());
    }
  }

  /** Bytes; a key with a default. */
  public long bytes(final ConfigKey<?> key) throws ConfigException {
    return read(key, ConfigValues::bytes);
  }

  /** Bytes, if they are given. */
  public OptionalLong size(final ConfigKey<?> key, final long min) throws ConfigException {
    if (!isGiven(key)) {
      return OptionalLong.empty();
    }
    final long bytes = read(key, ConfigValues::bytes);
    if (bytes < min) {
      throw refusal(key, "must be at least " + min + " B");
    }
    return OptionalLong.of(bytes);
  }

  /** Bytes per second; -1: no limit. */
  public long rate(final ConfigKey<?> key) throws ConfigException {
    if (text(key).equals("-1")) {
      return -1;
    }
    final long rate = read(key, ConfigValues::bytes);
    if (rate < RATE_MIN) {
      throw refusal(key, "must be -1 or at least " + RATE_MIN + " B");
    }
    return rate;
  }

  /** A time. */
  public Duration duration(final ConfigKey<?> key) throws ConfigException {
    return read(key, ConfigValues::duration);
  }

  /** A share, 0 to 1, or -1. */
  public double threshold(final ConfigKey<?> key) throws ConfigException {
    return read(key, ConfigValues::share);
  }

  private static double share(final String text) {
    try {
      final double share = Double.parseDouble(text);
      if (share == -1 || share >= 0 && share <= 1) {
        return share;
      }
    } catch (final NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a share such as 0.5", e);
    }
    throw new IllegalArgumentException("'" + text + "' is neither a share, 0 to 1, nor -1");
  }

  /** A whole number. */
  public long number(final ConfigKey<?> key, final long min, final long max)
      throws ConfigException {
    final String text = text(key);
    try {
      final long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (final NumberFormatException e) {
      throw refusal(key, "'" + text + "' is not a whole number");
    }
    throw refusal(key, "'" + text + "' is not " + min + " to " + max);
  }

  /** Yes or no. */
  public boolean flag(final ConfigKey<?> key) throws ConfigException {
    final String text = text(key);
    if (!text.equals("true") && !text.equals("false")) {
      throw refusal(key, "'" + text + "' is neither true nor false");
    }
    return text.equals("true");
  }

  /** One of the constants, by their names in any case. */
  <E extends Enum<E>> E choice(final ConfigKey<?> key, final Class<E> type) throws ConfigException {
    final String text = text(key);
    final List<String> names = new ArrayList<>();
    for (final E constant : type.getEnumConstants()) {
      if (constant.name().equals(text.toUpperCase(Locale.ROOT))) {
        return constant;
      }
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    throw refusal(key, "'" + text + "' is none of " + names);
  }

  HomeReserve reserve(final ConfigKey<?> key) throws ConfigException {
    return read(key, HomeReserve::parse);
  }

  /**
   * Parses a size.
   *
   * @param text digits and one of B, KiB, MiB, GiB, TiB; 0, and a number of a mebibyte or more, are
   *     bytes without a unit, too
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
    if (matcher.group(2) == null && number > 0 && number < WITHOUT_UNIT_MIN) {
      throw new IllegalArgumentException(
          "'" + text + "' has no unit: write it as 64MiB or 600GiB, or with B if it means bytes");
    }
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
