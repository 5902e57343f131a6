// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstCommandTest {

  private static Run burst(String... options) {
    List<String> words = new ArrayList<>(List.of("run", "burst"));
    words.addAll(List.of(options));
    return Run.of(words.toArray(String[]::new));
  }

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("below what home takes", "--home-rate", "40MiB");
    assertUsage("below what home takes", "--base-rate", "12MiB/s");
    assertUsage("at least 64 MiB", "--tier", "1MiB");
    assertUsage("0.05 to 0.95", "--threshold", "1");
    assertUsage("more than a day", "--tier", "1000GiB");
    assertUsage("'vanilla' is no variant", "--compare", "vanilla");
    assertUsage("1MiB to 64MiB", "--segment-bytes", "128MiB");
    assertUsage("--profile", "--profile", "sawtooth");
  }

  private static void assertUsage(String message, String... options) {
    Run run = burst(options);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Run run = burst("--home", "/no/such/folder");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("/no/such/folder", "--home");
  }

  @Test
  void whatHasNoRoomIsRefusedBeforeAnythingIsStarted() {
    Run run = burst("--tier", "100GiB", "--burst-rate", "4GiB", "--home-rate", "2GiB");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("MiB free in /dev/shm", "name another folder");
  }
}
