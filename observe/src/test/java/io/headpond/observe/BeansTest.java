// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.observe.Metric.Bean;
import io.headpond.store.facts.StoreFacts;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What jconsole and the JMX exporters see. */
class BeansTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Test
  void everyMetricIsAnAttributeWithADescriptionAndAValue() throws Exception {
    try (ObservedStore observed = new ObservedStore()) {
      final History history = new History(observed.store()::facts);
      history.look();
      try (FileChannel channel = observed.append("orders-0", 0, 32 * ObservedStore.MIB);
          Beans<StoreFacts> beans = new Beans<>(Metrics.ALL, history)) {
        beans.update();
        final Set<ObjectName> names = server.queryNames(new ObjectName("io.headpond:*"), null);
        assertThat(names).hasSize(8).contains(new ObjectName("io.headpond:type=Tier,tier=pmem"));
        for (final ObjectName name : names) {
          for (final MBeanAttributeInfo info : server.getMBeanInfo(name).getAttributes()) {
            assertThat(info.getDescription()).as(name + " " + info.getName()).isNotBlank();
            assertThat(server.getAttribute(name, info.getName()))
                .isNotNull()
                .isNotEqualTo(Double.NaN);
          }
        }
        await(
            () -> (double) server.getAttribute(Beans.name(Bean.APPEND, ""), "append-total") == 512);
        assertThat((double) server.getAttribute(Beans.name(Bean.APPEND, ""), "time-ms-p99"))
            .isPositive();
        assertThat((double) server.getAttribute(Beans.name(Bean.APPEND, ""), "append-rate"))
            .isPositive();
        final ObjectName tier = Beans.name(Bean.TIER, "pmem");
        assertThat(server.getAttribute(tier, "appended-bytes-total")).isEqualTo(32.0 * (1 << 20));
        assertThat(server.getAttribute(tier, "type")).isEqualTo("pmem");
        assertThatThrownBy(() -> server.setAttribute(tier, new Attribute("type", "file")))
            .isInstanceOf(AttributeNotFoundException.class);
        assertThat(channel.isOpen()).isTrue();
      }
      assertThat(server.queryNames(new ObjectName("io.headpond:*"), null)).isEmpty();
    }
  }

  @Test
  void aTopicHasABeanOfItsOwnWhereTopicsAreCounted() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.metrics.topics", "1")) {
      final History history = new History(observed.store()::facts);
      try (FileChannel channel = observed.append("orders-0", 0, ObservedStore.MIB);
          FileChannel other = observed.append("clicks-0", 0, 1_000);
          Beans<StoreFacts> beans = new Beans<>(Metrics.ALL, history)) {
        beans.update();
        assertThat(server.queryNames(new ObjectName("io.headpond:type=Topic,*"), null))
            .containsExactlyInAnyOrder(
                new ObjectName("io.headpond:type=Topic,topic=orders"),
                new ObjectName("io.headpond:type=Topic,topic=(other)"));
        final ObjectName orders = Beans.name(Bean.TOPIC, "orders");
        assertThat(server.getAttribute(orders, "appended-bytes-pmem-total"))
            .isEqualTo((double) ObservedStore.MIB);
        assertThat(server.getAttribute(orders, "segments-pmem")).isEqualTo(1.0);
        assertThat(server.getAttribute(Beans.name(Bean.TOPIC, "(other)"), "segments-pmem"))
            .isEqualTo(1.0);
        assertThat(List.of(channel, other)).allMatch(FileChannel::isOpen);
      }
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(final Condition condition) throws Exception {
    final long deadline = System.nanoTime() + 10_000_000_000L;
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
