// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsAtHomeTest {

  private Path home;
  private Path fast;

  @BeforeEach
  void folders(@TempDir Path folder) throws IOException {
    home = Files.createDirectory(folder.resolve("home"));
    fast = Files.createDirectory(folder.resolve("fast"));
  }

  private Path log(Path folder, String name, int bytes) throws IOException {
    return Files.write(folder.resolve(name), new byte[bytes]);
  }

  @Test
  void whatLiesBehindALinkIsNotAtHome() throws Exception {
    log(home, "1.log", 1_000);
    log(home, "1.index", 500);
    Files.createSymbolicLink(home.resolve("2.log"), log(fast, "2.log", 4_000));
    assertThat(LogsAtHome.in(home).bytes()).isEqualTo(1_000);
  }

  @Test
  void itIsAwaitedUntilTheLinkIsAFile() throws Exception {
    Path link = Files.createSymbolicLink(home.resolve("2.log"), log(fast, "2.log", 4_000));
    int[] ticks = {0};
    LogsAtHome.in(home)
        .await(
            4_000,
            Duration.ofMinutes(1),
            () -> {
              if (++ticks[0] == 3) {
                Files.move(
                    log(home, "2.log.move", 4_000), link, StandardCopyOption.REPLACE_EXISTING);
              }
            });
    assertThat(ticks[0]).isEqualTo(3);
  }

  @Test
  void whatDoesNotComeHomeIsAnErrorThatSaysWhere() {
    assertThatThrownBy(
            () -> LogsAtHome.in(home).await(1 << 20, Duration.ZERO, () -> Thread.onSpinWait()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("only 0 of 1 MiB")
        .hasMessageContaining(home.toString());
  }

  @Test
  void whatIsForgottenIsStillThere() throws Exception {
    Path log = log(home, "1.log", 300_000);
    LogsAtHome.in(home).forget();
    assertThat(log).hasSize(300_000);
  }
}
