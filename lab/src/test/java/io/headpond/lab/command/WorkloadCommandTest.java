// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadCommandTest {

  private static final String EXAMPLE = "../conf/workloads/1-topic-16-partitions-1kb.yaml";

  @TempDir Path folder;

  @Test
  void aFileThatCanNotBeRunIsRefusedBeforeAnythingIsStarted() throws IOException {
    Path file = folder.resolve("w.yaml");
    Files.writeString(
        file, Files.readString(Path.of(EXAMPLE)).replace("messageSize: 1024", "messageSize: -1"));
    Run run = Run.of("workload", EXAMPLE, file.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("w.yaml: messageSize: is -1", "64 to 1000000");
  }

  @Test
  void wrongUsageSaysWhatIsWrong() {
    assertUsage("FILE");
    assertUsage("kafka only", EXAMPLE, "--engine", "bookkeeper");
    assertUsage("--rounds goes from 1", EXAMPLE, "--rounds", "101");
    assertUsage("'vanilla' is no variant", EXAMPLE, "--compare", "vanilla");
  }

  private static void assertUsage(String message, String... options) {
    String[] words = new String[options.length + 1];
    words[0] = "workload";
    System.arraycopy(options, 0, words, 1, options.length);
    Run run = Run.of(words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }
}
