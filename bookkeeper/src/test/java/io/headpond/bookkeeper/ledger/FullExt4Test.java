// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger directory on an ext4, which gives an allocation that finds too little all there is. */
class FullExt4Test {
  /** 2 % of the disk. */
  private static final int BALLAST = 40 << 20;

  @TempDir Path folder;

  private SmallDevice disk() {
    try {
      return SmallDevice.ext4(folder.resolve("disk"), "2100M");
    } catch (final IOException e) {
      assumeTrue(false, "making and mounting an ext4 needs root: " + e.getMessage());
      throw new AssertionError(e);
    }
  }

  @Test
  void bothIndexesFindRoomAfterAStartOnAFullDisk() throws Exception {
    try (SmallDevice disk = disk()) {
      final LedgerFixture ledgers = new LedgerFixture(disk.path.resolve("bookie"));
      Files.delete(ledgers.fast);
      Files.createSymbolicLink(ledgers.fast, Files.createDirectory(folder.resolve("fast")));
      final TieredDbLedgerStorage before = ledgers.tiered();
      ledgers.store(before, 1, 10);
      before.shutdown();
      final byte[] ballast = new byte[BALLAST];
      new Random(1).nextBytes(ballast);
      Files.write(ledgers.home.resolve(HomeIdentity.BALLAST), ballast);
      disk.allocate(1 << 20);

      final TieredDbLedgerStorage full = ledgers.tiered();
      ledgers.store(full, 1, 10);
      ledgers.store(full, 2, 10);
      assertThat(full.tiered().get(0).logger().failure()).isNull();
      assertThat(full.tiered().get(0).home().ballastBytes()).isPositive();
      ledgers.verify(full);
      full.shutdown();
    }
  }
}
