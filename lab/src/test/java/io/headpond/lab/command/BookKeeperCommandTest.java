// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BookKeeperCommandTest {

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("'vanilla' is no variant", "--compare", "vanilla");
    assertUsage("headpond is what the others are compared with", "--compare", "headpond");
    assertUsage("bookies are started 1 to 100 times, not 0", "--starts", "0");
    assertUsage("1 to 1000 rounds", "--rounds", "0");
    assertUsage("an entry has 64 B to 4 MiB", "--sizes", "16B");
    assertUsage("an entry has 64 B to 4 MiB", "--sizes", "3GiB");
    assertUsage("a window is 1 to 10000 adds", "--windows", "0");
    assertUsage("more than the 64 MiB", "--sizes", "1MiB", "--windows", "256");
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Run run = Run.of("run", "bookkeeper", "--fast", "/no/such/folder");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("/no/such/folder", "--fast");
  }

  private static void assertUsage(String message, String... arguments) {
    Run run =
        Run.of(
            Stream.concat(Stream.of("run", "bookkeeper"), Stream.of(arguments))
                .toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }
}
