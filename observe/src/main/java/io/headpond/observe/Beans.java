// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The beans of something observed in the JVM's own bean server. They come and go with the things
 * that they show. One thread.
 *
 * @param <F> the facts that they are read from
 */
final class Beans<F> implements AutoCloseable {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<Metric<F>> all;
  private final Looks<F> looks;
  private final Set<ObjectName> registered = new LinkedHashSet<>();
  private boolean failed;

  /** Registers nothing yet. */
  Beans(final List<Metric<F>> all, final Looks<F> looks) {
    this.all = all;
    this.looks = looks;
  }

  /** Registers those that are new and takes away those that are gone; what fails is logged once. */
  void update() {
    try {
      final Set<ObjectName> gone = new LinkedHashSet<>(registered);
      for (final Metric.Bean bean : all.stream().map(Metric::bean).distinct().toList()) {
        for (final String key : keys(bean)) {
          final ObjectName name = name(bean, key);
          gone.remove(name);
          if (!registered.contains(name)) {
            server.registerMBean(new MetricBean<>(all, bean, key, looks), name);
            registered.add(name);
          }
        }
      }
      for (final ObjectName name : gone) {
        registered.remove(name);
        server.unregisterMBean(name);
      }
      failed = false;
    } catch (final JMException e) {
      if (!failed) {
        ObserveCodes.BEANS_MISSING.log(e.toString());
      }
      failed = true;
    }
  }

  /** {@code io.headpond:type=Tier,tier=pmem}. */
  static ObjectName name(final Metric.Bean bean, final String key) throws JMException {
    final String plain = "io.headpond:type=" + bean.type();
    final boolean quoted = key.chars().anyMatch(c -> ",=:*?\"\n".indexOf(c) >= 0);
    return new ObjectName(
        key.isEmpty()
            ? plain
            : plain
                + ","
                + bean.label().replace('_', '-')
                + "="
                + (quoted ? ObjectName.quote(key) : key));
  }

  /** The keys of the beans of a kind that there are now. */
  private List<String> keys(final Metric.Bean bean) {
    final List<Metric<F>> ofBean =
        all.stream().filter(metric -> metric.bean().equals(bean)).toList();
    return bean.label().isEmpty()
        ? List.of("")
        : ofBean.stream()
            .flatMap(metric -> metric.reader().apply(looks.now()).stream())
            .map(sample -> sample.labels().get(0))
            .distinct()
            .toList();
  }

  @Override
  public void close() throws JMException {
    for (final ObjectName name : registered) {
      server.unregisterMBean(name);
    }
    registered.clear();
  }
}
