// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.StoreRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A place that the kernel has made read-only ends the start, and nothing is lost. */
@EnabledIf("io.headpond.bookkeeper.ledger.RoomTest#mayMount")
class ReadOnlyTest {
  private static final int LOG = LedgerFixture.LOG_BYTES / LedgerFixture.ENTRY_BYTES;

  @TempDir Path folder;

  @Test
  void aReadOnlyFastDirectoryEndsTheStartAndIsNamed() throws Exception {
    try (SmallDevice device = new SmallDevice("64m")) {
      final LedgerFixture ledgers = new LedgerFixture(folder);
      Files.delete(ledgers.fast);
      Files.createDirectory(device.path.resolve("fast"));
      Files.createSymbolicLink(ledgers.fast, device.path.resolve("fast"));
      refusedAndGoesOn(device, ledgers, ledgers.fast);
    }
  }

  @Test
  @Tag("HP0709")
  void aReadOnlyLedgerDirectoryEndsTheStartAndIsNamed() throws Exception {
    try (SmallDevice device = new SmallDevice("64m")) {
      final LedgerFixture ledgers = new LedgerFixture(device.path);
      refusedAndGoesOn(device, ledgers, ledgers.home);
    }
  }

  /** Newer kernels go on showing it as writable, and let every write fail. */
  @Test
  void anExt4ThatAnErrorHasEndedIsNamedReadOnly() throws Exception {
    try (SmallDevice device = SmallDevice.ext4(folder.resolve("image"), "64m")) {
      final LedgerFixture ledgers = new LedgerFixture(device.path);
      ledgers.tiered().shutdown();
      device.abort();
      assertThatThrownBy(ledgers::tiered)
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContainingAll(ledgers.home.toString(), "mounted read-only", "remount,rw");
    }
  }

  private static void refusedAndGoesOn(
      final SmallDevice device, final LedgerFixture ledgers, final Path named) throws Exception {
    final TieredDbLedgerStorage before = ledgers.tiered();
    ledgers.store(before, 1, 3 * LOG);
    before.shutdown();

    device.readOnly(true);
    assertThatThrownBy(ledgers::tiered)
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContainingAll(named.toString(), "mounted read-only", "remount,rw");

    device.readOnly(false);
    final TieredDbLedgerStorage after = ledgers.tiered();
    ledgers.verify(after);
    ledgers.store(after, 1, LOG);
    ledgers.verify(after);
    after.shutdown();
  }
}
