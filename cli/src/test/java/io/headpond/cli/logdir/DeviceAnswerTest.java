// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceAnswerTest {
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofHours(1);

  /** Waits until a file of the directory says that it may end, as one of a frozen file system. */
  private static final String FROZEN = "until [ -e \"$1/thawed\" ]; do sleep 0.1; done";

  @TempDir Path directory;

  @Test
  void aDirectoryThatAnswersNeitherKeepsAFileNorIsSilent() {
    assertThat(DeviceAnswer.silence(directory)).isEmpty();
    DeviceAnswer.requireReads(directory);
    DeviceAnswer.requireWrites(directory);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aRefusalIsAnAnswer() {
    Path missing = directory.resolve("missing");
    assertThat(DeviceAnswer.silence(missing)).isEmpty();
    DeviceAnswer.requireReads(missing);
    assertThat(missing).doesNotExist();
  }

  @Test
  void whatDoesNotAnswerWithinTheLimitIsCalledSo() throws Exception {
    DeviceAnswer frozen = new DeviceAnswer(FROZEN, FROZEN, SHORT);
    try {
      assertThat(frozen.silentAtReads(directory).orElseThrow()).contains("doesn't answer");
      assertThat(frozen.silentAtWrites(directory).orElseThrow()).contains("doesn't answer");
    } finally {
      Files.createFile(directory.resolve("thawed"));
    }
    assertThat(new DeviceAnswer(FROZEN, FROZEN, LONG).silentAtWrites(directory)).isEmpty();
  }
}
