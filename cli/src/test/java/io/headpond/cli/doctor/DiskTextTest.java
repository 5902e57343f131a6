// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.DiskFacts;
import org.junit.jupiter.api.Test;

class DiskTextTest {
  @Test
  void aDiskIsDescribedInOneLine() {
    assertThat(
            DiskText.of(
                new DiskFacts("SAMSUNG MZQL2", false, "write through", true, 512, 4096, "none")))
        .isEqualTo(
            "SAMSUNG MZQL2, write cache: write through, FUA, blocks of 4.00 KiB (addressed by 512"
                + " B)");
    assertThat(DiskText.of(new DiskFacts("ST", true, "write back", false, 512, 512, "host-aware")))
        .isEqualTo("ST, rotational, zoned: host-aware, write cache: write back, blocks of 512 B");
  }

  @Test
  void ofWhatTheKernelDoesNotTellNothingIsSaid() {
    assertThat(DiskText.of(DiskFacts.UNKNOWN)).isEmpty();
  }
}
