// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import org.junit.jupiter.api.Test;

class KafkaCommandTest {

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("'vanilla' is no variant", "--compare", "vanilla");
    assertUsage("rounds go from 1 to 100", "--rounds", "0");
    assertUsage("not a size", "--sizes", "1024");
    assertUsage("not 2147483647", "--sizes", "3GiB");
    assertUsage("acks is 1 or all", "--acks", "0");
    assertUsage("consume needs the records", "--measures", "consume");
  }

  private static void assertUsage(String message, String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "run";
    all[1] = "kafka";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    Run run = Run.of(all);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Run run = Run.of("run", "kafka", "--home", "/no/such/folder");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("/no/such/folder", "--home");
  }
}
