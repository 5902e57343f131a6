// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvdimmTest {
  private static final long KHZ_MIN = 100_000;
  private static final long KHZ_MAX = 20_000_000;

  /** A guest's kernel corrects it where it is wrong by less than one per cent. */
  @Test
  void theRateOfTheTimeStampCounterIsMeasured(@TempDir Path folder) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/gcc"))
            && System.getProperty("os.arch").equals("amd64"));
    try (HostPrograms host = new HostPrograms()) {
      long khz = Nvdimm.tscKhz(folder, host);
      assertThat(khz).isBetween(KHZ_MIN, KHZ_MAX);
      assertThat(Nvdimm.tscKhz(folder, host)).isCloseTo(khz, withPercentage(1));
    }
  }
}
