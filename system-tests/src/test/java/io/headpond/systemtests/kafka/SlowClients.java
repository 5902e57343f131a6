// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Clients of the HTTP port that nobody wants: slow, many, greedy, or after other files. */
final class SlowClients implements AutoCloseable {
  private static final int NUMBER = 1_000;
  private static final int CONNECT_MS_MAX = 10_000;
  private static final int READ_MS_MAX = 2_000;
  private static final long PAUSE_NANOS = 5_000_000;

  private static final List<String> TRICKS =
      List.of(
          "GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET //metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n",
          "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\n\r\n",
          "GET /metrics HTTP/1.1\r\nX: " + "b".repeat(1 << 20) + "\r\n\r\n");

  private final int port;
  private final Thread thread;
  private final List<String> served = new ArrayList<>();
  private final CountDownLatch atWork = new CountDownLatch(1);
  private volatile boolean ended;
  private volatile long requests;

  /** Returns when all are connected and the first trick was played; goes on until it is closed. */
  SlowClients(int port) throws InterruptedException {
    this.port = port;
    thread = new Thread(this::run, "slow-clients");
    thread.start();
    atWork.await();
  }

  /** Each begins a request and never ends it. */
  static List<Socket> open(int port) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < NUMBER; i++) {
      sockets.add(slow(port));
    }
    return sockets;
  }

  private static Socket slow(int port) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MS_MAX);
    try {
      socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException takenByALaterOne) {
      return socket;
    }
    return socket;
  }

  private void run() {
    List<Socket> sockets = new ArrayList<>();
    try {
      sockets.addAll(open(port));
      for (int turn = 0; !ended; turn++) {
        sockets.get(turn % NUMBER).close();
        sockets.set(turn % NUMBER, slow(port));
        trick(TRICKS.get(turn % TRICKS.size()));
        requests = turn + 1L;
        atWork.countDown();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException e) {
      synchronized (served) {
        served.add("the port ended: " + e);
      }
    } finally {
      atWork.countDown();
      for (Socket socket : sockets) {
        try {
          socket.close();
        } catch (IOException closedAlready) {
          continue;
        }
      }
    }
  }

  /** Whoever is answered with more than a refusal was served what isn't there. */
  private void trick(String request) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MS_MAX);
      socket.setSoTimeout(READ_MS_MAX);
      String answer;
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      } catch (IOException refusedWithoutAnAnswer) {
        return;
      }
      if (!answer.isEmpty() && !answer.startsWith("HTTP/1.1 4")) {
        synchronized (served) {
          served.add(request.substring(0, 20) + " ... : " + answer);
        }
      }
    }
  }

  /** How many clients came and went. */
  long requests() {
    return requests;
  }

  /** What was served to whom it shouldn't have been. */
  List<String> served() {
    synchronized (served) {
      return List.copyOf(served);
    }
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
