// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.bookkeeper.Await;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.bookie.LedgerDirsManager.LedgerDirsListener;
import org.apache.bookkeeper.bookie.LedgerDirsManager.NoWritableLedgerDirException;
import org.apache.bookkeeper.util.DiskChecker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger directory on a small disk that others fill, with a fast directory that has room. */
class LedgerHomeTest {
  /** 2 % of the disk. */
  private static final int BALLAST = 4 << 20;

  private static final int ENTRIES = 100;

  @TempDir Path folder;
  private SmallDevice disk;
  private LedgerFixture ledgers;

  @BeforeEach
  void mount() throws IOException {
    assumeTrue(RoomTest.mayMount(), "mounting needs root");
    disk = new SmallDevice("200m");
    ledgers = new LedgerFixture(disk.path.resolve("bookie"));
    Files.delete(ledgers.fast);
    Files.createSymbolicLink(ledgers.fast, Files.createDirectory(folder.resolve("fast")));
  }

  @AfterEach
  void unmount() throws IOException {
    if (disk != null) {
      disk.close();
    }
  }

  /** As an earlier process has left it. */
  private Path ballast() throws IOException {
    final byte[] bytes = new byte[BALLAST];
    new Random(1).nextBytes(bytes);
    return Files.write(ledgers.home.resolve(HomeIdentity.BALLAST), bytes);
  }

  private static float limit(final TieredDbLedgerStorage storage) {
    final DiskChecker checker =
        storage.tiered().get(0).directories().homeDirectories().getDiskChecker();
    return checker.getDiskUsageThreshold();
  }

  @Test
  void aFullDiskGivesItsBallastToTheIndexAndTheBookieGoesOn() throws Exception {
    final Path ballast = ballast();
    TieredDbLedgerStorage storage = ledgers.tiered();
    assertThat(limit(storage)).isGreaterThan(1);
    disk.fill(0);
    ledgers.store(storage, 1, ENTRIES);
    final LedgerHome home = storage.tiered().get(0).home();
    home.refresh();
    assertThat(Files.size(ballast)).isPositive().isLessThan(BALLAST);
    assertThat(home.spent()).isFalse();
    assertThat(storage.tiered().get(0).logger().failure()).isNull();
    storage.shutdown();
    storage = ledgers.tiered(); // RocksDB writes when it is opened
    ledgers.verify(storage);
    assertThat(limit(storage)).isGreaterThan(1);
    storage.shutdown();
  }

  @Test
  void aBallastThatIsSpentPutsBookKeepersLimitIntoForce() throws Exception {
    ballast();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final LedgerHome home = storage.tiered().get(0).home();
    final DiskLimit limit = storage.limit();
    for (int i = 0; !home.spent(); i++) {
      assertThat(i).isLessThan(1_000);
      disk.fill(0); // a program that takes what is given back
      home.refresh();
      limit.update();
    }
    assertThat(home.ballastBytes()).isPositive();
    assertThat(limit(storage)).isLessThan(1);
    disk.empty();
    home.refresh();
    limit.update();
    assertThat(home.spent()).isFalse();
    assertThat(limit(storage)).isGreaterThan(1);
    storage.shutdown();
  }

  @Test
  @Tag("HP0820")
  void aFlushWithoutRoomForTheIndexWritesNothingAndIsDoneLater() throws Exception {
    ledgers.conf.setProperty(LedgerKeys.HOME_BALLAST.name(), "0");
    final TieredDbLedgerStorage storage = ledgers.tiered();
    assertThat(limit(storage)).as("BookKeeper's own").isLessThan(1);
    ledgers.store(storage, 1, ENTRIES);
    final long bytes = ledgers.bytes();
    disk.fill(0);
    storage.addEntry(LedgerFixture.content(1, ENTRIES));
    assertThatThrownBy(storage::flush).isInstanceOf(IOException.class);
    assertThat(ledgers.bytes()).isEqualTo(bytes);
    assertThat(storage.tiered().get(0).logger().failure()).isNull();
    disk.empty();
    storage.addEntry(LedgerFixture.content(1, ENTRIES + 1));
    assertThatThrownBy(storage::flush).hasMessageContaining("HP0820"); // the other cache is left
    storage.flush();
    ledgers.stored.put(1L, ENTRIES + 2L);
    ledgers.verify(storage);
    storage.shutdown();
  }

  /** BookKeeper's monitor hasn't looked meanwhile, and makes nothing writable that wasn't full. */
  @Test
  void aBookieThatFoundNoRoomIsWritableOnceThereIsSome() throws Exception {
    ledgers.conf.setProperty(LedgerKeys.HOME_BALLAST.name(), "0");
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final AtomicInteger writable = writable();
    ledgers.store(storage, 1, ENTRIES);
    disk.fill(0);
    storage.addEntry(LedgerFixture.content(1, ENTRIES));
    assertThatThrownBy(storage::flush)
        .as("BookKeeper makes the bookie read-only")
        .isInstanceOf(NoWritableLedgerDirException.class);
    assertThatThrownBy(storage::flush).isInstanceOf(IOException.class);
    assertThat(writable).hasValue(0);
    disk.empty();
    storage.flush(); // without another add
    assertThat(writable).hasValue(1);
    storage.flush();
    assertThat(writable).as("said once").hasValue(1);
    ledgers.stored.put(1L, ENTRIES + 1L);
    ledgers.verify(storage);
    storage.shutdown();
    final TieredDbLedgerStorage again = ledgers.tiered();
    ledgers.verify(again);
    again.shutdown();
  }

  /** The number of times the bookie was told that it may be written to. */
  private AtomicInteger writable() {
    final AtomicInteger writable = new AtomicInteger();
    ledgers.directories.addLedgerDirsListener(
        new LedgerDirsListener() {
          @Override
          public void allDisksWritable() {
            writable.incrementAndGet();
          }
        });
    return writable;
  }

  @Test
  void noEntryLogIsBegunInALedgerDirectoryThatIsFull() throws Exception {
    ledgers.conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "2MiB");
    ledgers.conf.setMinUsableSizeForEntryLogCreation(2 << 20);
    ballast();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, ENTRIES);
    disk.fill(0);
    storage.setMasterKey(2, new byte[] {1});
    for (int entry = 0; entry < 2 * ENTRIES; entry++) {
      storage.addEntry(LedgerFixture.content(2, entry));
    }
    assertThatThrownBy(storage::flush).hasMessageContaining("no room for an entry log");
    assertThat(storage.tiered().get(0).logger().failure()).isNull();
    final AtomicInteger writable = writable();
    assertThatThrownBy(storage::flush).isInstanceOf(IOException.class);
    assertThat(writable).hasValue(0);
    disk.empty();
    assertThatThrownBy(storage::flush).hasMessageContaining("HP0820"); // one of two full caches
    assertThat(writable).hasValue(1);
    storage.flush();
    ledgers.stored.put(2L, 2L * ENTRIES);
    ledgers.verify(storage);
    storage.shutdown();
  }

  private void prepareCompaction(final TieredDbLedgerStorage storage) throws Exception {
    for (int round = 0; round < 16; round++) {
      ledgers.store(storage, 1 + round % 4, 8);
    }
    ledgers.store(storage, 5, ENTRIES);
    forget(storage, 1);
    compact(storage);
    assertThat(ledgers.plain()).as("a compaction's logs, the last one open").isEqualTo(2);
    ledgers.store(storage, 6, 2 * ENTRIES);
    forget(storage, 2);
  }

  private void forget(final TieredDbLedgerStorage storage, final long ledger) throws Exception {
    storage.deleteLedger(ledger);
    ledgers.stored.remove(ledger);
  }

  private static void compact(final TieredDbLedgerStorage storage) throws Exception {
    storage.forceGC(true, false);
    Await.until(() -> !storage.isInForceGC());
  }

  @Test
  void aCompactionEndsBeforeItTakesTheLastRoom() throws Exception {
    final Path ballast = ballast();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    prepareCompaction(storage);
    disk.fill(0);
    compact(storage);
    assertThat(storage.tiered().get(0).logger().failure()).isNull();
    assertThat(Files.size(ballast)).isEqualTo(BALLAST);
    disk.empty();
    ledgers.store(storage, 7, ENTRIES);
    compact(storage);
    ledgers.verify(storage);
    storage.shutdown();
  }

  @Test
  void aLogAtHomeEndsBeforeItTakesTheLastRoom() throws Exception {
    ledgers.conf.setEntryLogSizeLimit(8 << 20);
    ledgers.conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "8MiB");
    ballast();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 6 * ENTRIES);
    final TieredDbLedgerStorage.Tiered one = storage.tiered().get(0);
    while (one.migrator().moveOne()) {
      continue; // there is room on the fast device, and the log that is written to lies at home
    }
    assertThat(ledgers.linked()).isZero();
    disk.fill(0);
    ledgers.store(storage, 2, 2 * ENTRIES);
    assertThat(one.logger().failure()).isNull();
    assertThat(ledgers.linked()).isPositive();
    ledgers.verify(storage);
    storage.shutdown();
  }

  @Test
  void aMoveEndsBeforeItTakesTheLastRoom() throws Exception {
    final AtomicBoolean filled = new AtomicBoolean();
    final HookedFiles files =
        new HookedFiles(
            folder.getFileSystem(),
            (call, path) -> {
              if (call.equals("write") && path.toString().endsWith(".move")) {
                if (filled.compareAndSet(false, true)) {
                  disk.fill(8 << 20);
                }
              }
            });
    final TieredDbLedgerStorage storage = ledgers.devices(files::wrap).tiered();
    ledgers.store(storage, 1, 3 * ENTRIES);
    final EntryLogMigrator migrator = storage.tiered().get(0).migrator();
    assertThatThrownBy(migrator::moveOne)
        .hasMessageContainingAll(ledgers.home.toString(), "make room");
    assertThat(filled).isTrue();
    assertThat(migrator.moveOne()).isFalse();
    assertThat(migrator.blocked()).contains("make room");
    assertThat(ledgers.plain()).isZero();
    assertThat(LedgerFixture.files(ledgers.home))
        .noneMatch(path -> path.toString().endsWith(".move"));
    disk.empty();
    assertThat(migrator.moveOne()).isTrue();
    ledgers.verify(storage);
    storage.shutdown();
  }
}
