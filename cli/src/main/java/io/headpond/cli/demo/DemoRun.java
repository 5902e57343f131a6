// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.kafka.JavaHome;
import io.headpond.bench.kafka.KafkaDistribution;
import io.headpond.bench.kafka.KafkaNode;
import io.headpond.bench.kafka.PlugIn;
import io.headpond.bench.kafka.VerificationReport;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.logdir.VerifyCommand;
import io.headpond.store.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/**
 * The demo itself: start, burst, kill, restart, burst, verify, stop, and a look with Kafka's own
 * tool.
 */
final class DemoRun implements AutoCloseable {

  private static final long RATE_MAX_BYTES = 160L << 20;
  private static final long SEGMENT_BYTES_MAX = 8L << 20;
  private static final long SEGMENT_BYTES_MIN = 1L << 20;

  /** The burst goes on until this much is on disk per byte of the fast tier... */
  private static final double OVERSIZE = 1.25;

  /** ...but no longer than this many times its duration. */
  private static final int PATIENCE = 3;

  private final DemoPlace place;
  private final DemoView view;
  private final Duration duration;
  private final long fastCapacity;
  private final Optional<PlugIn> plugIn;
  private final KafkaDistribution kafka;
  private final KafkaNode node;
  private volatile boolean closed;

  DemoRun(
      DemoPlace place, DemoView view, Duration duration, long fastCapacity, Optional<PlugIn> plugIn)
      throws IOException {
    this.place = place;
    this.view = view;
    this.duration = duration;
    this.fastCapacity = fastCapacity;
    this.plugIn = plugIn;
    this.kafka = KafkaDistribution.find(KafkaDistribution.CURRENT);
    this.node = new KafkaNode(kafka, 1, place.broker(), List.of(place.logDir())).heapMiB(512);
    plugIn.ifPresent(this::configure);
  }

  private void configure(PlugIn headpond) {
    try {
      node.with(headpond)
          .set("headpond.tiers", "fast")
          .set("headpond.tier.fast.type", "pmem")
          .set("headpond.tier.fast.paths", place.tier().toString())
          .set("headpond.tier.fast.capacity", fastCapacity + "B");
    } catch (IOException e) {
      throw new CommandFailure(
          "the fast tier's folder couldn't be made: " + e.getMessage(),
          "name another by --fast DIR",
          e);
    }
  }

  /** Runs it; Ctrl-C ends the JVM, whose hooks clean up. */
  DemoResult run() throws IOException, InterruptedException {
    view.say(
        "Starting Kafka "
            + kafka.version()
            + (plugIn.isPresent() ? " with Headpond" : " as it comes")
            + " ...");
    node.format().start();
    long free = Files.getFileStore(place.home()).getUsableSpace();
    long rate =
        Math.min(RATE_MAX_BYTES, (long) (0.8 * free / (PATIENCE * duration.toMillis() / 1000.0)));
    long segmentBytes = Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, fastCapacity / 32));
    try (DemoLoad load = new DemoLoad(node, segmentBytes, rate, System.nanoTime());
        DemoMeter meter = new DemoMeter(load, view, place.logDir(), place.tier())) {
      double seconds = burst(load, meter);
      meter.phase("comparing every acknowledged record");
      VerificationReport report = load.verify();
      report.examples().forEach(meter::say);
      load.errors().forEach(meter::say);
      meter.phase("stopping the broker");
      node.stop();
      meter.phase("checking with headpond verify and Kafka's own kafka-dump-log");
      boolean verified = headpondVerify(meter);
      boolean readable = vanillaReads(meter);
      return result(load, meter, report, seconds, verified, readable);
    } catch (IOException e) {
      if (closed) {
        // Ctrl-C: the JVM's hook has ended the broker, and the JVM ends when that has cleaned up.
        new CountDownLatch(1).await();
      }
      view.say(node.tail());
      throw e;
    }
  }

  /** Returns the seconds of producing, without those of the outage. */
  private double burst(DemoLoad load, DemoMeter meter) throws IOException, InterruptedException {
    long start = System.nanoTime();
    meter.phase("burst");
    load.start();
    await(() -> System.nanoTime() - start > duration.toNanos() / 2);
    long pid = node.pid();
    node.kill();
    meter.killed();
    meter.say(
        "Killed the broker (SIGKILL, process "
            + pid
            + ") while producers were writing; starting it again ...");
    meter.phase("broker killed");
    node.start();
    meter.phase("burst");
    await(() -> !meter.outage().isZero());
    long outage = meter.outage().toNanos();
    await(
        () ->
            System.nanoTime() - start - outage > duration.toNanos()
                && (exceeded() || outOfPatience(start)));
    meter.phase("waiting for the last acknowledgements");
    load.stop();
    return (System.nanoTime() - start - outage) / 1e9;
  }

  private boolean exceeded() {
    try {
      TierUsage usage = TierUsage.of(place.logDir());
      return usage.fastBytes() + usage.homeBytes() > OVERSIZE * fastCapacity;
    } catch (IOException e) {
      return true; // whatever is wrong shows in the verification
    }
  }

  private boolean outOfPatience(long start) {
    return System.nanoTime() - start > PATIENCE * duration.toNanos();
  }

  private void await(BooleanSupplier condition) throws IOException, InterruptedException {
    while (!condition.getAsBoolean()) {
      if (!node.running()) {
        throw new IOException("the broker ended by itself");
      }
      LockSupport.parkNanos(50_000_000);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private boolean headpondVerify(DemoMeter meter) throws IOException {
    StringWriter text = new StringWriter();
    CommandLine verify = new CommandLine(new VerifyCommand());
    verify.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    if (verify.execute(place.logDir().toString()) == 0) {
      return true;
    }
    meter.say(text.toString());
    return false;
  }

  /** One segment of each tier, read by the unmodified tool of an unmodified JVM. */
  private boolean vanillaReads(DemoMeter meter) throws IOException, InterruptedException {
    List<Path> samples = new ArrayList<>();
    LogDirScan.scan(
        place.logDir(),
        entry -> {
          boolean first =
              samples.stream().noneMatch(p -> Files.isSymbolicLink(p) == entry.linked());
          if (first && entry.bytes() > 0 && entry.partition().startsWith("events-")) {
            samples.add(entry.name());
          }
        });
    for (Path segment : samples) {
      KafkaNode.ToolRun run =
          node.vanilla()
              .tool("org.apache.kafka.tools.DumpLogSegments", "--files", segment.toString());
      if (run.exitCode() != 0
          || !run.output().contains("baseOffset:")
          || run.output().contains("Found invalid")) {
        meter.say("kafka-dump-log can't read " + segment + ":\n" + run.output());
        return false;
      }
    }
    return !samples.isEmpty();
  }

  private DemoResult result(
      DemoLoad load,
      DemoMeter meter,
      VerificationReport report,
      double seconds,
      boolean verified,
      boolean readable)
      throws IOException {
    TierUsage usage = TierUsage.of(place.logDir());
    return new DemoResult(
        kafka.version(),
        JavaHome.current().feature(),
        plugIn.isPresent(),
        report.acknowledged(),
        report.verified(),
        report.lost(),
        report.corrupt() + load.corruptRecords(),
        report.duplicates(),
        report.abortedSeen(),
        1,
        meter.outage().toMillis(),
        place.fastIsVolatile(),
        fastCapacity,
        meter.fastTierBytes(),
        usage.fastSegments(),
        usage.overflowSegments(),
        usage.homeBytes(),
        seconds,
        load.acknowledgedBytes() / seconds / 1e6,
        meter.steadyMs(50),
        meter.steadyMs(99),
        meter.overRestartMaxMs(),
        verified,
        readable);
  }

  /** Kills the broker if it lives, and waits until it is gone. */
  @Override
  public void close() {
    closed = true;
    try {
      if (node.running()) {
        node.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
