// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.process.JavaHome;
import io.headpond.lab.results.Label;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The devices and the Java that engines run on; used as {@code @Mixin}. */
final class EnginePlace {

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "A folder on the fast device (default: memory, ${DEFAULT-VALUE}).")
  private Path fast;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      defaultValue = "/var/tmp",
      description = "A folder on disk (default: ${DEFAULT-VALUE}).")
  private Path home;

  @Option(
      names = "--java",
      paramLabel = "HOME",
      description = "The JAVA_HOME that runs the engines (default: this command's own).")
  private Path java;

  @Mixin private HomeLimit limit;

  /**
   * Does a command's work, with a limited home if that was asked for, after refusing folders that
   * can't be used.
   *
   * @param json may be null
   * @return the exit code
   */
  int run(CommandSpec spec, Path json, HomeLimit.Work work)
      throws IOException, InterruptedException {
    FolderCheck.writable(fast, home, json);
    return limit.run(spec, home, work);
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

  /** What must be said of home wherever a figure is shown. */
  List<Label> labels() {
    return limit.labels();
  }

  /** The same, a line each. */
  void printLabels(PrintWriter out) {
    limit.print(out);
  }

  /** On the fast device. */
  Path fast() {
    return fast;
  }

  /** True if a power cut takes what the fast device holds. */
  boolean fastIsVolatile() throws IOException {
    return Device.detect(fast).durability() == Durability.VOLATILE;
  }

  /** On disk, the limited one while the work is done. */
  Path home() {
    return limit.home(home);
  }

  /** The Java that runs the engines. */
  JavaHome java() throws IOException {
    return java == null ? JavaHome.current() : JavaHome.at(java);
  }
}
