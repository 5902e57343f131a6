// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What jconsole and the JMX exporter see. */
class BeansTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private Object value(final String bean, final String attribute) throws Exception {
    return server.getAttribute(new ObjectName("io.headpond:" + bean), attribute);
  }

  private Set<ObjectName> names() throws Exception {
    return server.queryNames(new ObjectName("io.headpond:*"), null);
  }

  @Test
  void everyAttributeHasADescriptionAndAValueThatNobodyCanSet() throws Exception {
    try (ObservedStore observed = new ObservedStore()) {
      try (FileChannel channel = observed.append("orders-0", 0, 32 * ObservedStore.MIB);
          Beans<StoreFacts> beans = new Beans<>(Metrics.ALL)) {
        beans.update(observed.store().facts());
        assertThat(names()).contains(new ObjectName("io.headpond:type=Tier,tier=home"));
        for (final ObjectName name : names()) {
          for (final MBeanAttributeInfo info : server.getMBeanInfo(name).getAttributes()) {
            assertThat(info.getDescription()).as(name + " " + info.getName()).endsWith(".");
            assertThat(server.getAttribute(name, info.getName()))
                .isNotNull()
                .isNotEqualTo(Double.NaN);
            assertThat(server.getAttributes(name, new String[] {info.getName(), "none"}))
                .hasSize(1);
          }
        }
        assertThat(value("type=Append", "writes-total")).isEqualTo(512.0);
        assertThat((double) value("type=Append", "time-ms-p99")).isPositive();
        assertThat(value("type=Tier,tier=pmem", "appended-bytes-total"))
            .isEqualTo(32.0 * ObservedStore.MIB);
        assertThat(value("type=Tier,tier=pmem", "capacity-bytes")).isEqualTo(64.0 * (1 << 20));
        assertThat(value("type=Tier,tier=pmem", "segments")).isEqualTo(1.0);
        assertThat(value("type=Tier,tier=home", "appended-bytes-total")).isEqualTo(0.0);
        assertThat(value("type=Incident,kind=overflow", "events-total")).isEqualTo(0.0);
        final ObjectName tier = new ObjectName("io.headpond:type=Tier,tier=pmem");
        assertThatThrownBy(() -> server.setAttribute(tier, new Attribute("durability", "durable")))
            .isInstanceOf(AttributeNotFoundException.class);
        assertThat(channel.isOpen()).isTrue();
      }
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void aTopicHasABeanForEachTierWhereTopicsAreCounted() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.metrics.topics", "1")) {
      try (FileChannel channel = observed.append("orders-0", 0, ObservedStore.MIB);
          FileChannel other = observed.append("clicks-0", 0, 1_000);
          Beans<StoreFacts> beans = new Beans<>(Metrics.ALL)) {
        beans.update(observed.store().facts());
        assertThat(server.queryNames(new ObjectName("io.headpond:type=Topic,*"), null))
            .hasSize(2 * 2)
            .contains(new ObjectName("io.headpond:type=Topic,topic=(other),tier=home"));
        assertThat(value("type=Topic,topic=orders,tier=pmem", "appended-bytes-total"))
            .isEqualTo((double) ObservedStore.MIB);
        assertThat(value("type=Topic,topic=orders,tier=pmem", "segments")).isEqualTo(1.0);
        assertThat(value("type=Topic,topic=(other),tier=pmem", "segments")).isEqualTo(1.0);
        assertThat(List.of(channel, other)).allMatch(FileChannel::isOpen);
      }
    }
  }

  @Test
  void thePrometheusExportersRulesNameEveryAttribute() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.metrics.topics", "1");
        FileChannel channel = observed.append("orders-0", 0, ObservedStore.MIB);
        Beans<StoreFacts> beans = new Beans<>(Metrics.ALL)) {
      beans.update(observed.store().facts());
      assertThat(Exporter.series())
          .containsEntry("headpond_tier_capacity_bytes{tier=\"pmem\"}", 67_108_864.0)
          .containsEntry("headpond_tier_appended_bytes_total{tier=\"home\"}", 0.0)
          .containsEntry("headpond_append_writes_total", 16.0)
          .containsKey("headpond_append_time_ms_p99")
          .containsEntry("headpond_migration_bytes_total{direction=\"down\"}", 0.0)
          .containsEntry("headpond_home_offline{log_dir=\"" + observed.home + "\"}", 0.0)
          .containsEntry("headpond_topic_segments{topic=\"orders\",tier=\"pmem\"}", 1.0)
          .containsEntry("headpond_background_dead_threads", 0.0);
      assertThat(Exporter.series().keySet())
          .filteredOn(name -> name.startsWith("headpond_tier_durability{tier=\"pmem\",durability="))
          .hasSize(1);
      assertThat(channel.isOpen()).isTrue();
    }
  }

  /** What a path may hold: a key's value must not end the name. */
  @Test
  void aPathOfOddCharactersIsQuoted() throws Exception {
    try (ObservedStore observed = new ObservedStore();
        Beans<StoreFacts> beans = new Beans<>(Metrics.ALL)) {
      final Path odd = Files.createDirectories(observed.home.resolve("a\"b\\c=d"));
      observed.with("headpond.log.dirs", odd.toString());
      beans.update(observed.store().facts());
      final ObjectName name =
          new ObjectName("io.headpond:type=Home,log-dir=" + ObjectName.quote(odd.toString()));
      assertThat((double) server.getAttribute(name, "free-bytes")).isPositive();
    }
  }

  @Test
  void timesAreThoseOfTheLastMinute() throws Exception {
    final List<MetricGroup<Times, ?>> table =
        List.of(
            MetricGroup.<Times, Times>single("Probe", times -> times)
                .times("time-ms", "Durations.", times -> times));
    final LatencyHistogram histogram = new LatencyHistogram();
    histogram.record(TimeUnit.MILLISECONDS.toNanos(500));
    try (Beans<Times> beans = new Beans<>(table)) {
      beans.update(Times.of(histogram));
      assertThat((double) value("type=Probe", "time-ms-max")).isBetween(500.0, 565.0);
      histogram.record(TimeUnit.MILLISECONDS.toNanos(2));
      for (int second = 0; second < 60; second++) {
        beans.update(Times.of(histogram));
      }
      assertThat((double) value("type=Probe", "time-ms-avg")).isEqualTo(2.0);
      assertThat((double) value("type=Probe", "time-ms-max")).isBetween(2.0, 2.3);
      assertThat((double) value("type=Probe", "time-ms-p50")).isBetween(2.0, 2.3);
      beans.update(Times.of(histogram));
      assertThat(value("type=Probe", "time-ms-p999")).as("nothing since").isEqualTo(0.0);
    }
  }

  @Test
  void beansComeAndGoWithTheThingsThatTheyShow() throws Exception {
    final List<MetricGroup<List<String>, ?>> table =
        List.of(
            MetricGroup.<List<String>, String>of(
                    "Probe",
                    List.of("thing"),
                    all -> all.stream().map(each -> new MetricGroup.Member<>(each, each)))
                .text("word", "A word.", each -> each));
    try (Beans<List<String>> beans = new Beans<>(table)) {
      for (final List<String> now :
          List.of(List.<String>of(), List.of("a"), List.of("a", "b"), List.of("b"))) {
        beans.update(now);
        assertThat(names()).hasSameSizeAs(now);
        for (final String each : now) {
          assertThat(value("type=Probe,thing=" + each, "word")).isEqualTo(each);
        }
      }
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void anObservationShowsAStoreUntilItEnds() throws Exception {
    try (ObservedStore observed = new ObservedStore()) {
      final Observation first = Observation.start(observed.store());
      await("its beans", () -> !names().isEmpty());
      first.close();
      assertThat(names()).isEmpty();
      Observation.start(observed.store());
      await("its beans again", () -> !names().isEmpty());
    }
    await("the end of the store", () -> names().isEmpty());
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(final String what, final Condition condition) throws Exception {
    final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
