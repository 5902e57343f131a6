// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.Fields;
import io.headpond.lab.hosts.HostClock;
import io.headpond.lab.hosts.LoadHost;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.RunningLoad;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The senders of one point on several hosts, which begin together and share the pace. Each host's
 * latencies are measured by its own clock; what they counted is added, and their histograms are
 * merged. One thread.
 */
final class KafkaHostsLoad implements RunningLoad {

  /** Every host gets to know of the start before it comes. */
  private static final long LEAD_MICROS = 500_000;

  private static final long LOOK_NANOS = 1_000_000_000;
  private static final long STOP_LIMIT_NANOS = 180_000_000_000L;

  private final KafkaRig rig;
  private final LoadHosts hosts;
  private final List<String> topics;
  private final List<LoadInterval> parts = new ArrayList<>();
  private final Set<LoadHost> ended = new HashSet<>();
  private boolean exhausted;
  private boolean stopped;
  private long looked = System.nanoTime();

  private KafkaHostsLoad(KafkaRig rig, LoadHosts hosts, List<String> topics) {
    this.rig = rig;
    this.hosts = hosts;
    this.topics = List.copyOf(topics);
  }

  /**
   * Prepares all hosts and lets them begin together.
   *
   * @param point its producers are divided among all hosts; those that are left send all that is
   *     due
   * @param topics that exist, for this load only
   */
  static KafkaHostsLoad begin(
      KafkaRig rig, LoadHosts hosts, Point point, Producers producers, List<String> topics)
      throws IOException, InterruptedException {
    KafkaHostsLoad load = new KafkaHostsLoad(rig, hosts, topics);
    List<LoadHost> prepared;
    do {
      prepared = hosts.left();
      List<LoadHost> all = prepared;
      hosts.ask(
          host -> {
            SendingPlan plan =
                share(
                    point,
                    producers,
                    topics,
                    rig.pointBytesMax(),
                    hosts.size(),
                    all.size(),
                    all.indexOf(host));
            return "prepare " + load.bootstrap() + " " + Fields.word(plan);
          },
          (host, answer) -> {});
      // Without one that failed now the others would send less than is due.
    } while (hosts.left().size() < prepared.size());
    hosts.measureClocks();
    load.start();
    return load;
  }

  /**
   * The plan of one of the hosts that are left.
   *
   * @param bytesMax of all of them together
   * @param hosts among which the point's producers are divided
   * @param left that send
   * @param index of this one among them
   */
  static SendingPlan share(
      Point point,
      Producers producers,
      List<String> topics,
      long bytesMax,
      int hosts,
      int left,
      int index) {
    int own = point.producers() / hosts;
    return new SendingPlan(
        topics,
        point.messageBytes(),
        producers,
        point.pace(),
        index * own,
        own,
        left * own,
        bytesMax / left,
        0,
        false);
  }

  private String bootstrap() {
    return hosts.settings().advertised() + ":" + rig.node().brokerPort();
  }

  private void start() throws IOException, InterruptedException {
    long start = HostClock.nowMicros() + LEAD_MICROS;
    hosts.ask(host -> "start " + host.clock().there(start), (host, answer) -> {});
    hosts.begun();
    for (long left = LEAD_MICROS; left > 0; left = start - HostClock.nowMicros()) {
      rig.watch().progress(rig.variant() + ": " + hosts.left().size() + " hosts begin");
      LockSupport.parkNanos(Math.min(left, LEAD_MICROS / 10) * 1_000);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Called often: asks them from time to time, so that one that fails is known soon. */
  void look() throws IOException {
    if (!stopped && System.nanoTime() - looked > LOOK_NANOS) {
      try {
        ask();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while hosts were asked");
      }
    }
  }

  private void ask() throws IOException, InterruptedException {
    looked = System.nanoTime();
    // A broker that has ended is the cause of what the hosts would complain of.
    rig.watch().check();
    hosts.ask(host -> "figures", this::take);
  }

  private void take(LoadHost host, Map<String, String> answer) {
    HostFigures figures = Fields.decode(HostFigures.class, answer);
    parts.add(figures.interval());
    host.count(figures.interval().messages(), figures.startLateMicros(), figures.cpuSeconds());
    exhausted |= figures.exhausted();
    if (figures.ended()) {
      ended.add(host);
    }
  }

  @Override
  public LoadInterval interval() throws IOException, InterruptedException {
    if (!stopped) {
      ask();
    }
    LoadInterval sum = LoadInterval.sum(parts);
    parts.clear();
    return sum;
  }

  @Override
  public double spent() {
    return exhausted ? 1 : 0;
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    hosts.ask(host -> "stop", (host, answer) -> {});
    long deadline = System.nanoTime() + STOP_LIMIT_NANOS;
    ended.clear();
    for (ask(); !ended.containsAll(hosts.left()); ask()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "hosts wait for answers still, "
                + STOP_LIMIT_NANOS / 1_000_000_000
                + " s after the last message was sent\n"
                + rig.node().tail());
      }
      rig.watch().tick(rig.variant() + ": waiting for the hosts' last answers");
    }
    stopped = true;
    rig.requireTier();
  }

  @Override
  public void close() throws IOException {
    rig.endedOnHosts();
    try {
      if (!stopped) {
        stopped = true;
        hosts.ask(host -> "end", (host, answer) -> {});
      }
      rig.remove(topics);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a load ended");
    }
  }
}
