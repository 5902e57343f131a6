// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;

/** One bean in JMX, read-only. Its readings are replaced once a second. Any thread. */
final class MetricBean implements DynamicMBean {
  private volatile Map<String, Reading> readings = Map.of();

  /** Replaces all attributes. */
  void show(final Map<String, Reading> now) {
    readings = now;
  }

  @Override
  public Object getAttribute(final String name) throws AttributeNotFoundException {
    final Reading reading = readings.get(name);
    if (reading == null) {
      throw new AttributeNotFoundException(name);
    }
    return reading.value();
  }

  @Override
  public AttributeList getAttributes(final String[] names) {
    final Map<String, Reading> now = readings;
    final AttributeList found = new AttributeList();
    for (final String name : names) {
      final Reading reading = now.get(name);
      if (reading != null) {
        found.add(new Attribute(name, reading.value()));
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
    final MBeanAttributeInfo[] attributes =
        readings.entrySet().stream()
            .map(each -> attribute(each.getKey(), each.getValue()))
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(
        MetricBean.class.getName(), "Metrics of Headpond", attributes, null, null, null);
  }

  private static MBeanAttributeInfo attribute(final String name, final Reading reading) {
    return new MBeanAttributeInfo(
        name, reading.value().getClass().getName(), reading.description(), true, false, false);
  }
}
