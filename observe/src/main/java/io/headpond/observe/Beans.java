// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The beans of a store in the JVM's own bean server. */
final class Beans implements AutoCloseable {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<ObjectName> registered = new ArrayList<>();

  private Beans() {}

  /** Registers them; those that can't be are logged. */
  static AutoCloseable register(final History history) {
    final Beans beans = new Beans();
    try {
      beans.registerAll(history);
    } catch (final JMException e) {
      ObserveCodes.BEANS_MISSING.log(e.toString());
    }
    return beans;
  }

  private void registerAll(final History history) throws JMException {
    for (final Metric.Bean bean : Metric.Bean.values()) {
      for (final String key : keys(bean, history)) {
        final ObjectName name = name(bean, key);
        server.registerMBean(new MetricBean(bean, key, history), name);
        registered.add(name);
      }
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

  /** Which beans of a kind there are. */
  private static List<String> keys(final Metric.Bean bean, final History history) {
    return bean.label().isEmpty()
        ? List.of("")
        : Metrics.ALL.stream()
            .filter(metric -> metric.bean() == bean)
            .flatMap(metric -> metric.reader().apply(history.now()).stream())
            .flatMap(sample -> Stream.of(sample.labels().get(0)))
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
