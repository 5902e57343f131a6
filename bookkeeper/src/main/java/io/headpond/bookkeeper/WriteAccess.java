// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Can a bookie make files in a directory? */
public final class WriteAccess {
  private WriteAccess() {}

  /**
   * Looks at a directory that is there.
   *
   * @return why not, and what to do; empty if it can
   */
  public static Optional<String> refusal(Path directory) throws IOException {
    if (Files.isWritable(directory)) {
      return Optional.empty();
    }
    String cause =
        Files.getFileStore(directory).isReadOnly()
            ? "its file system is mounted read-only, after an I/O error by the kernel itself (see"
                + " dmesg). Mount it writable again (mount -o remount,rw)"
            : "the bookie's user, "
                + System.getProperty("user.name")
                + ", has no right to. Give it the directory (chown)";
    return Optional.of(directory + " can't be written to: " + cause + ", and start the bookie.");
  }
}
