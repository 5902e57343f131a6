// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The metrics of things of which there are several, such as tiers: each has a value for each of
 * them.
 *
 * @param <F> the facts that they are read from
 * @param <T> one of the things
 * @param bean of each thing
 * @param labels the names of the labels that tell the things apart
 * @param since the first version that has the metrics
 * @param members the things now
 */
public record MetricGroup<F, T>(
    Bean bean, List<String> labels, String since, Function<F, Stream<Member<T>>> members) {

  /**
   * One of the things.
   *
   * @param labels their values
   */
  public record Member<T>(T thing, String... labels) {}

  /** The same things, for metrics that came with a later version. */
  public MetricGroup<F, T> since(final String version) {
    return new MetricGroup<>(bean, labels, version, members);
  }

  /** A value that goes up and down. */
  public Metric<F> gauge(
      final String attribute,
      final String name,
      final Unit unit,
      final String description,
      final ToDoubleFunction<T> value) {
    return metric(attribute, name, Kind.GAUGE, unit, description, value);
  }

  /** A value of a kind. */
  public Metric<F> metric(
      final String attribute,
      final String name,
      final Kind kind,
      final Unit unit,
      final String description,
      final ToDoubleFunction<T> value) {
    return samples(
        attribute,
        name,
        kind,
        unit,
        description,
        member -> Sample.of(value.applyAsDouble(member.thing()), member.labels()));
  }

  /** A value of a kind, as a sample. */
  public Metric<F> samples(
      final String attribute,
      final String name,
      final Kind kind,
      final Unit unit,
      final String description,
      final Function<Member<T>, Sample> sample) {
    return new Metric<>(
        bean,
        attribute,
        name,
        kind,
        unit,
        labels,
        since,
        description,
        facts -> members.apply(facts).map(sample).toList());
  }
}
