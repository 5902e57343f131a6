// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.store.facts.StoreFacts.Background;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The metrics of the threads that work beside an engine's. */
public final class BackgroundMetrics {
  private BackgroundMetrics() {}

  /** Adds them to a table. */
  public static <F> void addTo(
      final List<Metric<F>> all, final Function<F, Background> background) {
    all.add(
        metric(
            "background-failures",
            "headpond_background_failures",
            Kind.COUNTER,
            "Errors in background threads. The work was tried again.",
            facts -> background.apply(facts).failures()));
    all.add(
        metric(
            "background-dead-threads",
            "headpond_background_dead_threads",
            Kind.GAUGE,
            "Background threads that ended unexpectedly. Their work stops until the next start.",
            facts -> background.apply(facts).deadThreads()));
  }

  private static <F> Metric<F> metric(
      final String attribute,
      final String name,
      final Kind kind,
      final String description,
      final ToDoubleFunction<F> value) {
    return new Metric<>(
        Bean.PLUGIN,
        attribute,
        name,
        kind,
        Unit.NONE,
        List.of(),
        "0.1.0",
        description,
        facts -> List.of(Sample.of(value.applyAsDouble(facts))));
  }
}
