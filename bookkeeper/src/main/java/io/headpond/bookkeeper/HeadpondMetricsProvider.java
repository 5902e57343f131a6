// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.io.Writer;
import org.apache.bookkeeper.stats.prometheus.PrometheusMetricsProvider;

/**
 * BookKeeper's own metrics for Prometheus with Headpond's behind them, in one scrape of the
 * bookie's own port: {@code statsProviderClass=io.headpond.bookkeeper.HeadpondMetricsProvider}.
 *
 * <p>Design note: a {@code StatsProvider} that hands everything on to another one can't be compiled
 * for all releases, since the type that its {@code start} takes moved to another library between
 * BookKeeper 4.16 and 4.17. A subclass inherits the one that is there.
 */
public final class HeadpondMetricsProvider extends PrometheusMetricsProvider {

  /** As the bookie calls it. */
  public HeadpondMetricsProvider() {}

  /** Any thread. */
  @Override
  public void writeAllMetrics(Writer writer) throws IOException {
    super.writeAllMetrics(writer);
    BookieObservation.ifThere(() -> writer.write(BookieObservation.metrics()));
  }
}
