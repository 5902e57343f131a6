// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.systemtests.Prometheus;
import io.headpond.systemtests.Workspace;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real Prometheus scrapes a real broker: the alert rules and the dashboard's queries hold. */
@Tag("extra")
class BrokerScrapeIT {
  @BeforeAll
  static void prometheus() {
    Prometheus.assumeNamed();
  }

  @Test
  void everyQueryOfTheDashboardHasSeriesAndEveryRuleIsEvaluated() throws Exception {
    int port = Ports.free(1)[0];
    try (Workspace workspace = Workspace.create("scrape");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker
          .node()
          .jvmArgument(Prometheus.exporter(port))
          .set("headpond.metrics.topics", "10")
          .format()
          .start();
      Topics.create(broker.node(), "orders", 2, 1, Map.of("segment.bytes", "1048576"));
      Workload orders =
          broker.add(
              new Workload(
                  WorkloadSettings.of("orders", 2, 1).bytesPerSecond(2 << 20),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      orders.start();
      try (Prometheus prometheus = Prometheus.of(workspace, port)) {
        orders.awaitAcknowledged(2_000);
        prometheus.assertThatEveryQueryHasSeries("headpond-dashboard.json");
        prometheus.assertThatRulesAreEvaluated();
        assertThat(prometheus.state("HeadpondNotDurable")).as("in memory").isEqualTo("pending");
        assertThat(prometheus.state("HeadpondDeviceFailed")).isEqualTo("inactive");
        assertThat(prometheus.query("headpond_topic_segments{topic=\"orders\",tier=\"fast\"} > 1"))
            .hasSize(1);
      }
      orders.stop();
      broker.verifyRecords();
      broker.node().stop();
    }
  }
}
