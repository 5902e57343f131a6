// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Headpond;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.layout.LogDirScan;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import picocli.CommandLine;

/** A broker with one fast tier, or several, and the checks that every test ends with. */
final class HeadpondBroker implements AutoCloseable {

  /** Most zeros of a file that is kept ready for a log's next segment. */
  private static final int KEPT_READY_BYTES = 64 << 10;

  private final KafkaNode node;
  private final Map<String, Path> tiers = new LinkedHashMap<>();
  private final List<Path> logDirs;
  private final Map<Workload, Expect> workloads = new LinkedHashMap<>();

  /**
   * With Headpond on, formatted, not yet started.
   *
   * @param logDirs names of its log directories, one or more
   */
  HeadpondBroker(Workspace workspace, EngineRelease kafka, JavaHome java, int id, String... logDirs)
      throws IOException, InterruptedException {
    Path tier = workspace.tier("fast-" + id);
    tiers.put("fast", tier);
    this.logDirs = new ArrayList<>();
    for (String name : logDirs) {
      this.logDirs.add(workspace.folder(name));
    }
    this.node = new KafkaNode(kafka, id, workspace.folder("node-" + id), this.logDirs).java(java);
    node.with(PlugIn.find(PlugIn.Start.AGENT))
        .set("headpond.tiers", "fast")
        .jvmArgument("-Dheadpond.internal.maps.memory=true") // as persistent memory is
        .set("headpond.tier.fast.paths", tier.toString())
        .set("headpond.tier.fast.capacity", "1GiB")
        .set("log.initial.task.delay.ms", "500")
        .set("log.segment.delete.delay.ms", "1000")
        .set("log.retention.check.interval.ms", "500")
        .set("log.cleaner.backoff.ms", "200")
        .set("log.cleaner.dedupe.buffer.size", "16777216");
  }

  KafkaNode node() {
    return node;
  }

  /** Sets a key, or takes it out if the value is empty; counts from the next start. */
  void set(String key, String value) {
    if (value.isEmpty()) {
      node.unset(key);
    } else {
      node.set(key, value);
    }
  }

  /** Takes another directory as the fast tier; before the first start. */
  void tier(Path directory) {
    tiers.put("fast", directory);
    node.set("headpond.tier.fast.paths", directory.toString());
  }

  /** One more tier, below those there are; before the first start. */
  void tierBelow(String name, Path directory, String capacity) {
    tiers.put(name, directory);
    node.set("headpond.tiers", String.join(",", tiers.keySet()))
        .set("headpond.tier." + name + ".paths", directory.toString())
        .set("headpond.tier." + name + ".capacity", capacity);
  }

  /** The fast tier's directory. */
  Path tier() {
    return tier("fast");
  }

  Path tier(String name) {
    return tiers.get(name);
  }

  List<Path> logDirs() {
    return logDirs;
  }

  /** A workload that the checks at the end verify; closed with the broker. */
  Workload add(Workload workload, Expect expect) {
    workloads.put(workload, expect);
    return workload;
  }

  /** No longer verified: its topic is gone. */
  void forget(Workload workload) {
    workloads.remove(workload);
  }

  /** Every workload's records, by content. */
  void verifyRecords() throws IOException {
    for (Map.Entry<Workload, Expect> entry : workloads.entrySet()) {
      verifyRecords(entry.getKey(), entry.getValue());
    }
  }

  VerificationReport verifyRecords(Workload workload, Expect expect) throws IOException {
    VerificationReport report = Verification.of(workload, expect).run(node.clientProperties());
    assertThat(report.clean())
        .as("%s: %s\n%s", workload.settings().topic(), report, node.tail())
        .isTrue();
    assertThat(report.acknowledged()).isPositive();
    assertThat(report.verified() + report.expired() + report.superseded())
        .isEqualTo(report.acknowledged());
    assertThat(report.verified()).as("of %s", workload.settings().topic()).isPositive();
    return report;
  }

  /** {@code headpond verify} finds nothing. */
  void verifyFiles() {
    Command run = headpond("verify", logDirs);
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  /**
   * What must hold after everything a broker may have gone through: its files are right, vanilla
   * Kafka starts on them and has every record, and {@code headpond drain} leaves the same segments.
   */
  void verifyEverythingAndLeave() throws Exception {
    assertThat(links()).as("segments in the fast tier").isPositive();
    verifyWhereverItIsAndLeave();
  }

  /** The same where a full tier may have sent every segment home. */
  void verifyWhereverItIsAndLeave() throws Exception {
    verifyRecords();
    // A stop in the middle of a move leaves a copy for the next start to put away.
    awaitReclaimed();
    node.stop();
    verifyFiles();
    node.vanilla().start();
    verifyRecords();
    node.stop();
    Map<Path, Long> before = checksums();
    drain();
    assertThat(checksums()).as("segments after drain").isEqualTo(before);
  }

  /** After the plug-in was left: vanilla Kafka starts on what a drain has left. */
  void verifyAfterLeaving() throws Exception {
    node.start();
    verifyRecords();
    node.stop();
  }

  /** Of the bytes of every segment, wherever it lies. */
  private Map<Path, Long> checksums() throws IOException {
    Map<Path, Long> all = new TreeMap<>();
    byte[] buffer = new byte[1 << 20];
    for (Path logDir : logDirs) {
      LogDirScan.scan(
          logDir,
          entry -> {
            CRC32C checksum = new CRC32C();
            try (InputStream in = Files.newInputStream(entry.name())) {
              for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                checksum.update(buffer, 0, read);
              }
            }
            all.put(entry.name(), checksum.getValue());
          });
    }
    return all;
  }

  /** {@code headpond drain}; afterwards nothing leads into a tier and the tier holds nothing. */
  void drain() throws IOException {
    for (Path logDir : logDirs) {
      Command run = headpond("drain", List.of(logDir));
      assertThat(run.exitCode()).as(run.output()).isZero();
    }
    assertThat(links()).as("links after drain").isZero();
    assertThat(tierFiles()).as("files in the tiers after drain").isEmpty();
  }

  /** Number of segments that lie in a tier. */
  long links() throws IOException {
    long[] count = new long[1];
    for (Path logDir : logDirs) {
      LogDirScan.scan(logDir, entry -> count[0] += entry.linked() ? 1 : 0);
    }
    return count[0];
  }

  /** Number of segments of a topic that lie in a tier, and of those at home. */
  long[] placement(String topic) throws IOException {
    long[] count = new long[2];
    for (Path logDir : logDirs) {
      LogDirScan.scan(
          logDir,
          entry -> {
            if (entry.partition().startsWith(topic + "-")) {
              count[entry.linked() ? 0 : 1]++;
            }
          });
    }
    return count;
  }

  /** Segment files in the tiers, whether a link leads there or not; not those kept ready. */
  List<Path> tierFiles() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path tier : tiers.values()) {
      Path segments = tier.resolve("segments");
      if (Files.isDirectory(segments)) {
        try (Stream<Path> files = Files.walk(segments)) {
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.getFileName().toString().contains(".next.") || written(file))
              .forEach(all::add);
        }
      }
    }
    return all;
  }

  /** Is there more in the file than the zeros of one that is kept ready? */
  private static boolean written(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      for (byte each : in.readNBytes(KEPT_READY_BYTES)) {
        if (each != 0) {
          return true;
        }
      }
      return false;
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Waits until nothing is being moved, and the tiers hold nothing that no link leads to: what was
   * deleted or has moved has given its space back.
   */
  void awaitReclaimed() throws Exception {
    Await.until("every file in a tier is linked", () -> !copying());
  }

  /** Is there a file that no name leads to, as a copy in the making? */
  boolean copying() throws IOException {
    for (Path logDir : logDirs) {
      if (!LogDirScan.unfinishedMoves(logDir).isEmpty()) {
        return true;
      }
    }
    return tierFiles().size() > links();
  }

  /** How a {@code headpond} command ended. */
  record Command(int exitCode, String output) {}

  static Command headpond(String command, List<Path> paths, String... more) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    CommandLine line = Headpond.commandLine().setOut(out).setErr(out);
    List<String> arguments = new ArrayList<>(List.of(command));
    paths.forEach(p -> arguments.add(p.toString()));
    arguments.addAll(Arrays.asList(more));
    int exitCode = line.execute(arguments.toArray(new String[0]));
    return new Command(exitCode, text.toString());
  }

  @Override
  public void close() {
    workloads.keySet().forEach(Workload::close);
    node.close();
  }
}
