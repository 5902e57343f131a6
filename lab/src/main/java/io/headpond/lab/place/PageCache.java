// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.place;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The kernel's copies of what lies on disk. */
public final class PageCache {

  private PageCache() {}

  /** Forces what was written to {@code file}, and drops its copies: who reads it meets the disk. */
  public static void forget(Path file) throws IOException, InterruptedException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(false);
    }
    run(
        file + " can't be dropped from the page cache",
        "dd",
        "if=" + file,
        "iflag=nocache",
        "count=0",
        "status=none");
  }

  /** Forces all that was written to the file system that has {@code folder}. */
  public static void force(Path folder) throws IOException, InterruptedException {
    run(folder + " can't be synced", "sync", "-f", folder.toString());
  }

  private static void run(String failure, String... command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(failure + ": " + said);
    }
  }
}
