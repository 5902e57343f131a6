// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports for engines that a test, a demo or a benchmark starts. */
public final class Ports {

  private static final int LOWEST = 12_000;
  private static final int BEYOND = 32_000;
  private static final int ATTEMPTS = 200;
  private static final int CONNECT_MILLIS = 500;

  private Ports() {}

  /**
   * Neighbouring ports that are free on 127.0.0.1, below the range that the system hands out to
   * clients, so that no client of a test takes one while its engine is down.
   */
  public static int[] free(int number) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND - number);
      int[] ports = IntStream.range(first, first + number).toArray();
      if (free(ports)) {
        return ports;
      }
    }
    throw new IOException(
        "no "
            + number
            + " free ports between "
            + LOWEST
            + " and "
            + BEYOND
            + " on 127.0.0.1; end what listens there");
  }

  /** True if something takes connections on a port of 127.0.0.1; waits half a second at most. */
  public static boolean listening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean free(int[] ports) throws IOException {
    for (int port : ports) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        if (!socket.isBound()) {
          return false;
        }
      } catch (BindException e) {
        return false;
      }
    }
    return true;
  }
}
