// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.JavaHome;
import io.headpond.bench.scenario.RigSettings;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a scenario runs and where its results go; used as {@code @Mixin}. */
final class RunPlace {

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

  /** Refuses folders that can't be used. */
  void check() {
    FolderCheck.writable(fast, home, json);
    if (csv != null) {
      FolderCheck.writable(csv.toAbsolutePath().getParent(), "--csv");
    }
    if (hdr != null) {
      FolderCheck.writable(hdr, "--hdr");
    }
  }

  /** Rigs of this release. */
  RigSettings rigs(EngineRelease release) throws IOException {
    return RigSettings.of(
        release, java == null ? JavaHome.current() : JavaHome.at(java), fast, home);
  }

  /** Whether a power cut takes what the fast device holds. */
  boolean fastIsVolatile() throws IOException {
    return Device.detect(fast).durability() == Durability.VOLATILE;
  }

  /** Null: none is wanted. */
  Path json() {
    return json;
  }

  /** Null: none are wanted. */
  Path hdr() {
    return hdr;
  }

  /** Null: none is wanted. */
  Path csv() {
    return csv;
  }
}
