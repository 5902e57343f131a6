// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A place that is full: new logs go elsewhere, moves stop, and nothing is lost. */
class RoomTest {
  private static final int LOG = LedgerFixture.LOG_BYTES / LedgerFixture.ENTRY_BYTES;

  @TempDir Path folder;

  @Test
  void newLogsGoHomeWhileTheFastDirectoryIsFullAndReturnWhenItIsNot() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    ledgers.conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "4MiB");
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final TieredDbLedgerStorage.Tiered one = storage.tiered().get(0);
    ledgers.store(storage, 1, 8 * LOG);
    assertThat(ledgers.fastFiles()).hasSize(4);
    assertThat(one.directories().usedBytes()).isLessThanOrEqualTo(4 << 20);
    assertThat(ledgers.plain()).isGreaterThanOrEqualTo(4);
    assertThat(one.directories().overflows()).isEqualTo(ledgers.plain());
    ledgers.verify(storage);
    while (one.migrator().moveOne()) {}
    assertThat(ledgers.fastFiles()).isEmpty();
    ledgers.store(storage, 1, 2 * LOG);
    assertThat(ledgers.fastFiles()).isNotEmpty();
    ledgers.verify(storage);
    storage.shutdown();
  }

  @Test
  void migrationStopsWithAReasonBeforeTheLedgerDirectoryIsFull() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    // More than there is, whatever others delete on that disk meanwhile.
    final long usable = Files.getFileStore(folder).getUsableSpace();
    ledgers.conf.setMinUsableSizeForEntryLogCreation(usable + (16L << 30));
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 3 * LOG);
    assertThat(LedgerFixture.migrator(storage).moveOne()).isFalse();
    assertThat(LedgerFixture.migrator(storage).blocked())
        .contains("minUsableSizeForEntryLogCreation", "make room");
    assertThat(ledgers.plain()).isZero();
    ledgers.verify(storage);
    storage.shutdown();
  }

  /** As one whose device was unmounted below the bookie. */
  @Test
  void aFastDirectoryThatIsGoneIsNotCalledFull() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final EntryLogDirectories directories = storage.tiered().get(0).directories();
    final Path unmounted = Files.move(ledgers.fast, folder.resolve("unmounted"));
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(directories.getWritableLedgerDirsForNewLog())
          .noneMatch(place -> place.toPath().startsWith(ledgers.fast));
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("HP0301").doesNotContain("HP0816");
    Files.move(unmounted, ledgers.fast);
    storage.shutdown();
  }

  @Test
  void theThresholdIsWhatMigrationSteersTo() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    ledgers.conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "8MiB");
    ledgers.conf.setProperty(LedgerKeys.MIGRATE_THRESHOLD.name(), "0.5");
    ledgers.conf.setProperty(LedgerKeys.MIGRATE_RATE.name(), "64MiB");
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 7 * LOG);
    while (LedgerFixture.migrator(storage).moveOne()) {}
    final long used = storage.tiered().get(0).directories().usedBytes();
    assertThat(used).isBetween(3L << 20, 4L << 20);
    assertThat(ledgers.names().get("0.log")).isFalse(); // the oldest went first
    ledgers.verify(storage);
    storage.shutdown();
  }

  static boolean mayMount() {
    try (SmallDevice tried = new SmallDevice("1m")) {
      return Files.isDirectory(tried.path);
    } catch (final IOException e) {
      return false;
    }
  }

  @Test
  @EnabledIf("mayMount")
  void aDeviceThatOthersFillEndsTheLogBeforeItsReserveIsUsedUp() throws Exception {
    try (SmallDevice device = new SmallDevice("40m")) {
      final LedgerFixture ledgers = new LedgerFixture(folder).on(device);
      final TieredDbLedgerStorage storage = ledgers.tiered();
      ledgers.store(storage, 1, LOG / 4);
      assertThat(ledgers.linked()).isEqualTo(1);
      device.fill(2 << 20);
      ledgers.store(storage, 1, 3 * LOG);
      assertThat(ledgers.linked()).isLessThanOrEqualTo(2);
      assertThat(ledgers.plain()).isGreaterThanOrEqualTo(1);
      assertThat(storage.tiered().get(0).logger().failure()).isNull();
      ledgers.verify(storage);
      storage.shutdown();
    }
  }

  @Test
  @EnabledIf("mayMount")
  void aDeviceThatFillsAmidALogStopsWritesAndARestartGoesOn() throws Exception {
    try (SmallDevice device = new SmallDevice("40m")) {
      final LedgerFixture ledgers = new LedgerFixture(folder).on(device);
      final TieredDbLedgerStorage storage = ledgers.tiered();
      ledgers.store(storage, 1, LOG / 4);
      final TieredEntryLogger logger = storage.tiered().get(0).logger();
      logger.addEntry(1, LedgerFixture.content(1, 0)); // it looks at the room again 1 MiB later
      device.fill(0);
      storage.setMasterKey(2, new byte[] {1});
      for (int entry = 0; entry < LOG / 2; entry++) {
        storage.addEntry(LedgerFixture.content(2, entry));
      }
      assertThatThrownBy(storage::flush)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(ledgers.fast.toString(), "journal", "restart the bookie");
      device.empty();
      // A flush that succeeds now would let BookKeeper forget journals that are still needed.
      assertThatThrownBy(storage::flush).hasMessageContaining("restart the bookie");
      ledgers.verify(storage);
      storage.shutdown();

      final DbLedgerStorage again = ledgers.tiered();
      ledgers.verify(again);
      ledgers.store(again, 2, LOG); // as the journal is replayed
      ledgers.verify(again);
      again.shutdown();
    }
  }
}
