// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The metrics of one kind of thing, such as tiers. Each thing has a bean, {@code
 * io.headpond:type=Tier,tier=pmem}; its values come from the facts. The Prometheus JMX exporter
 * calls an attribute {@code headpond_tier_capacity_bytes{tier="pmem"}}.
 *
 * @param <F> the facts
 * @param <T> one of the things
 */
public final class MetricGroup<F, T> {
  private final String type;
  private final List<String> keys;
  private final Function<F, Stream<Member<T>>> members;
  private final List<Metric<T>> metrics = new ArrayList<>();

  /**
   * One of the things.
   *
   * @param labels the values of the keys that tell it from the others
   */
  public record Member<T>(T thing, String... labels) {}

  private MetricGroup(
      final String type, final List<String> keys, final Function<F, Stream<Member<T>>> members) {
    this.type = type;
    this.keys = keys;
    this.members = members;
  }

  /**
   * A group without metrics yet, of things that these keys of their beans tell apart.
   *
   * @param type of the beans
   * @param members the things now
   */
  public static <F, T> MetricGroup<F, T> of(
      final String type, final List<String> keys, final Function<F, Stream<Member<T>>> members) {
    return new MetricGroup<>(type, keys, members);
  }

  /** A group without metrics yet, of a thing that there is one of. */
  public static <F, T> MetricGroup<F, T> single(final String type, final Function<F, T> thing) {
    return of(type, List.of(), facts -> Stream.of(new Member<>(thing.apply(facts))));
  }

  /** Adds a value that goes up and down. */
  public MetricGroup<F, T> gauge(
      final String attribute, final String description, final ToDoubleFunction<T> value) {
    return add(attribute, Kind.GAUGE, description, value::applyAsDouble);
  }

  /** Adds a value that only rises; its name ends with {@code -total}. */
  public MetricGroup<F, T> counter(
      final String attribute, final String description, final ToDoubleFunction<T> value) {
    return add(attribute, Kind.COUNTER, description, value::applyAsDouble);
  }

  /** Adds durations. */
  public MetricGroup<F, T> times(
      final String attribute, final String description, final Function<T, Times> value) {
    return add(attribute, Kind.TIMES, description, value::apply);
  }

  /** Adds a word. */
  public MetricGroup<F, T> text(
      final String attribute, final String description, final Function<T, String> value) {
    return add(attribute, Kind.TEXT, description, value::apply);
  }

  private MetricGroup<F, T> add(
      final String attribute,
      final Kind kind,
      final String description,
      final Function<T, Object> value) {
    metrics.add(new Metric<>(attribute, kind, description, value));
    return this;
  }

  /** The type of the beans. */
  public String type() {
    return type;
  }

  /** The keys that tell the beans apart. */
  public List<String> keys() {
    return keys;
  }

  /** The metrics, in the order of the reference page. */
  public List<Metric<T>> metrics() {
    return List.copyOf(metrics);
  }

  /** Adds the current values of all beans, by attribute. */
  void read(final F facts, final Map<ObjectName, Map<String, Reading>> beans)
      throws MalformedObjectNameException {
    for (final Member<T> member : members.apply(facts).toList()) {
      final Map<String, Reading> readings =
          beans.computeIfAbsent(name(member.labels()), unknown -> new LinkedHashMap<>());
      for (final Metric<T> metric : metrics) {
        final Object value = metric.value().apply(member.thing());
        readings.put(metric.attribute(), new Reading(metric.description(), value));
      }
    }
  }

  private ObjectName name(final String... labels) throws MalformedObjectNameException {
    final StringBuilder name = new StringBuilder("io.headpond:type=").append(type);
    for (int i = 0; i < labels.length; i++) {
      final boolean plain = labels[i].chars().noneMatch(c -> ",=:*?\"\n".indexOf(c) >= 0);
      name.append(',').append(keys.get(i)).append('=');
      name.append(plain ? labels[i] : ObjectName.quote(labels[i]));
    }
    return new ObjectName(name.toString());
  }
}
