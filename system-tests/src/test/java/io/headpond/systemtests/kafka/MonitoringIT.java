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
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
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
      broker
          .node()
          .set("headpond.http.port", String.valueOf(ports[0]))
          .jvmArgument("-Dcom.sun.management.jmxremote.port=" + ports[1])
          .jvmArgument("-Dcom.sun.management.jmxremote.host=127.0.0.1")
          .jvmArgument("-Dcom.sun.management.jmxremote.authenticate=false")
          .jvmArgument("-Dcom.sun.management.jmxremote.ssl=false")
          .jvmArgument("-Djava.rmi.server.hostname=127.0.0.1")
          .format()
          .start();
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
        assertThat(metric(ports[0], "headpond_tier_appended_bytes_total{tier=\"fast\"}"))
            .isPositive();
      } finally {
        for (Socket socket : slow) {
          socket.close();
        }
      }
      orders.stop();
      assertThat(metric(ports[0], "headpond_tier_active_segments{tier=\"fast\"}"))
          .isGreaterThanOrEqualTo(PARTITIONS);
      assertThat(metric(ports[0], "headpond_append_duration_seconds_count")).isPositive();
      double scraped = metric(ports[0], "headpond_tier_appended_bytes_total{tier=\"fast\"}");
      assertThat(overJmx(ports[1], "type=Tier,tier=fast", "appended-bytes-total"))
          .isGreaterThanOrEqualTo(scraped);
      assertThat(overJmx(ports[1], "type=Append", "time-ms-p99")).isPositive();
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

  private static double metric(int port, String line) throws Exception {
    String text =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
                BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(each -> each.startsWith(line + " "))
        .mapToDouble(each -> Double.parseDouble(each.substring(line.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(line + " isn't in\n" + text));
  }

  private static double overJmx(int port, String bean, String attribute) throws Exception {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      return (double) server.getAttribute(new ObjectName("io.headpond:" + bean), attribute);
    }
  }
}
