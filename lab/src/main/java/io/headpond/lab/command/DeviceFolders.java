// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options for the folders on both devices; used as {@code @Mixin}. */
final class DeviceFolders {

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "A folder on the fast device (default: ${DEFAULT-VALUE}, which is volatile).")
  private Path fast;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      defaultValue = "/var/tmp",
      description = "A folder on disk (default: ${DEFAULT-VALUE}).")
  private Path home;

  /** The folder on the fast device. */
  Path fast() {
    return fast;
  }

  /** The folder on disk. */
  Path home() {
    return home;
  }
}
