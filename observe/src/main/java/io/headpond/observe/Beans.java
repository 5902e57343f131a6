// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.event.BackgroundCodes;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The beans of a table of metrics in the JVM's own bean server. They come and go with the things
 * that they show. One thread.
 *
 * @param <F> the facts that they are read from
 */
public final class Beans<F> implements AutoCloseable {
  private static final int MINUTE_UPDATES = 60;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<MetricGroup<F, ?>> table;
  private final Map<ObjectName, MetricBean> registered = new LinkedHashMap<>();

  /** The durations of each update of the last minute, by bean and attribute. */
  private final Deque<Map<ObjectName, Map<String, Times>>> minute = new ArrayDeque<>();

  private boolean failed;

  /** Registers nothing yet. */
  public Beans(final List<MetricGroup<F, ?>> table) {
    this.table = table;
  }

  /**
   * Shows the facts. Registers new beans and removes those that are gone; logs a failure once. To
   * be called once a second.
   */
  public void update(final F facts) {
    try {
      final Map<ObjectName, Map<String, Reading>> now = new LinkedHashMap<>();
      for (final MetricGroup<F, ?> group : table) {
        group.read(facts, now);
      }
      expandTimes(now);
      retain(now.keySet());
      for (final Map.Entry<ObjectName, Map<String, Reading>> each : now.entrySet()) {
        MetricBean bean = registered.get(each.getKey());
        if (bean == null) {
          bean = new MetricBean();
          bean.show(each.getValue());
          server.registerMBean(bean, each.getKey());
          registered.put(each.getKey(), bean);
        } else {
          bean.show(each.getValue());
        }
      }
      failed = false;
    } catch (final JMException e) {
      if (!failed) {
        BackgroundCodes.BEANS_MISSING.log(e.toString());
      }
      failed = true;
    }
  }

  /** Replaces durations by their figures of the last minute. */
  private void expandTimes(final Map<ObjectName, Map<String, Reading>> beans) {
    final Map<ObjectName, Map<String, Times>> all = new HashMap<>();
    final Map<ObjectName, Map<String, Times>> minuteAgo =
        minute.isEmpty() ? Map.of() : minute.peekFirst();
    beans.replaceAll(
        (name, readings) -> {
          final Map<String, Reading> expanded = new LinkedHashMap<>();
          readings.forEach(
              (attribute, reading) -> {
                if (reading.value() instanceof Times times) {
                  all.computeIfAbsent(name, unknown -> new HashMap<>()).put(attribute, times);
                  final Times before =
                      minuteAgo.getOrDefault(name, Map.of()).getOrDefault(attribute, Times.NONE);
                  LatencyFigures.between(before, times)
                      .forEach(
                          (figure, ms) ->
                              expanded.put(
                                  attribute + "-" + figure,
                                  new Reading(reading.description(), ms)));
                } else {
                  expanded.put(attribute, reading);
                }
              });
          return expanded;
        });
    minute.addLast(all);
    if (minute.size() > MINUTE_UPDATES) {
      minute.removeFirst();
    }
  }

  private void retain(final Set<ObjectName> names) throws JMException {
    for (final ObjectName name : List.copyOf(registered.keySet())) {
      if (!names.contains(name)) {
        registered.remove(name);
        server.unregisterMBean(name);
      }
    }
  }

  @Override
  public void close() throws JMException {
    retain(Set.of());
  }
}
