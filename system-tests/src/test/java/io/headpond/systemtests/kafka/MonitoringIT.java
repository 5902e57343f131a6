// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bench.kafka.Topics;
import io.headpond.bench.kafka.Verification.Expect;
import io.headpond.bench.kafka.Workload;
import io.headpond.bench.kafka.WorkloadSettings;
import io.headpond.bench.process.Engine;
import io.headpond.bench.process.JavaHome;
import io.headpond.bench.process.Ports;
import io.headpond.systemtests.Monitored;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a real broker shows of Headpond, to those who ask nicely and to those who don't. */
class MonitoringIT {
  private static final int PARTITIONS = 3;
  private static final int SLOW_CLIENTS = 1_000;
  private static final int CONNECT_MS_MAX = 10_000;

  @Test
  void aBrokerShowsWhatItAppendsAndGoesOnBesideAThousandSlowClients() throws Exception {
    int[] ports = Ports.free(2);
    try (Workspace workspace = Workspace.create("monitoring");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker.node().set("headpond.http.port", String.valueOf(ports[0])).format();
      Monitored.jmxArguments(ports[1]).forEach(broker.node()::jvmArgument);
      broker.node().start();
      Topics.create(broker.node(), "orders", PARTITIONS, 1, Map.of("segment.bytes", "1048576"));
      Workload orders =
          broker.add(
              new Workload(
                  WorkloadSettings.of("orders", PARTITIONS, 1).bytesPerSecond(4 << 20),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      orders.start();
      orders.awaitAcknowledged(4_000);
      List<Socket> slow = slowClients(ports[0]);
      try {
        orders.awaitAcknowledged(orders.acknowledgedRecords() + 4_000);
        assertThat(Monitored.metric(ports[0], "headpond_tier_appended_bytes_total{tier=\"fast\"}"))
            .isPositive();
      } finally {
        for (Socket socket : slow) {
          socket.close();
        }
      }
      orders.stop();
      assertThat(Monitored.metric(ports[0], "headpond_tier_active_segments{tier=\"fast\"}"))
          .isGreaterThanOrEqualTo(PARTITIONS);
      assertThat(Monitored.metric(ports[0], "headpond_append_duration_seconds_count")).isPositive();
      double scraped =
          Monitored.metric(ports[0], "headpond_tier_appended_bytes_total{tier=\"fast\"}");
      assertThat(Monitored.overJmx(ports[1], "type=Tier,tier=fast", "appended-bytes-total"))
          .isGreaterThanOrEqualTo(scraped);
      assertThat(Monitored.overJmx(ports[1], "type=Append", "time-ms-p99")).isPositive();
      broker.verifyRecords();
      broker.node().stop();
    }
  }

  /** Each begins a request and never ends it. */
  private static List<Socket> slowClients(int port) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < SLOW_CLIENTS; i++) {
      Socket socket = new Socket();
      sockets.add(socket);
      socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MS_MAX);
      try {
        socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException takenByALaterOne) {
        continue;
      }
    }
    return sockets;
  }
}
