// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refusals, before anything is set up; {@code LimitedHomeIT} has a real one. */
class LimitedHomeTest {

  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void machine() throws IOException {
    machine = new FakeMachine(root);
    machine.version1("");
  }

  private void assertRefused(Path home, long bytes, String... message) throws IOException {
    LimitedHome.Settings settings =
        new LimitedHome.Settings(home, DiskLimit.parse("gp3"), bytes, 0, Duration.ofMillis(100));
    try (LimitedHome limited =
        new LimitedHome(machine.files(), machine.programs(), settings, text -> {})) {
      assertThatThrownBy(limited::start)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(message);
    }
    assertThat(machine.calls()).isEmpty();
    assertThat(HomeRecord.all(machine.files())).isEmpty();
  }

  private static boolean root() throws IOException {
    return SystemFiles.ofMachine().user() == 0;
  }

  @Test
  void onlyRootCanLimitADisk() throws IOException {
    if (root()) {
      Files.setAttribute(machine.path("proc/self"), "unix:uid", 1000);
    }
    assertRefused(root, 0, "--home-limit needs root", "this is user ", "leave --home-limit out");
  }

  @Test
  void aDiskThatHasNoRoomIsRefused() throws IOException {
    assumeTrue(root(), "only root gets that far");
    assertRefused(root, 1L << 50, "need 1073742848 MiB free", "--home-size");
  }

  @Test
  void theLimitOfDirtyPagesBelongsToOneRunAtATime() throws IOException {
    assumeTrue(root(), "only root gets that far");
    HomeRecord other =
        new HomeRecord(
            new ProcessInfo(999_999, 100, 42),
            FakeMachine.BOOT,
            root.resolve("other"),
            Throttle.of(machine.files(), "other"),
            DirtyPages.now(machine.files()),
            DirtyPages.atMost(1 << 28));
    other.write(machine.files());
    LimitedHome.Settings settings =
        new LimitedHome.Settings(
            root, DiskLimit.parse("gp3"), 256 << 20, 64 << 20, Duration.ofMillis(100));
    try (LimitedHome limited =
        new LimitedHome(machine.files(), machine.programs(), settings, text -> {})) {
      assertThatThrownBy(limited::start)
          .hasMessageContainingAll("process 999999 limits", "leave --page-cache out");
    }
    assertThat(HomeRecord.all(machine.files())).containsExactly(other);
  }
}
