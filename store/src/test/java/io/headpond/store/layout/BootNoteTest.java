// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The time of the machine's start, since which nothing in the page cache was lost. */
class BootNoteTest {
  @Test
  void aMachineIsAsOldAsItsKernelSaysAndNotAsAContainerDoes() {
    final long nowMs = 1_700_000_000_000L;
    final long marginMs = 60_000;
    final String stat = "cpu  1 2 3\nintr 4\nbtime 1699990000\nprocesses 5\n";
    assertThat(BootNote.bootMs("5.25 3.00\n", stat, nowMs))
        .isEqualTo(1_699_990_000_000L - marginMs);
    assertThat(BootNote.bootMs("20000.50 3.00\n", stat, nowMs))
        .isEqualTo(nowMs - 20_000_500 - marginMs);
    assertThat(BootNote.bootMs(Path.of("/").getFileSystem(), System.currentTimeMillis()))
        .isBetween(0L, System.currentTimeMillis());
  }
}
