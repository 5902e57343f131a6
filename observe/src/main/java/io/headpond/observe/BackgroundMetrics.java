// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.StoreFacts.Background;
import java.util.function.Function;

/** The metrics of Headpond's own threads. */
public final class BackgroundMetrics {
  private BackgroundMetrics() {}

  /** The metrics of the threads that these facts tell of. */
  public static <F> MetricGroup<F, Background> of(final Function<F, Background> background) {
    return MetricGroup.single("Background", background)
        .counter(
            "failures-total",
            "Errors in background threads. The work was tried again.",
            Background::failures)
        .gauge(
            "dead-threads",
            "Background threads that ended unexpectedly. Their work stops until the next start.",
            Background::deadThreads);
  }
}
