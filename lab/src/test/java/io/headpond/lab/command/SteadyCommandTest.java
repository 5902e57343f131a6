// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import org.junit.jupiter.api.Test;

class SteadyCommandTest {

  private static void assertRefused(int exitCode, String message, String option, String value) {
    Run run = Run.of("run", "steady", option, value);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.err()).contains(message);
  }

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertRefused(2, "at least 64 MiB", "--tier", "1MiB");
    assertRefused(2, "0.05 to 0.95", "--threshold", "1");
    assertRefused(2, "0.1 to 100 times the tier", "--retention", "1,200");
    assertRefused(2, "1 MiB/s at least", "--rate", "1KiB");
    assertRefused(2, "'vanilla' is no variant", "--compare", "vanilla");
  }

  @Test
  void whatHasNoRoomIsRefusedBeforeAnythingIsStarted() {
    assertRefused(1, "the tier's segments need", "--tier", "100GiB");
  }
}
