// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at the folders that a benchmark was given, before it starts anything. */
final class FolderCheck {

  private FolderCheck() {}

  /** Refuses what is no directory. */
  static void directory(Path... directories) {
    for (Path directory : directories) {
      if (!Files.isDirectory(directory)) {
        throw new CommandFailure(directory + ": not a directory", "name one on the device");
      }
    }
  }

  /** Refuses a folder in which nothing can be made; {@code option} names another. */
  static void writable(Path folder, String option) {
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new CommandFailure(
          "there is no writable folder " + folder, "make it, or name another by " + option);
    }
  }

  /** The same for the folders of a comparison, and that of its {@code json} unless it is null. */
  static void writable(Path fast, Path home, Path json) {
    writable(fast, "--fast");
    writable(home, "--home");
    if (json != null) {
      writable(json.toAbsolutePath().getParent(), "--json");
    }
  }
}
