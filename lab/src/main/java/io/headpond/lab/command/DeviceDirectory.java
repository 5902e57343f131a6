// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The directory whose device is measured; used as {@code @Mixin}. */
final class DeviceDirectory {

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "A directory on the device (default: ${DEFAULT-VALUE}, which is volatile).")
  private Path path;

  /** Refused if it is no directory. */
  Path checked() {
    FolderCheck.directory(path);
    return path;
  }
}
