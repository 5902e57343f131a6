// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.process.JavaHome;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.nio.file.Path;
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

  /** Refuses folders that can't be used; {@code json} may be null. */
  void check(Path json) {
    FolderCheck.writable(fast, home, json);
  }

  /** On the fast device. */
  Path fast() {
    return fast;
  }

  /** True if a power cut takes what the fast device holds. */
  boolean fastIsVolatile() throws IOException {
    return Device.detect(fast).durability() == Durability.VOLATILE;
  }

  /** On disk. */
  Path home() {
    return home;
  }

  /** The Java that runs the engines. */
  JavaHome java() throws IOException {
    return java == null ? JavaHome.current() : JavaHome.at(java);
  }
}
