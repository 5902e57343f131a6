// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.pmem.Background;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients that mean no good, and those that mean well beside them. */
class HttpPortTest {
  private static final int SLOW_CLIENTS = 1_000;
  private static final int READ_MS_MAX = 20_000;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private static HttpPort port(final History history) throws IOException {
    return port(LOOPBACK, history);
  }

  private static HttpPort port(final InetAddress bind, final History history) throws IOException {
    return new HttpPort(
        bind,
        0,
        Pages.of(Observation.of(history, config()), bind),
        new Background((name, failures, cause) -> {}));
  }

  private static StoreConfig config() {
    try {
      return StoreConfig.parse(new Properties(), "test", FileSystems.getDefault());
    } catch (final ConfigException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpPort port() throws IOException {
    return port(new History(() -> HistoryTest.facts(1)));
  }

  @Test
  void aPortThatNoThreadCanAnswerIsNotOpen() {
    final Background poor =
        Background.startedBy(
            thread -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            (name, failures, cause) -> {});
    assertThatThrownBy(() -> new HttpPort(LOOPBACK, 0, request -> null, poor))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no thread left");
  }

  private static String ask(final HttpPort port, final String request) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return answer(socket);
    }
  }

  private static Socket connect(final HttpPort port) throws IOException {
    final Socket socket = new Socket();
    socket.setSoTimeout(READ_MS_MAX);
    socket.connect(port.address(), READ_MS_MAX);
    return socket;
  }

  private static String answer(final Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String get(final HttpPort port, final String path) throws IOException {
    return ask(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  @Test
  void metricsAreServedAndHeadHasNoBody() throws Exception {
    try (HttpPort port = port()) {
      assertThat(get(port, "/metrics"))
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("Content-Type: text/plain; version=0.0.4", "headpond_appends_total 1\n");
      assertThat(ask(port, "HEAD /metrics HTTP/1.1\r\n\r\n"))
          .startsWith("HTTP/1.1 200 OK\r\n")
          .endsWith("\r\n\r\n");
      assertThat(
              ask(
                  port,
                  "GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text;version=1.0.0\r\n\r\n"))
          .contains("Content-Type: application/openmetrics-text", "# EOF\n");
    }
  }

  @Test
  void everyAddressOfIpv4IsNoneOfIpv6() throws Exception {
    try (HttpPort port =
        port(InetAddress.getByName("0.0.0.0"), new History(() -> HistoryTest.facts(1)))) {
      final int number = port.address().getPort();
      try (Socket socket = new Socket("127.0.0.1", number)) {
        assertThat(socket.isConnected()).isTrue();
      }
      assertThatThrownBy(() -> new Socket("::1", number).close()).isInstanceOf(IOException.class);
      assertThat(port.address().getAddress()).isInstanceOf(Inet4Address.class);
    }
  }

  @Test
  void anAddressOfIpv6WhereJavaHasNoneIsAnIoException() throws Exception {
    try (ServerSocketChannel withoutIpv6 = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
      assertThatThrownBy(() -> HttpPort.bind(withoutIpv6, new InetSocketAddress("::1", 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no IPv6");
    }
  }

  @Test
  void nothingIsServedButTheKnownPaths() throws Exception {
    try (HttpPort port = port()) {
      for (final String path :
          List.of(
              "/../../etc/passwd",
              "/metrics/../metrics",
              "/metrics/",
              "//metrics",
              "/%6detrics",
              "/metrics%00",
              "/metrics;a",
              "/METRICS")) {
        assertThat(get(port, path)).as(path).startsWith("HTTP/1.1 404 ");
      }
      assertThat(get(port, "/api/status?since=1;drop")).startsWith("HTTP/1.1 400 ");
      assertThat(get(port, "/api/status?since=" + "9".repeat(40))).startsWith("HTTP/1.1 400 ");
      assertThat(get(port, "/metrics?query=/../../etc/passwd")).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void itCanBeReadOnlyAndUnderItsOwnNameOnly() throws Exception {
    try (HttpPort port = port()) {
      for (final String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get")) {
        assertThat(ask(port, method + " /metrics HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 405 ");
      }
      assertThat(ask(port, "GET /metrics HTTP/1.1\r\nHost: evil.example:80\r\n\r\n"))
          .startsWith("HTTP/1.1 403 ");
      for (final String host : List.of("localhost:7707", "127.0.0.1:7707", "[::1]:7707", "[::1]")) {
        assertThat(ask(port, "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
            .startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @Test
  void whatIsNoRequestOrTooLargeIsRefused() throws Exception {
    try (HttpPort port = port()) {
      assertThat(ask(port, "\r\n\r\n")).startsWith("HTTP/1.1 400 ");
      assertThat(ask(port, "GET http://localhost/metrics HTTP/1.1\r\n\r\n"))
          .startsWith("HTTP/1.1 400 ");
      assertThat(ask(port, "GET /metrics SSH-2.0\n\n")).startsWith("HTTP/1.1 400 ");
      final String endless = "GET /metrics HTTP/1.1\r\nA: " + "a".repeat(2 << 20);
      assertThat(ask(port, endless)).startsWith("HTTP/1.1 431 ");
      final Random random = new Random(7);
      for (int i = 0; i < 50; i++) {
        final byte[] noise = new byte[1 + random.nextInt(20_000)];
        random.nextBytes(noise);
        try (Socket socket = connect(port)) {
          socket.getOutputStream().write(noise);
        } catch (final IOException reset) {
          continue; // as good an answer as any
        }
      }
      assertThat(get(port, "/metrics")).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void aRequestMayComeByteByByte() throws Exception {
    try (HttpPort port = port();
        Socket socket = connect(port)) {
      socket.setTcpNoDelay(true);
      for (final byte one : "GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)) {
        socket.getOutputStream().write(one);
      }
      assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void aThousandSlowClientsHoldNobodyUpAndTakeFewDescriptors() throws Exception {
    final List<Socket> slow = new ArrayList<>();
    try (HttpPort port = port()) {
      for (int i = 0; i < SLOW_CLIENTS; i++) {
        final Socket socket = connect(port);
        slow.add(socket);
        try {
          socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
        } catch (final IOException ended) {
          continue; // a later one took its place
        }
        if (i % 100 == 0) {
          final long begun = System.nanoTime();
          assertThat(get(port, "/metrics")).startsWith("HTTP/1.1 200 ");
          assertThat(System.nanoTime() - begun).isLessThan(HttpPort.CONNECTION_NANOS / 2);
        }
      }
      assertThat(port.connections()).isLessThanOrEqualTo(HttpPort.CONNECTIONS_MAX);
    } finally {
      for (final Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void aClientThatNeverReadsIsEndedInTime() throws Exception {
    try (HttpPort port = port();
        Socket socket = connect(port)) {
      socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
      final long begun = System.nanoTime();
      try (InputStream in = socket.getInputStream()) {
        assertThat(in.read()).isNegative();
      }
      assertThat(System.nanoTime() - begun)
          .isBetween(
              HttpPort.CONNECTION_NANOS / 2,
              HttpPort.CONNECTION_NANOS + TimeUnit.SECONDS.toNanos(8));
    }
  }

  @Test
  void aPageThatFailsEndsItsConnectionOnly() throws Exception {
    try (HttpPort port =
        port(
            new History(
                () -> {
                  throw new IllegalStateException("the store is closed");
                }))) {
      assertThat(get(port, "/metrics")).isEmpty();
      assertThat(get(port, "/none")).startsWith("HTTP/1.1 404 ");
    }
  }

  @Test
  void observationServesARealStoreAndEndsWithIt() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.http.port", freePort())) {
      observed.append("orders-0", 0, 1 << 20).close();
      final InetSocketAddress address;
      try (Observation observation = Observation.start(observed.store())) {
        address = observation.httpAddress();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
          socket
              .getOutputStream()
              .write("GET /metrics HTTP/1.0\n\n".getBytes(StandardCharsets.US_ASCII));
          assertThat(answer(socket))
              .contains("headpond_tier_appended_bytes_total{tier=\"pmem\"} 1048576");
        }
        try (Observation second = Observation.start(observed.store())) {
          assertThat(second.httpAddress()).as("the port is taken, and nothing breaks").isNull();
        }
      }
    }
  }

  private static String freePort() throws IOException {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0, 1, LOOPBACK)) {
      return String.valueOf(socket.getLocalPort());
    }
  }
}
