// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.bookkeeper.util.DiskChecker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
    storage.shutdown();
  }
}
