// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import org.junit.jupiter.api.Test;

class IsolationCommandTest {

  private static void assertUsage(String message, String... options) {
    String[] words = new String[options.length + 2];
    words[0] = "run";
    words[1] = "isolation";
    System.arraycopy(options, 0, words, 2, options.length);
    Run run = Run.of(words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void ofABookieItIsAnotherCommand() {
    assertUsage("headpond-lab run ledgers", "--engine", "bookkeeper");
  }

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("--engine");
    assertUsage("16MiB or more", "--engine", "kafka", "--backlog", "1MiB");
    assertUsage("--tails goes from 0 to 4", "--engine", "kafka", "--tails", "5");
    assertUsage("a pace has", "--engine", "kafka", "--rate", "-1");
    assertUsage("64 to 1,000,000 bytes", "--engine", "kafka", "--size", "1B");
    assertUsage("'vanilla' is no variant", "--engine", "kafka", "--compare", "vanilla");
  }
}
