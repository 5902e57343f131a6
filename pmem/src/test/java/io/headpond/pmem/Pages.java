// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pages of this kernel: 4 KiB, on arm64 up to 64 KiB. */
final class Pages {
  private Pages() {}

  /** The size of one: proc_pid_smaps(5) says "KernelPageSize: 4 kB" of each mapping. */
  static int bytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.startsWith("KernelPageSize:")) {
        return Integer.parseInt(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("/proc/self/smaps names no page size");
  }
}
