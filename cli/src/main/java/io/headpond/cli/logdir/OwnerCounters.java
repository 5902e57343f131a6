// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.facts.Count;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Properties;

/** The counters that the owner of the tiers publishes in {@code .headpond.live}. */
public final class OwnerCounters {
  /** The file's name, in the first directory of the first tier that is used; else at home. */
  static final String FILE = ".headpond.live";

  /** Later than any clock says. */
  private static final long MILLISECONDS_MOST = 1L << 60;

  private final Properties properties;

  OwnerCounters(Properties properties) {
    this.properties = properties;
  }

  /** The newest of those that lie in these tier directories. */
  public static Optional<OwnerCounters> newest(Collection<Path> tierDirectories)
      throws IOException {
    OwnerCounters newest = null;
    for (Path directory : tierDirectories) {
      Properties properties = new Properties();
      try (Reader in =
          Files.newBufferedReader(directory.resolve(FILE), StandardCharsets.ISO_8859_1)) {
        properties.load(in);
      } catch (AccessDeniedException e) {
        throw e; // another user may read it
      } catch (IOException | IllegalArgumentException missingOrDamaged) {
        continue; // it says nothing; its owner writes it anew, or elsewhere, while it lives
      }
      OwnerCounters found = new OwnerCounters(properties);
      if (newest == null || found.sequence() > newest.sequence()) {
        newest = found;
      }
    }
    return Optional.ofNullable(newest);
  }

  /** Grows from file to file, also when the clock is set back. */
  private long sequence() {
    return find("sequence").orElse(updatedMs());
  }

  /** A counter; 0 if this owner doesn't publish it. */
  public long get(String key) {
    return find(key).orElse(0);
  }

  /** A count; 0 if this owner doesn't publish it. */
  public long get(Count count) {
    return get(count.key());
  }

  /** All counts; 0 where this owner doesn't publish one. */
  Map<Count, Long> counts() {
    Map<Count, Long> counts = new EnumMap<>(Count.class);
    for (Count each : Count.values()) {
      counts.put(each, get(each));
    }
    return counts;
  }

  /** One of the whole numbers, apart by spaces, of a key; 0 if this owner doesn't publish it. */
  long column(String key, int index) {
    String[] columns = text(key).split(" ");
    try {
      return index < columns.length ? Long.parseLong(columns[index]) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** All keys that begin with a prefix. */
  List<String> keys(String prefix) {
    return properties.stringPropertyNames().stream().filter(k -> k.startsWith(prefix)).toList();
  }

  /** A text; empty if this owner doesn't publish it. */
  String text(String key) {
    return properties.getProperty(key, "").trim();
  }

  /** A share, if this owner publishes it. */
  OptionalDouble share(String key) {
    try {
      String value = text(key);
      double share = value.isEmpty() ? Double.NaN : Double.parseDouble(value);
      return Double.isFinite(share) ? OptionalDouble.of(share) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** All bytes that were appended, whatever protected them. */
  long appendedBytes() {
    return Count.appendedBytes(counts());
  }

  /** The time of the last change of a counter, milliseconds since 1970. */
  long updatedMs() {
    return get("updated.ms");
  }

  /** The file may be damaged: an impossible figure is none. */
  private static OptionalLong plausible(String key, long value) {
    boolean negative = value < 0 && !key.endsWith(".threshold.bytes");
    boolean noTime = value > MILLISECONDS_MOST && key.endsWith(".ms");
    return negative || noTime ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** A counter, if this owner publishes it. */
  public OptionalLong find(String key) {
    String value = properties.getProperty(key);
    try {
      return value == null ? OptionalLong.empty() : plausible(key, Long.parseLong(value.trim()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
