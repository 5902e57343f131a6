// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputCommandTest {

  private static void assertUsage(String message, String... options) {
    List<String> words = new ArrayList<>(List.of("run", "throughput"));
    words.addAll(List.of(options));
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void whatIsOneEnginesOnlyIsRefusedForTheOthers() {
    assertUsage("--backlog is for kafka", "--engine", "pulsar", "--backlog", "64MiB");
    assertUsage("--backlog is for kafka", "--engine", "bookkeeper", "--backlog", "64MiB");
    assertUsage("--journals is for bookkeeper", "--engine", "pulsar", "--journals", "1,4");
    assertUsage("--journals is for bookkeeper", "--engine", "kafka", "--journals", "4");
  }

  @Test
  void aPulsarsBaselinesAreThoseOfABookie() {
    assertUsage("'vanilla-disk' is no variant", "--engine", "pulsar", "--compare", "vanilla-disk");
    assertUsage("at least one other variant", "--engine", "pulsar", "--compare", "headpond");
  }
}
