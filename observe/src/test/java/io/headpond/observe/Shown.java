// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A table of metrics as operators see it, for the tests of every module that has one.
 *
 * @param <F> the facts that it is read from
 */
public final class Shown<F> implements AutoCloseable {
  private final Beans<F> beans;

  /** Registers no bean yet. */
  public Shown(final List<Metric<F>> all, final Looks<F> looks) {
    beans = new Beans<>(all, looks);
  }

  /** A scrape in Prometheus' format. */
  public static <F> String text(final List<Metric<F>> all, final F facts) {
    return Scrape.text(all, facts, false);
  }

  /** The name of a bean. */
  public static ObjectName bean(final Metric.Bean bean, final String key) throws JMException {
    return Beans.name(bean, key);
  }

  /** No two metrics share a name, and each description is a sentence. */
  public static void assertDistinct(final List<? extends Metric<?>> all) {
    final Set<String> names = new HashSet<>();
    for (final Metric<?> metric : all) {
      assertThat(names.add(metric.name())).as(metric.name()).isTrue();
      assertThat(names.add(metric.bean() + metric.attribute())).as(metric.name()).isTrue();
      assertThat(metric.description()).as(metric.name()).endsWith(".");
    }
  }

  /** Registers the beans that are new and takes away those that are gone. */
  public void update() {
    beans.update();
  }

  @Override
  public void close() throws JMException {
    beans.close();
  }
}
