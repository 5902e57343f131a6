// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.logdir.VerifyCommand;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.harness.process.ToolRun;
import io.headpond.store.layout.LogDirScan;
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
 * The demo itself: start, bursts with a kill and a restart in the middle of one, verify, stop, and
 * a look with Kafka's own tool.
 */
final class DemoRun implements AutoCloseable {

  private static final long RATE_MAX_BYTES = 160L << 20;
  private static final long SEGMENT_BYTES_MAX = 8L << 20;
  private static final long SEGMENT_BYTES_MIN = 1L << 20;

  /** A burst goes on until it has written this much per byte that was left of the fast tier... */
  private static final double OVERSIZE = 1.25;

  /** ...but no longer than this many times its duration. */
  private static final int PATIENCE = 3;

  /** Nothing was moved for so long: the counters are published every second. */
  private static final Duration SETTLED = Duration.ofMillis(2500);

  /** Reads count half after this time, if the policy counts them: the demo is short. */
  private static final String HALF_LIFE = "10s";

  private final DemoPlace place;
  private final DemoView view;
  private final DemoSettings settings;
  private final Optional<PlugIn> plugIn;
  private final EngineRelease kafka;
  private final KafkaNode node;
  private final int httpPort = Ports.free(1)[0];
  private volatile boolean closed;

  DemoRun(
      DemoPlace place,
      DemoView view,
      DemoSettings settings,
      Optional<PlugIn> plugIn,
      EngineRelease kafka)
      throws IOException {
    this.place = place;
    this.view = view;
    this.settings = settings;
    this.plugIn = plugIn;
    this.kafka = kafka;
    this.node = new KafkaNode(kafka, 1, place.broker(), List.of(place.logDir())).heapMiB(512);
    plugIn.ifPresent(this::configure);
  }

  private void configure(PlugIn headpond) {
    try {
      node.with(headpond)
          .set("headpond.tiers", "fast")
          .set("headpond.tier.fast.paths", place.tier().toString())
          .set("headpond.tier.fast.capacity", settings.fastCapacity() + "B")
          .set("headpond.tier.fast.migrate.threshold", Double.toString(settings.threshold()))
          .set("headpond.migrate.policy", settings.policy())
          .jvmArgument("-Dheadpond.internal.heat.half.life=" + HALF_LIFE)
          .set("headpond.http.port", Integer.toString(httpPort));
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
            + (plugIn.isPresent() ? " with Headpond" : ", unmodified")
            + " ...");
    node.format().start();
    plugIn.ifPresent(headpond -> view.say("Watch it live: http://127.0.0.1:" + httpPort + "/"));
    try (DemoLoad load = new DemoLoad(node, segmentBytes(), rate(), System.nanoTime());
        DemoMeter meter = new DemoMeter(load, view, place.logDir(), place.tier())) {
      double seconds = bursts(load, meter);
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

  private long segmentBytes() {
    return Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, settings.fastCapacity() / 32));
  }

  /** Bytes per second that home has room for. */
  private long rate() throws IOException {
    long free = Files.getFileStore(place.home()).getUsableSpace();
    double seconds = PATIENCE * settings.duration().toMillis() / 1000.0;
    return Math.min(RATE_MAX_BYTES, (long) (0.8 * free / seconds));
  }

  /** Returns the seconds of producing, without those of the outage. */
  private double bursts(DemoLoad load, DemoMeter meter) throws IOException, InterruptedException {
    load.follow();
    double seconds = 0;
    for (int number = 1; number <= settings.bursts(); number++) {
      if (number > 1) {
        makeRoom(meter);
        if (number == settings.bursts()) {
          load.readBacklog();
        }
      }
      seconds += burst(load, meter, number);
    }
    if (settings.bursts() > 1) {
      meter.phase("reading the rest of the backlog");
      await(load::backlogRead);
    }
    makeRoom(meter);
    load.stop();
    return seconds;
  }

  private double burst(DemoLoad load, DemoMeter meter, int number)
      throws IOException, InterruptedException {
    String phase =
        settings.bursts() == 1 ? "burst" : "burst " + number + " of " + settings.bursts();
    meter.phase(phase);
    long before = bytesOnDisk();
    long left = settings.fastCapacity() - TierUsage.of(place.logDir()).fastBytes();
    long half = settings.burstLength().toNanos() / 2;
    long start = System.nanoTime();
    long outage = 0;
    load.produce();
    if (number == (settings.bursts() + 1) / 2) {
      await(() -> System.nanoTime() - start > half);
      outage = killAndRestart(meter, phase);
    }
    long end = start + outage + 2 * half;
    await(
        () ->
            System.nanoTime() > end
                && (bytesOnDisk() - before > OVERSIZE * left
                    || System.nanoTime() > end + 2 * half * (PATIENCE - 1)));
    meter.phase("waiting for the last acknowledgements");
    load.pause();
    return (System.nanoTime() - start - outage) / 1e9;
  }

  /** Returns the nanoseconds until something was acknowledged again. */
  private long killAndRestart(DemoMeter meter, String phase)
      throws IOException, InterruptedException {
    long pid = node.pid();
    node.kill();
    meter.killed();
    meter.say(
        "Killed the broker (SIGKILL, process "
            + pid
            + ") while producers were writing; starting it again ...");
    meter.phase("broker killed");
    node.start();
    meter.phase(phase);
    await(() -> !meter.outage().isZero());
    return meter.outage().toNanos();
  }

  /**
   * Waits, if segments migrate, until the fast tier is down at its threshold or nothing moves any
   * more. Space grown ahead of the logs' ends counts too, and doesn't move.
   */
  private void makeRoom(DemoMeter meter) throws IOException, InterruptedException {
    if (plugIn.isEmpty() || !settings.migrates()) {
      return;
    }
    meter.phase("making room in the fast tier");
    long end = System.nanoTime() + settings.burstPause().toNanos();
    await(
        () ->
            System.nanoTime() > end
                || meter.sinceMove().compareTo(SETTLED) > 0
                || fastBytes() <= settings.thresholdBytes() && !meter.moves().running());
  }

  private long fastBytes() {
    try {
      return TierUsage.of(place.logDir()).fastBytes();
    } catch (IOException e) {
      return 0; // whatever is wrong shows in the verification
    }
  }

  private long bytesOnDisk() {
    try {
      return TierUsage.of(place.logDir()).bytes();
    } catch (IOException e) {
      return Long.MAX_VALUE; // whatever is wrong shows in the verification
    }
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
      ToolRun run =
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
    TierMoves moves = meter.moves();
    boolean headpond = plugIn.isPresent();
    return new DemoResult(
        kafka.version(),
        JavaHome.current().feature(),
        headpond,
        report.acknowledged(),
        report.verified(),
        report.lost(),
        report.corrupt() + load.corruptRecords(),
        report.duplicates(),
        report.abortedSeen(),
        1,
        meter.outage().toMillis(),
        place.fastIsVolatile(),
        settings.fastCapacity(),
        meter.fastTierBytes(),
        usage.fastSegments(),
        headpond ? (double) usage.fastBytes() / settings.fastCapacity() : null,
        headpond ? settings.threshold() : null,
        moves.downBytes(),
        moves.downSegments(),
        moves.upBytes(),
        moves.upSegments(),
        moves.overflowSegments(),
        usage.homeSegments(),
        usage.homeBytes(),
        settings.bursts(),
        load.acknowledgedBytes() / settings.bursts(),
        load.backlogReadRecords(),
        seconds,
        load.acknowledgedBytes() / seconds / 1e6,
        meter.steadyMs(50),
        meter.steadyMs(99),
        number(meter.whileMigratingMs(99)),
        number(meter.otherwiseMs(99)),
        meter.overRestartMaxMs(),
        verified,
        readable,
        null);
  }

  /** JSON has no NaN. */
  private static Double number(double value) {
    return Double.isNaN(value) ? null : value;
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
