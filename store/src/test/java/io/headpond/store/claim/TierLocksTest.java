// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierLocksTest {
  @TempDir Path folder;

  /** As a directory that is mounted at two places: its lock is one file with two real paths. */
  @Test
  void aTierThatIsThereTwiceIsRefusedInWords() throws Exception {
    Path first = Files.createDirectory(folder.resolve("a"));
    Path second = Files.createDirectory(folder.resolve("b"));
    Files.createFile(first.resolve(TierLocks.FILE_NAME));
    Files.createLink(second.resolve(TierLocks.FILE_NAME), first.resolve(TierLocks.FILE_NAME));
    Properties properties = new Properties();
    properties.setProperty("headpond.log.dirs", folder.resolve("logs").toString());
    properties.setProperty("headpond.tiers", "nvme");
    properties.setProperty("headpond.tier.nvme.paths", first + "," + second);
    TierConfig tier =
        StoreConfig.parse(properties, "a test", folder.getFileSystem()).tiers().get(0);
    try (TierLocks locks = new TierLocks(TimeSource.SYSTEM)) {
      locks.lock(tier, first);

      assertThatThrownBy(() -> locks.lock(tier, second))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContainingAll("HP0107", first.toString(), second.toString());
      assertThat(anotherProcessGets(first.resolve(TierLocks.FILE_NAME)))
          .as("the first one's lock goes with the second one's descriptor")
          .isFalse();
    }
    assertThat(anotherProcessGets(first.resolve(TierLocks.FILE_NAME))).isTrue();
  }

  private static boolean anotherProcessGets(Path file) throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Attempt.class.getName(),
                file.toString())
            .inheritIO()
            .start();
    return other.waitFor() == 0;
  }

  /** Another process, which ends with 0 if it gets a lock. */
  static final class Attempt {
    private Attempt() {}

    public static void main(String[] args) throws IOException {
      try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
        System.exit(channel.tryLock() == null ? 1 : 0);
      }
    }
  }
}
