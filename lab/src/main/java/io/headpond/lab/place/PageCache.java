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
    Process process =
        new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("cannot drop " + file + " from the page cache: " + said);
    }
  }
}
