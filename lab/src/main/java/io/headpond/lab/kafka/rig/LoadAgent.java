// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.Fields;
import io.headpond.harness.process.DialogueChild;
import io.headpond.lab.hosts.HostClock;
import io.headpond.lab.hosts.LoadHost;
import io.headpond.lab.kafka.load.RecordRing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * The program on a host of a {@link io.headpond.lab.hosts.LoadHosts}: one process for a whole run,
 * which makes one load after the other as it is asked to on standard input, and ends with that. If
 * the network fails, so that it never reads that end, it ends by itself.
 */
public final class LoadAgent {

  private static final int REACH_MILLIS = 5_000;
  private static final Duration UNASKED_LOADING_MAX = Duration.ofMinutes(1);
  private static final Duration UNASKED_MAX = Duration.ofHours(1);

  private final String version;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile long asked = System.nanoTime();
  private volatile Sending sending;
  private RecordRing ring;
  private int ringBytes;

  private LoadAgent(String version) {
    this.version = version;
  }

  /**
   * Answers until standard input ends; then the process ends at once, whatever is being sent.
   *
   * @param version of Headpond
   */
  public static void serve(String version) throws IOException {
    LoadAgent agent = new LoadAgent(version);
    Thread watch = new Thread(agent::endUnasked, "agent-watch");
    watch.setDaemon(true);
    watch.start();
    DialogueChild.answer(agent::answer);
    Runtime.getRuntime().halt(0);
  }

  private void endUnasked() {
    try {
      while (true) {
        Thread.sleep(1_000);
        Sending current = sending;
        boolean loading = current != null && !current.ended();
        Duration unasked = Duration.ofNanos(System.nanoTime() - asked);
        if (unasked.compareTo(loading ? UNASKED_LOADING_MAX : UNASKED_MAX) > 0) {
          System.err.println(
              "headpond-lab: nobody has asked for " + unasked.toSeconds() + " s; ending");
          Runtime.getRuntime().halt(1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, String> answer(String command) {
    asked = System.nanoTime();
    String[] words = command.split(" ", 3);
    return switch (words[0]) {
      case "hello" -> Map.of("version", version);
      case "clock" -> Map.of("micros", "" + HostClock.nowMicros());
      case "prepare" -> prepare(words[1], Fields.decode(SendingPlan.class, words[2]));
      case "start" -> start(Long.parseLong(words[1]));
      case "figures" -> figures();
      case "stop" -> {
        sending.stop();
        yield Map.of("state", "stopping");
      }
      case "end" -> {
        end();
        yield Map.of("state", "ended");
      }
      default -> throw new IllegalArgumentException("unknown command");
    };
  }

  private Map<String, String> prepare(String bootstrap, SendingPlan plan) {
    end();
    failure.set(null);
    int colon = bootstrap.lastIndexOf(':');
    String host = bootstrap.substring(0, colon);
    int port = Integer.parseInt(bootstrap.substring(colon + 1));
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), REACH_MILLIS);
    } catch (IOException e) {
      return Map.of(
          LoadHost.FAILED,
          String.format(
              "it doesn't reach the broker at %s (%s); let the port be open, or name the machine of"
                  + " the brokers, as the host knows it, by --advertise",
              bootstrap, e));
    }
    if (ringBytes != plan.messageBytes()) {
      ring = new RecordRing(plan.messageBytes());
      ringBytes = plan.messageBytes();
    }
    sending =
        new Sending(
            plan,
            ring,
            () -> new HashMap<>(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap)),
            e -> failure.compareAndSet(null, e));
    return Map.of("state", "prepared");
  }

  private Map<String, String> start(long micros) {
    sending.start(System.nanoTime() + (micros - HostClock.nowMicros()) * 1_000);
    return Map.of("state", "started");
  }

  private Map<String, String> figures() {
    Exception e = failure.get();
    if (e != null) {
      return Map.of(LoadHost.FAILED, "a request failed: " + e);
    }
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    // Before the figures are taken: what ended then is in them.
    boolean ended = sending.ended();
    return Fields.encode(
        new HostFigures(
            sending.interval(),
            sending.lateNanosMax() / 1_000,
            cpu.toNanos() / 1e9,
            sending.exhausted(),
            ended));
  }

  private void end() {
    if (sending != null) {
      sending.abandon();
    }
  }
}
