// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final int BYTES = 64 << 20;
  private static final int PAGES = BYTES / Window.PAGE_BYTES;

  /** Field 10 of proc_pid_stat(5). */
  private static long minorFaults() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[7]);
  }

  private static long faultsOfTouching(BackingFile file, boolean around) throws IOException {
    Window window = Mapper.map(file, 0, BYTES, new Mapping(PersistBackend.NONE, false));
    try {
      long before = minorFaults();
      window.touch(0, around);
      return minorFaults() - before;
    } finally {
      window.unmap();
    }
  }

  @Test
  void readingAroundMapsTmpfsWritableWithAFractionOfTheFaults() throws IOException {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(shm) && Files.getFileStore(shm).type().equals("tmpfs"));
    Path path = Files.createTempFile(shm, "headpond-window", ".log");
    try (BackingFile file = new BackingFile(path, false)) {
      file.writeZeros(0, BYTES, StopSignal.NEVER);
      assertThat(faultsOfTouching(file, false)).isGreaterThanOrEqualTo(PAGES);
      assertThat(faultsOfTouching(file, true)).isLessThan(PAGES / 2);
    } finally {
      Files.delete(path);
    }
  }
}
