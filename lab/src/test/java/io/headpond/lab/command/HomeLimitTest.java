// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HomeLimitTest {

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("run", "latency", "--engine", "kafka"),
          List.of("run", "burst"),
          List.of("run", "steady"),
          List.of("run", "kafka"),
          List.of("run", "bookkeeper"),
          List.of("run", "failure"),
          List.of("run", "migration"));

  private static void assertRefused(int exitCode, String message, String... options) {
    for (List<String> command : COMMANDS) {
      Run run = Run.of(Stream.concat(command.stream(), Stream.of(options)).toArray(String[]::new));
      assertThat(run.exitCode()).as(command + ": " + run.err()).isEqualTo(exitCode);
      assertThat(run.err()).as(command.toString()).contains(message);
    }
  }

  @Test
  void aLimitThatIsNoneIsWrongUsage() {
    assertRefused(2, "'fast' is no limit of a disk", "--home-limit", "fast");
    assertRefused(2, "from 20iops", "--home-limit", "50MB/s,3iops");
  }

  @Test
  void itsOptionsGoWithIt() {
    assertRefused(2, "go with --home-limit", "--page-cache", "256MiB");
    assertRefused(2, "go with --home-limit", "--home-size", "4GiB");
    assertRefused(2, "256MiB at least", "--home-limit", "gp3", "--home-size", "1MiB");
  }

  @Test
  void memoryWithoutASizeIsRefusedBeforeAnythingIsStarted() {
    // Who isn't root is refused for that, and names the option, too.
    assertRefused(1, "--home-", "--home-limit", "gp3", "--home", "/dev/shm");
  }
}
