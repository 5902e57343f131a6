// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import org.junit.jupiter.api.Test;

class FailureCommandTest {

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("10 to 100,000 messages/s", "--rate", "1");
    assertUsage("64 to 1,000,000 bytes", "--size", "4GiB");
    assertUsage("'dead' lasts 1 to 600 seconds", "--dead-seconds", "0");
    assertUsage("more than 8 GiB", "--rate", "100000", "--size", "100000B");
    assertUsage("at least one other variant", "--compare", "headpond");
    assertUsage("'default-disk' is no variant", "--compare", "default-disk");
    assertUsage("--quorum is for bookkeeper", "--quorum", "2-2-2");
  }

  @Test
  void wrongUsageOfBookiesSaysWhatIsWrong() {
    assertUsage(
        "'vanilla-disk' is no variant", "--engine", "bookkeeper", "--compare", "vanilla-disk");
    assertUsage("2-2-2 or 3-3-2, not 3-2-2", "--engine", "bookkeeper", "--quorum", "3-2-2");
  }

  private static void assertUsage(String message, String... options) {
    String[] words = new String[options.length + 2];
    words[0] = "run";
    words[1] = "failure";
    System.arraycopy(options, 0, words, 2, options.length);
    Run run = Run.of(words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }
}
