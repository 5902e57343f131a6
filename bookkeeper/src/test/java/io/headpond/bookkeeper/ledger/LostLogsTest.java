// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.bookkeeper.bookie.LedgerStorage.StorageState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start after the loss of entry logs, as {@code recover} leaves their ledger directory. */
class LostLogsTest {
  /** Each stored at once fills more than a log. */
  private static final byte[] KEY = "of a client".getBytes(StandardCharsets.UTF_8);

  private static final int ENTRIES = 80;

  @TempDir Path folder;
  private LedgerFixture ledgers;

  @BeforeEach
  void store() throws Exception {
    ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    for (long ledger = 1; ledger <= 3; ledger++) {
      ledgers.store(storage, ledger, ENTRIES);
    }
    while (LedgerFixture.migrator(storage).moveOne()) {
      continue; // the sealed ones go home
    }
    assertThat(ledgers.plain()).isPositive();
    assertThat(ledgers.linked()).isPositive();
    LedgerFixture.awaitCleanUp(storage);
    storage.shutdown();
  }

  private void lose() throws IOException {
    for (final Path file : ledgers.fastFiles()) {
      Files.delete(file);
      Files.delete(ledgers.home.resolve("current").resolve(file.getFileName()));
    }
  }

  private long claimed(final TieredDbLedgerStorage storage) throws Exception {
    long claimed = 0;
    for (long ledger = 1; ledger <= 3; ledger++) {
      for (long entry = 0; entry < ENTRIES; entry++) {
        if (storage.entryExists(ledger, entry)) {
          LedgerFixture.verify(storage, ledger, entry);
          claimed++;
        }
      }
    }
    return claimed;
  }

  @Test
  void nothingIsClaimedThatLostLogsHeldAndItCanBeAddedAgain() throws Exception {
    lose();
    Files.createFile(PlaceCheck.forgotten(ledgers.home));
    TieredDbLedgerStorage storage = ledgers.tiered();
    assertThat(PlaceCheck.forgotten(ledgers.home)).doesNotExist();
    assertThat(claimed(storage)).isPositive().isLessThan(3 * ENTRIES);
    for (long ledger = 1; ledger <= 3; ledger++) {
      for (long entry = 0; entry < ENTRIES; entry++) {
        if (!storage.entryExists(ledger, entry)) {
          storage.addEntry(LedgerFixture.content(ledger, entry));
        }
      }
    }
    storage.flush();
    LedgerFixture.awaitCleanUp(storage);
    storage.shutdown();
    storage = ledgers.tiered();
    ledgers.verify(storage);
    storage.shutdown();
  }

  @Test
  void aStartThatWasKilledInBetweenIsDoneAgain() throws Exception {
    lose();
    Files.createFile(PlaceCheck.forgotten(ledgers.home));
    LostLogs.leaveIndex(ledgers.home, ledgers.home.resolve("current"), ledgers.conf);
    Files.createFile(PlaceCheck.forgotten(ledgers.home)); // the kill came before it went
    final TieredDbLedgerStorage storage = ledgers.tiered();
    assertThat(claimed(storage)).isPositive().isLessThan(3 * ENTRIES);
    storage.shutdown();
  }

  /** Limbo: the bookie can't tell whether it had an entry, until other bookies were asked. */
  @Test
  void limboOfALedgerIsKeptByAFlushWithoutEntries() throws Exception {
    final TieredDbLedgerStorage storage = ledgers.tiered();
    storage.setStorageStateFlag(StorageState.NEEDS_INTEGRITY_CHECK);
    storage.setLimboState(2);
    storage.setFenced(2);
    storage.flush();
    final LedgerFixture killed = ledgers.copy(folder.resolve("killed"));
    storage.shutdown();
    final TieredDbLedgerStorage next = killed.tiered();
    assertThat(next.getStorageStateFlags()).isEqualTo(EnumSet.allOf(StorageState.class));
    assertThat(next.hasLimboState(2)).isTrue();
    assertThat(next.hasLimboState(1)).isFalse();
    next.shutdown();
  }

  /**
   * A replay tells the storage each ledger's key once more; 4.18 noted zeros then, and no limbo.
   */
  @Test
  void limboAndKeyOfALedgerOutliveTheReplayOfItsJournal() throws Exception {
    final TieredDbLedgerStorage storage = ledgers.tiered();
    storage.setMasterKey(9, KEY);
    storage.setLimboState(9);
    storage.setFenced(9);
    storage.flush();
    for (int replay = 0; replay < 2; replay++) {
      storage.setMasterKey(9, KEY);
      storage.addEntry(LedgerFixture.content(9, replay));
      storage.flush();
    }
    final LedgerFixture killed = ledgers.copy(folder.resolve("killed"));
    storage.shutdown();
    final TieredDbLedgerStorage next = killed.tiered();
    assertThat(next.readMasterKey(9)).isEqualTo(KEY);
    assertThat(next.hasLimboState(9)).isTrue();
    assertThat(next.isFenced(9)).isTrue();
    next.shutdown();
  }
}
