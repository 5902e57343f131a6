// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The orders of the host to a script that runs in a guest beside its engine. The guest asks for
 * them by HTTP, which needs neither of the disks that are counted. One thread.
 */
final class GuestOrders implements AutoCloseable {
  /** Order to force what the engine's start has written, then to read the counters. */
  static final String BEGIN = "begin";

  /** The counters of now. */
  static final String END = "end";

  /** Order to bring home what only the fast disk has, then to read the counters. */
  static final String SETTLE = "settle";

  private static final String NONE = "none";
  private static final String DONE = "ORDER-";
  private static final String REFUSED = "refused";

  private final HttpServer server;
  private volatile String order = NONE;

  GuestOrders() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] answer = order.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    server.start();
  }

  /**
   * The script, which doesn't end.
   *
   * @param folder of the guest, with a script for each order that does something: {@link #BEGIN}
   *     and {@link #SETTLE}
   */
  String script(String folder) {
    String url = "http://" + Machine.HOST + ":" + server.getAddress().getPort() + "/";
    return String.join(
        "\n",
        "done=" + NONE,
        "while :; do",
        "  order=$(wget -q -O - " + url + " 2>/dev/null)",
        "  if [ \"$order\" = \"$done\" ] || [ -z \"$order\" ]; then",
        "    usleep 300000",
        "    continue",
        "  fi",
        "  done=$order",
        "  result=",
        "  case $order in",
        "    "
            + BEGIN
            + " | "
            + SETTLE
            + ") sh -e "
            + folder
            + "/$order || result="
            + REFUSED
            + " ;;",
        "  esac",
        "  echo " + DONE + "$order $result " + BothDisks.SHELL + " >/dev/report",
        "done\n");
  }

  /**
   * Gives an order and waits until it is carried out.
   *
   * @return the disks' counters then
   * @throws IOException if the guest couldn't do it
   */
  BothDisks give(String what, Boot boot) throws IOException, InterruptedException {
    order = what;
    boot.await(lines -> answer(lines, what).isPresent());
    List<String> words = answer(boot.lines(), what).orElseThrow();
    if (words.contains(REFUSED)) {
      throw boot.failed("the guest couldn't carry out the order " + what);
    }
    return BothDisks.of(words);
  }

  private static Optional<List<String>> answer(List<String> lines, String what) {
    return lines.stream()
        .filter(line -> line.startsWith(DONE + what + " "))
        .findFirst()
        .map(line -> List.of(line.substring((DONE + what).length()).strip().split("\\s+")));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
