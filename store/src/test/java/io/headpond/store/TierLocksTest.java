// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.StoreRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
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
          .hasMessageContainingAll("HP0106", second.toString(), "this one");
    }
  }
}
