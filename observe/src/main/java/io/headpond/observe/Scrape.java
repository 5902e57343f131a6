// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.LatencyHistogram;
import java.util.List;
import java.util.Locale;

/**
 * All metrics as text: in Prometheus' format 0.0.4, or as OpenMetrics 1.0.0 for who asks for that.
 * Both are specified at https://prometheus.io/docs/instrumenting/exposition_formats/ and
 * https://github.com/prometheus/OpenMetrics.
 */
final class Scrape {
  static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  /** Bounds of the buckets that are shown: powers of two, from 256 ns to 8.6 s. */
  private static final int LOG_FIRST = 8;

  private static final int LOG_LAST = 33;

  private final StringBuilder text = new StringBuilder(16 << 10);
  private final boolean openMetrics;

  private Scrape(final boolean openMetrics) {
    this.openMetrics = openMetrics;
  }

  static <F> String text(final List<Metric<F>> all, final F facts, final boolean openMetrics) {
    final Scrape scrape = new Scrape(openMetrics);
    all.forEach(metric -> scrape.metric(metric, metric.reader().apply(facts)));
    return scrape.text.append(openMetrics ? "# EOF\n" : "").toString();
  }

  private void metric(final Metric<?> metric, final List<Sample> samples) {
    final String family = openMetrics ? metric.name() : metric.sampleName();
    text.append("# TYPE ").append(family).append(' ').append(metric.kind().key()).append('\n');
    if (openMetrics && !metric.unit().suffix().isEmpty()) {
      text.append("# UNIT ").append(family).append(' ').append(metric.unit().suffix()).append('\n');
    }
    text.append("# HELP ").append(family).append(' ').append(metric.description()).append('\n');
    for (final Sample sample : samples) {
      if (sample.counts() == null) {
        line(metric.sampleName(), labels(metric.labels(), sample.labels()), sample.value());
      } else {
        histogram(metric, sample);
      }
    }
  }

  private void histogram(final Metric<?> metric, final Sample sample) {
    final String name = metric.name();
    final String labels = labels(metric.labels(), sample.labels());
    final String le = labels.isEmpty() ? "{" : labels.substring(0, labels.length() - 1) + ",";
    long below = 0;
    int bucket = 0;
    for (int log = LOG_FIRST; log <= LOG_LAST; log++) {
      final double bound = Math.scalb(1.0, log);
      while (bucket < LatencyHistogram.BUCKETS && LatencyHistogram.endNanos(bucket) <= bound) {
        below += sample.counts()[bucket++];
      }
      line(name + "_bucket", le + "le=\"" + bound / 1e9 + "\"}", below);
    }
    while (bucket < LatencyHistogram.BUCKETS) {
      below += sample.counts()[bucket++];
    }
    line(name + "_bucket", le + "le=\"+Inf\"}", below);
    line(name + "_sum", labels, sample.value());
    line(name + "_count", labels, below);
  }

  private void line(final String name, final String labels, final double value) {
    text.append(name).append(labels).append(' ').append(number(value)).append('\n');
  }

  /** Whole numbers without a fraction or an exponent, as far as a double holds them. */
  static String number(final double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value).toLowerCase(Locale.ROOT);
  }

  private static String labels(final List<String> names, final List<String> values) {
    if (names.isEmpty()) {
      return "";
    }
    final StringBuilder labels = new StringBuilder("{");
    for (int i = 0; i < names.size(); i++) {
      labels
          .append(i == 0 ? "" : ",")
          .append(names.get(i))
          .append("=\"")
          .append(values.get(i).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
          .append('"');
    }
    return labels.append('}').toString();
  }
}
