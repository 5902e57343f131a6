// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.observe.Metric.Kind;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of metrics. */
class MetricsTest {
  private static Metric<String> metric(
      final String attribute, final Kind kind, final String description) {
    return new Metric<>(attribute, kind, description, thing -> 0.0);
  }

  @Test
  void aMetricWithoutASentenceOrWithAnOddNameIsRefused() {
    assertThatThrownBy(() -> metric("a-bytes", Kind.GAUGE, " ")).hasMessageContaining("sentence");
    assertThatThrownBy(() -> metric("a_bytes", Kind.GAUGE, "A.")).hasMessageContaining("a_bytes");
    assertThatThrownBy(() -> metric("a", Kind.COUNTER, "A.")).hasMessageContaining("COUNTER");
    assertThatThrownBy(() -> metric("a-total", Kind.GAUGE, "A.")).hasMessageContaining("GAUGE");
    assertThat(metric("a-total", Kind.COUNTER, "A.").kind().key()).isEqualTo("counter");
  }

  @Test
  void noTwoMetricsShareAName() {
    final Set<String> names = new HashSet<>();
    for (final MetricGroup<?, ?> group : Metrics.ALL) {
      for (final Metric<?> metric : group.metrics()) {
        final String name = group.type() + " " + metric.attribute();
        assertThat(names.add(name)).as(name).isTrue();
      }
    }
  }
}
