// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;

/**
 * One bean in JMX: the metrics of one kind of thing, in the style of the engine's own. Values are
 * of now; {@code -rate} and what a histogram shows are of the last minute. Can't be written to. Any
 * thread.
 */
final class MetricBean<F> implements DynamicMBean {
  /** The way to read one attribute. */
  private interface Reading<F> {
    Object of(F minuteAgo, F now);
  }

  private final Looks<F> looks;
  private final MBeanInfo info;
  private final Map<String, Reading<F>> readings = new LinkedHashMap<>();
  private final List<MBeanAttributeInfo> attributes = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param key which of the beans of its kind; empty if there is one only
   */
  MetricBean(
      final List<Metric<F>> all, final Metric.Bean bean, final String key, final Looks<F> looks) {
    this.looks = looks;
    final F now = looks.now();
    for (final Metric<F> metric : all) {
      if (metric.bean().equals(bean)) {
        for (final Sample sample : metric.reader().apply(now)) {
          if (key.isEmpty() || sample.labels().get(0).equals(key)) {
            add(metric, sample.labels(), key.isEmpty() ? 0 : 1);
          }
        }
      }
    }
    info =
        new MBeanInfo(
            MetricBean.class.getName(),
            "Headpond, " + bean.type(),
            attributes.toArray(MBeanAttributeInfo[]::new),
            null,
            null,
            null);
  }

  private void add(final Metric<F> metric, final List<String> labels, final int from) {
    if (metric.name().endsWith("_info")) {
      for (int i = from; i < labels.size(); i++) {
        final String text = labels.get(i);
        add(metric.labels().get(i).replace('_', '-'), String.class, metric, (first, now) -> text);
      }
      return;
    }
    final StringBuilder name = new StringBuilder(metric.attribute());
    for (int i = from; i < labels.size(); i++) {
      name.append('-').append(labels.get(i).replace('_', '-'));
    }
    switch (metric.kind()) {
      case GAUGE ->
          add(name.toString(), Double.class, metric, (first, now) -> value(metric, labels, now));
      case COUNTER -> {
        add(name + "-total", Double.class, metric, (first, now) -> value(metric, labels, now));
        add(
            name + "-rate",
            Double.class,
            metric,
            (first, now) -> looks.perSecond(first, now, facts -> value(metric, labels, facts)));
      }
      case HISTOGRAM -> histogram(name.toString(), metric, labels);
      default -> throw new AssertionError(metric.kind());
    }
  }

  private void histogram(final String name, final Metric<F> metric, final List<String> labels) {
    add(name + "-avg", metric, labels, LatencyFigures::avgMs);
    add(name + "-max", metric, labels, LatencyFigures::maxMs);
    add(name + "-p50", metric, labels, LatencyFigures::p50Ms);
    add(name + "-p99", metric, labels, LatencyFigures::p99Ms);
    add(name + "-p999", metric, labels, LatencyFigures::p999Ms);
  }

  private void add(
      final String name,
      final Metric<F> metric,
      final List<String> labels,
      final ToDoubleFunction<LatencyFigures> figure) {
    add(
        name,
        Double.class,
        metric,
        (first, now) -> {
          final Sample last = sample(metric, labels, now);
          return last == null
              ? Double.NaN
              : figure.applyAsDouble(LatencyFigures.between(sample(metric, labels, first), last));
        });
  }

  private void add(
      final String name, final Class<?> type, final Metric<F> metric, final Reading<F> reading) {
    readings.put(name, reading);
    attributes.add(
        new MBeanAttributeInfo(name, type.getName(), metric.description(), true, false, false));
  }

  private double value(final Metric<F> metric, final List<String> labels, final F facts) {
    final Sample sample = sample(metric, labels, facts);
    return sample == null ? Double.NaN : sample.value();
  }

  /** Null if there is none with these labels, or wasn't then. */
  private Sample sample(final Metric<F> metric, final List<String> labels, final F facts) {
    return looks.samples(metric, facts).get(labels);
  }

  @Override
  public Object getAttribute(final String name) throws AttributeNotFoundException {
    final Reading<F> reading = readings.get(name);
    if (reading == null) {
      throw new AttributeNotFoundException(name);
    }
    return reading.of(looks.minuteAgo(), looks.now());
  }

  @Override
  public AttributeList getAttributes(final String[] names) {
    final AttributeList found = new AttributeList();
    for (final String name : names) {
      final Reading<F> reading = readings.get(name);
      if (reading != null) {
        found.add(new Attribute(name, reading.of(looks.minuteAgo(), looks.now())));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(final Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can only be read");
  }

  @Override
  public AttributeList setAttributes(final AttributeList given) {
    return new AttributeList();
  }

  @Override
  public Object invoke(final String action, final Object[] arguments, final String[] signature)
      throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action));
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return info;
  }
}
