// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.harness.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostProgramsTest {
  @TempDir Path folder;

  @Test
  void aProgramThatIsntInstalledIsNamedWithItsPackage() {
    assertThatThrownBy(() -> HostPrograms.find("no-such-program-headpond", "some-package"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no-such-program-headpond isn't installed")
        .hasMessageContaining("apt-get install some-package");
  }

  @Test
  void aProgramThatFailsIsAnErrorWithItsLastWords() {
    try (HostPrograms host = new HostPrograms()) {
      assertThatThrownBy(
              () -> host.run("shell", List.of("sh", "-c", "echo no room; exit 3"), folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("shell failed with 3: no room");
    }
  }

  @Test
  void closingEndsWhatRunsWithWhatThatHasStartedAndLetsNothingStart() throws Exception {
    HostPrograms host = new HostPrograms();
    ChildProcess shell =
        host.start("shell", List.of("sh", "-c", "sleep 600 & wait"), folder, folder.resolve("out"));
    ProcessHandle parent = ProcessHandle.of(shell.pid()).orElseThrow();
    while (parent.descendants().findAny().isEmpty()) {
      Thread.onSpinWait();
    }
    List<ProcessHandle> children = parent.descendants().toList();
    host.close();
    assertThat(shell.alive()).isFalse();
    assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(host.closed()).isTrue();
    assertThatThrownBy(() -> host.run("shell", List.of("true"), folder))
        .hasMessageContaining("interrupted");
  }
}
