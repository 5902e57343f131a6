// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UpkeepCommandTest {

  private static void assertUsage(String message, String... options) {
    Run run =
        Run.of(
            Stream.concat(Stream.of("run", "upkeep"), Stream.of(options)).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("'clean' is none of delete, compact, restart, crash", "--chores", "clean");
    assertUsage("each named once", "--chores", "delete,delete");
    assertUsage("128MiB at least", "--topic", "64MiB");
    assertUsage("4 to 10,000 segments of 1 MiB", "--segments", "1000");
    assertUsage("less than what home takes", "--rate", "1000000");
    assertUsage("1 to 100 rounds", "--rounds", "0");
    assertUsage("'vanilla' is no variant", "--compare", "vanilla");
    assertUsage("compared with other variants", "--compare", "headpond");
  }
}
