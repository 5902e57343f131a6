// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirtyPagesTest {

  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void machine() throws IOException {
    machine = new FakeMachine(root);
  }

  private DirtyPages now() throws IOException {
    return DirtyPages.now(machine.files());
  }

  /** A second read of such a file gets nothing, and a first one can be too small. */
  @Test
  void theKernelsNumbersAreReadWhole() throws Exception {
    StringBuilder all = new StringBuilder();
    for (String name :
        List.of("bytes", "background_bytes", "ratio", "background_ratio", "expire_centisecs")) {
      Process cat = new ProcessBuilder("cat", "/proc/sys/vm/dirty_" + name).start();
      all.append(new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }
    DirtyPages now = DirtyPages.now(SystemFiles.ofMachine());
    String expire =
        SystemFiles.text(SystemFiles.ofMachine().virtualMemory().resolve("dirty_expire_centisecs"));
    assertThat(
            List.of(now.bytes(), now.backgroundBytes(), now.ratio(), now.backgroundRatio(), expire))
        .hasToString("[" + String.join(", ", all.toString().split("\n")) + "]");
  }

  @Test
  void aQuarterIsWrittenBackInTheBackground() throws IOException {
    DirtyPages.atMost(256 << 20).set(machine.files());
    assertThat(machine.content("proc/sys/vm/dirty_bytes")).isEqualTo("268435456");
    assertThat(machine.content("proc/sys/vm/dirty_background_bytes")).isEqualTo("67108864");
  }

  @Test
  void percentagesAreRestoredAsPercentages() throws IOException {
    DirtyPages former = now();
    DirtyPages set = DirtyPages.atMost(256 << 20);
    machine.memory(set.bytes(), set.backgroundBytes(), 0, 0); // as the kernel has it then
    former.restore(machine.files(), set);
    assertThat(machine.content("proc/sys/vm/dirty_ratio")).isEqualTo("20");
    assertThat(machine.content("proc/sys/vm/dirty_background_ratio")).isEqualTo("10");
    assertThat(machine.content("proc/sys/vm/dirty_bytes")).as("0 is refused").isNotEqualTo("0");
  }

  @Test
  void bytesAreRestoredAsBytes() throws IOException {
    DirtyPages former = new DirtyPages(1 << 30, 1 << 28, 0, 0);
    DirtyPages set = DirtyPages.atMost(256 << 20);
    machine.memory(set.bytes(), set.backgroundBytes(), 0, 0);
    former.restore(machine.files(), set);
    assertThat(now()).isEqualTo(former);
  }

  @Test
  void whatSomebodyElseHasSetSinceStays() throws IOException {
    DirtyPages former = now();
    machine.memory(7 << 20, 1 << 20, 0, 0);
    former.restore(machine.files(), DirtyPages.atMost(256 << 20));
    assertThat(now()).isEqualTo(new DirtyPages(7 << 20, 1 << 20, 0, 0));
  }

  @Test
  void whatWasHalfSetIsRestored() throws IOException {
    DirtyPages former = now();
    DirtyPages set = DirtyPages.atMost(256 << 20);
    machine.memory(0, set.backgroundBytes(), 20, 0);
    former.restore(machine.files(), set);
    assertThat(machine.content("proc/sys/vm/dirty_background_ratio")).isEqualTo("10");
    assertThat(machine.content("proc/sys/vm/dirty_ratio")).isEqualTo("20");
  }
}
