// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Room on a device, asked for before anything is started. */
public final class FreeSpace {

  private FreeSpace() {}

  /**
   * Refuses a folder whose file system has less than {@code bytes} left.
   *
   * @param whose who needs them, in words
   * @param otherwise what else can be done than to name another folder
   */
  public static void require(Path folder, long bytes, String whose, String otherwise)
      throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < bytes) {
      throw new IOException(
          String.format(
              "%s need %d MiB free in %s, and there are %d MiB; name another folder, or %s",
              whose, bytes >> 20, folder, free >> 20, otherwise));
    }
  }
}
