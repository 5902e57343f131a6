// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headpond.cli.console.Json;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.FiguresCsv;
import io.headpond.lab.results.HistogramLogs;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The options for the devices and the Java that engines run on, and for the results; used as
 * {@code @Mixin}.
 */
final class RunPlace {

  @Mixin private DeviceFolders folders;

  @Option(
      names = "--java",
      paramLabel = "HOME",
      description = "The JAVA_HOME that runs the engines (default: this command's own).")
  private Path java;

  @Mixin private HomeLimit limit;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures into FILE.")
  private Path json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write each round's value of each figure as a line into FILE.")
  private Path csv;

  @Option(
      names = "--hdr",
      paramLabel = "DIR",
      description = "Write the latencies as HdrHistogram logs into DIR, which must be there.")
  private Path hdr;

  /**
   * Does a command's work, with a limited home if that was asked for, after refusing folders that
   * can't be used.
   *
   * @return the exit code
   */
  int run(CommandSpec spec, HomeLimit.Work work) throws IOException, InterruptedException {
    FolderCheck.writable(folders.fast(), folders.home(), json);
    check();
    return limit.run(spec, folders.home(), work);
  }

  /** Measures a limited home once more, when no engine is at work. */
  void measureHome() throws IOException, InterruptedException {
    limit.measure();
  }

  /**
   * The rate at which a limited home takes large writes, bytes a second; empty: it has no limit.
   */
  OptionalLong homeBytesPerSecond() {
    return limit.bytesPerSecond();
  }

  /** The labels of home, shown beside each figure; {@link #write} adds them by itself. */
  List<Label> labels() {
    return limit.labels();
  }

  /** Prints the labels of home, a line each. */
  void printLabels(PrintWriter out) {
    limit.print(out);
  }

  private void check() {
    if (csv != null) {
      FolderCheck.writable(csv.toAbsolutePath().getParent(), "--csv");
    }
    if (hdr != null) {
      FolderCheck.writable(hdr, "--hdr");
    }
  }

  /** Rigs of this release, for loads that need {@code bytesMin}. */
  RigSettings rigs(EngineRelease release, long bytesMin) throws IOException {
    return RigSettings.of(release, java(), fast(), home(), bytesMin);
  }

  /** The Java that runs the engines. */
  JavaHome java() throws IOException {
    return java == null ? JavaHome.current() : JavaHome.at(java);
  }

  /** The folder on the fast device. */
  Path fast() {
    return folders.fast();
  }

  /** The folder on disk, the limited one while the work is done. */
  Path home() {
    return limit.home(folders.home());
  }

  /** True if a power cut takes what the fast device holds. */
  boolean fastIsVolatile() throws IOException {
    return Device.detect(folders.fast()).durability() == Durability.VOLATILE;
  }

  /** Writes what was asked for. */
  void write(BenchRun run, Measurement measured) throws IOException {
    List<Label> labels = new ArrayList<>(labels());
    labels.addAll(measured.labels());
    ObjectNode document = run.document(measured.with(labels));
    if (json != null) {
      Json.write(json, document);
    }
    if (csv != null) {
      FiguresCsv.write(csv, measured.figures());
    }
    if (hdr != null) {
      HistogramLogs.write(hdr, measured.latencies());
    }
  }
}
