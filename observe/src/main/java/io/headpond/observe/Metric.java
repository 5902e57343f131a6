// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One metric, declared once: beans, scrapes and the reference page are made from it.
 *
 * @param <F> the facts that it is read from: of a store, or of another thing observed
 * @param bean where JMX shows it
 * @param attribute what JMX calls it there; a counter is followed by {@code -total} and {@code
 *     -rate}, a histogram by {@code -avg}, {@code -max}, {@code -p50}, {@code -p99}, {@code -p999}
 * @param name what Prometheus calls it, without {@code _total}; ends with the unit
 * @param labels names; the bean's key is the first of them, if it has one
 * @param since the first version that has it
 * @param description one sentence
 * @param reader its values now, from the facts; fewer than there could be where something has none
 */
public record Metric<F>(
    Bean bean,
    String attribute,
    String name,
    Kind kind,
    Unit unit,
    List<String> labels,
    String since,
    String description,
    Function<F, List<Sample>> reader) {
  private static final Pattern NAME = Pattern.compile("headpond(_[a-z0-9]+)+");
  private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  /** The behaviour of a value. */
  public enum Kind {
    COUNTER,
    GAUGE,
    HISTOGRAM;

    /** As it is written in a scrape. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The unit of a value. */
  public enum Unit {
    BYTES("bytes"),
    SECONDS("seconds"),
    RATIO("ratio"),
    /** Things, or yes and no as 1 and 0. */
    NONE("");

    private final String suffix;

    Unit(final String suffix) {
      this.suffix = suffix;
    }

    String suffix() {
      return suffix;
    }
  }

  /**
   * A kind of JMX bean, {@code io.headpond:type=...}.
   *
   * @param type its name
   * @param label the label that tells its instances apart; empty if there is one only
   */
  public record Bean(String type, String label) {
    static final Bean TIER = new Bean("Tier", "tier");
    static final Bean HOME = new Bean("Home", "log_dir");
    static final Bean TOPIC = new Bean("Topic", "topic");
    static final Bean APPEND = new Bean("Append", "");
    static final Bean MIGRATION = new Bean("Migration", "");
    static final Bean RECOVERY = new Bean("Recovery", "");
    static final Bean INCIDENTS = new Bean("Incidents", "");

    /** The plug-in itself, in every engine. */
    public static final Bean PLUGIN = new Bean("Plugin", "");
  }

  /** Checks the names. */
  public Metric {
    if (!NAME.matcher(name).matches() || !ATTRIBUTE.matcher(attribute).matches()) {
      throw new IllegalArgumentException(name + ", " + attribute + ": not a metric's name");
    }
    if (!unit.suffix().isEmpty() && !name.endsWith("_" + unit.suffix())) {
      throw new IllegalArgumentException(name + " must end with its unit, " + unit.suffix());
    }
    if (description.isBlank() || since.isBlank()) {
      throw new IllegalArgumentException(name + " needs a description, and since when it is there");
    }
    if (!bean.label().isEmpty() && !labels.get(0).equals(bean.label())) {
      throw new IllegalArgumentException(name + ": its first label must be " + bean.label());
    }
    labels = List.copyOf(labels);
  }

  /** The name of its lines in a scrape. */
  public String sampleName() {
    return kind == Kind.COUNTER ? name + "_total" : name;
  }
}
