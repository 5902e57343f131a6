// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.VerifyCommand;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.ToolRun;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;

/**
 * A broker with two topics: keyed events by two producers, and compressed orders in transactions.
 */
final class KafkaSide implements DemoSide {

  private static final long TIER_BYTES = 256L << 20;
  private static final String SEGMENT_BYTES = Integer.toString(8 << 20);
  private static final long BYTES_PER_SECOND = 32L << 20;
  private static final long BUFFER_BYTES = 2 << 20;
  private static final int EVENT_PARTITIONS = 6;
  private static final int ORDER_PARTITIONS = 4;
  private static final int KEYS = 100_000;

  private final boolean headpond;
  private final KafkaNode node;
  private final List<Workload> workloads = new ArrayList<>();
  private final List<Verification> verifications = new CopyOnWriteArrayList<>();

  KafkaSide(EngineRelease release, DemoPlace place, boolean headpond) throws IOException {
    this.headpond = headpond;
    Path own = place.home().resolve(headpond ? "headpond" : "vanilla");
    Path logDir = Files.createDirectories(own.resolve("kafka-logs"));
    this.node = new KafkaNode(release, 1, own.resolve("broker"), List.of(logDir)).heapMiB(512);
    if (headpond) {
      node.with(PlugIn.find(PlugIn.Start.AGENT))
          .set("headpond.tiers", "fast")
          .set("headpond.tier.fast.paths", place.tier().toString())
          .set("headpond.tier.fast.capacity", TIER_BYTES + "B")
          .set("headpond.durability", "append");
    }
  }

  @Override
  public void start() throws IOException, InterruptedException {
    node.format().start();
    Map<String, String> settings = new HashMap<>(Map.of("segment.bytes", SEGMENT_BYTES));
    if (!headpond) {
      settings.put("flush.messages", "1");
    }
    Topics.create(node, "events", EVENT_PARTITIONS, 1, settings);
    Topics.create(node, "orders", ORDER_PARTITIONS, 1, settings);
    long seed = System.nanoTime();
    add(
        WorkloadSettings.of("events", EVENT_PARTITIONS, seed)
            .producers(2)
            .bytesPerSecond(BYTES_PER_SECOND * 3 / 4));
    add(
        WorkloadSettings.of("orders", ORDER_PARTITIONS, seed + 1)
            .compression("lz4")
            .transactions(500)
            .bytesPerSecond(BYTES_PER_SECOND / 4));
  }

  private void add(WorkloadSettings settings) {
    workloads.add(
        new Workload(settings.keys(KEYS).bufferBytes(BUFFER_BYTES), node.clientProperties()));
  }

  @Override
  public void produce() {
    workloads.forEach(Workload::start);
  }

  @Override
  public void pause() throws InterruptedException {
    for (Workload workload : workloads) {
      workload.stop();
    }
  }

  @Override
  public SentFigures figures() {
    Histogram latency = new Histogram(3);
    workloads.forEach(w -> latency.add(w.latencyInterval()));
    return new SentFigures(
        workloads.stream().mapToLong(Workload::acknowledgedRecords).sum(),
        workloads.stream().mapToLong(Workload::acknowledgedBytes).sum(),
        workloads.stream().mapToLong(Workload::failures).sum(),
        latency,
        String.join("; ", workloads.stream().flatMap(w -> w.errors().stream()).toList()));
  }

  /** True if the tier couldn't keep all of it. */
  @Override
  public boolean wroteEnough() throws IOException {
    return TierUsage.of(logDir()).homeSegments() > 0;
  }

  @Override
  public long kill() throws InterruptedException {
    long pid = node.pid();
    node.kill();
    return pid;
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    node.start();
  }

  @Override
  public ContentReport compare() throws IOException {
    VerificationReport all = VerificationReport.EMPTY;
    for (Workload workload : workloads) {
      Verification verification = Verification.of(workload, Expect.EVERYTHING);
      verifications.add(verification);
      all = all.plus(verification.run());
    }
    return new ContentReport(
        all.acknowledged(),
        all.verified(),
        all.lost(),
        all.corrupt() + all.duplicates() + all.abortedSeen(),
        all.unacknowledged(),
        all.examples());
  }

  @Override
  public long compared() {
    return verifications.stream().mapToLong(Verification::recordsRead).sum();
  }

  @Override
  public List<String> check() throws IOException, InterruptedException {
    node.stop();
    List<String> wrong = new ArrayList<>();
    StringWriter text = new StringWriter();
    CommandLine verify = new CommandLine(new VerifyCommand());
    verify.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    if (verify.execute(logDir().toString()) != 0) {
      wrong.add("headpond verify found something wrong:\n" + text);
    }
    List<Path> samples = samples();
    for (Path segment : samples) {
      ToolRun run =
          node.vanilla()
              .tool("org.apache.kafka.tools.DumpLogSegments", "--files", segment.toString());
      if (run.exitCode() != 0
          || !run.output().contains("baseOffset:")
          || run.output().contains("Found invalid")) {
        wrong.add("kafka-dump-log can't read " + segment + ":\n" + run.output());
      }
    }
    return wrong;
  }

  /** A segment of the fast tier and one of home. */
  private List<Path> samples() throws IOException {
    List<Path> samples = new ArrayList<>();
    LogDirScan.scan(
        logDir(),
        entry -> {
          boolean first =
              samples.stream().noneMatch(p -> Files.isSymbolicLink(p) == entry.linked());
          if (first && entry.bytes() > 0 && entry.partition().startsWith("events-")) {
            samples.add(entry.name());
          }
        });
    return samples;
  }

  @Override
  public List<String> files() throws IOException {
    TierUsage usage = TierUsage.of(logDir());
    return List.of(
        String.format(
            "fast tier    %s of %s, in %s",
            Units.bytes(usage.fastBytes()),
            Units.bytes(TIER_BYTES),
            Units.count(usage.fastSegments(), "segment")),
        String.format(
            "home         %s, in %s, moved there while the broker ran",
            Units.bytes(usage.homeBytes()), Units.count(usage.homeSegments(), "segment")),
        "checked      by headpond verify and, without Headpond, by Kafka's own kafka-dump-log");
  }

  @Override
  public long fastBytes() throws IOException {
    return TierUsage.of(logDir()).fastBytes();
  }

  private Path logDir() {
    return node.logDirs().get(0);
  }

  @Override
  public String tail() throws IOException {
    return node.tail();
  }

  @Override
  public void close() {
    workloads.forEach(Workload::close);
    try {
      if (node.running()) {
        node.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
