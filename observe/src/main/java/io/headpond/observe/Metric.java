// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One metric, declared once: an attribute of a bean, and a row of the reference page.
 *
 * @param <T> the thing that it is read from
 * @param attribute its name in JMX; a counter's ends with {@code -total}, and {@link Kind#TIMES}
 *     has an attribute for each of {@link LatencyFigures#NAMES}
 * @param description one sentence
 * @param value a {@link Double}, a {@link String} for {@link Kind#TEXT}, {@link Times} for {@link
 *     Kind#TIMES}
 */
public record Metric<T>(
    String attribute, Kind kind, String description, Function<T, Object> value) {
  private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  /** The behaviour of a value. */
  public enum Kind {
    COUNTER,
    GAUGE,
    /** Durations, shown as milliseconds of the last minute. */
    TIMES,
    /** A word; 1 with the word as a label in Prometheus. */
    TEXT;

    /** The kind on the reference page. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks the name. */
  public Metric {
    if (!ATTRIBUTE.matcher(attribute).matches()
        || attribute.endsWith("-total") != (kind == Kind.COUNTER)) {
      throw new IllegalArgumentException(attribute + ": not a name of a " + kind);
    }
    if (!description.endsWith(".")) {
      throw new IllegalArgumentException(attribute + " needs a sentence that describes it");
    }
  }
}
