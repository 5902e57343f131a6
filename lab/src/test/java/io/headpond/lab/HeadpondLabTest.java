// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeadpondLabTest {

  @Test
  void theVersionNamesTheCommand() {
    for (String[] words : new String[][] {{"--version"}, {"run", "kafka", "--version"}}) {
      Run run = Run.of(words);
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).startsWith("headpond-lab ").doesNotContain("${");
    }
  }

  @Test
  void aMissingScenarioIsWrongUsageAndAllAreNamed() {
    Run run = Run.of("run");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("headpond-lab: ")
        .contains("kafka, bookkeeper", "latency", "migration", "'headpond-lab run --help'");
  }

  @Test
  void aScenarioThatWasProbablyMeantIsNamed() {
    Run run = Run.of("run", "latncy");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("did you mean latency");
    assertThat(Run.of("rnu").err()).contains("unknown command 'rnu'; did you mean run?");
  }

  @Test
  void aHiddenCommandIsntProposed() {
    assertThat(Run.of("agnet").err()).doesNotContain(" agent");
  }
}
