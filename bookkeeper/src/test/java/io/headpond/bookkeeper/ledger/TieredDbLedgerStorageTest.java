// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.bookkeeper.Await;
import io.headpond.store.tier.Quarantine;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.bookie.storage.EntryLogScanner;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BookKeeper's own storage, index, garbage collection and compaction over two places. */
class TieredDbLedgerStorageTest {
  /** Entries of one log, and a few more. */
  private static final int LOG = LedgerFixture.LOG_BYTES / LedgerFixture.ENTRY_BYTES;

  @TempDir Path folder;

  @Test
  void newLogsLieOnTheFastDeviceAndSealedOnesComeHome() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 3 * LOG);
    assertThat(ledgers.plain()).isZero();
    assertThat(ledgers.linked()).isGreaterThanOrEqualTo(3);
    ledgers.verify(storage);

    storage.start();
    Await.until(() -> LedgerFixture.migrator(storage).movedLogs() >= 3);
    ledgers.verify(storage);
    storage.shutdown();
    assertThat(ledgers.linked()).isEqualTo(1); // the one that is written to
    assertThat(ledgers.fastFiles()).hasSize(1);
    assertThat(LedgerFixture.migrator(storage).blocked()).isEmpty();
  }

  @Test
  void anErrorAndAnInterruptDoNotEndMigration() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final AtomicInteger steps = new AtomicInteger();
    final TieredDbLedgerStorage storage =
        ledgers.tiered(
            step -> {
              if (steps.incrementAndGet() == 1) {
                throw new OutOfMemoryError("planned");
              }
              if (steps.get() == 2) {
                Thread.currentThread().interrupt();
              }
            });
    ledgers.store(storage, 1, 3 * LOG);
    final EntryLogMigrator migrator = LedgerFixture.migrator(storage);
    storage.start();
    Await.until(
        () -> {
          migrator.wake(); // rather than after ten seconds
          return migrator.movedLogs() >= 3;
        });
    assertThat(migrator.failures()).isPositive();
    ledgers.verify(storage);
    storage.shutdown();
  }

  @Test
  void whatAKillLeavesAtAnyStepIsReadWithAndWithoutHeadpond() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder.resolve("live"));
    final List<LedgerFixture> killed = new ArrayList<>();
    final TieredDbLedgerStorage storage =
        ledgers.tiered(step -> killed.add(killed(ledgers, killed.size() + "-" + step)));
    ledgers.store(storage, 1, 2 * LOG);
    killed.add(killed(ledgers, "flushed"));
    while (LedgerFixture.migrator(storage).moveOne()) {}
    storage.deleteLedger(1); // that its removal is interrupted too
    ledgers.stored.remove(1L);
    ledgers.store(storage, 2, LOG);
    killed.add(killed(ledgers, "deleted"));
    storage.shutdown();
    assertThat(killed).hasSizeGreaterThanOrEqualTo(5);
    for (final LedgerFixture left : killed) {
      final DbLedgerStorage vanilla = left.copy(folder.resolve(left.folder + "-vanilla")).vanilla();
      left.verify(vanilla);
      vanilla.shutdown();
      final TieredDbLedgerStorage again = left.tiered();
      left.verify(again);
      left.store(again, 9, LOG);
      while (LedgerFixture.migrator(again).moveOne()) {}
      left.verify(again);
      again.shutdown();
      assertThat(left.linked()).isEqualTo(1);
      assertThat(left.fastFiles()).hasSize(1);
      assertThat(left.quarantined()).isEmpty();
      assertThat(LedgerFixture.files(left.home))
          .extracting(path -> path.getFileName().toString())
          .containsExactlyInAnyOrder("current", ".headpond");
    }
  }

  private LedgerFixture killed(final LedgerFixture ledgers, final String name) {
    try {
      return ledgers.copy(folder.resolve("killed-" + name));
    } catch (final java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void garbageCollectionRemovesLogsInBothPlaces() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 4 * LOG);
    assertThat(LedgerFixture.migrator(storage).moveOne()).isTrue();
    assertThat(LedgerFixture.migrator(storage).moveOne()).isTrue();
    assertThat(ledgers.plain()).isEqualTo(2);
    assertThat(ledgers.linked()).isGreaterThanOrEqualTo(2);
    storage.deleteLedger(1);
    ledgers.stored.remove(1L);
    ledgers.store(storage, 2, 1);
    collect(storage, false);
    Await.until(() -> count(ledgers) == 1);
    assertThat(ledgers.linked()).isEqualTo(1);
    assertThat(ledgers.fastFiles()).hasSize(1);
    ledgers.verify(storage);
    storage.shutdown();
  }

  /** BookKeeper's garbage collection, with major compaction or without. */
  private static void collect(final DbLedgerStorage storage, final boolean compact)
      throws Exception {
    storage.forceGC(compact, false);
    Await.until(() -> !storage.isInForceGC());
  }

  private static int count(final LedgerFixture ledgers) {
    try {
      return ledgers.names().size();
    } catch (final java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compactionKeepsWhatLivesInBothPlaces(final boolean transactional) throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    ledgers.conf.setUseTransactionalCompaction(transactional);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    for (int round = 0; round < LOG; round++) {
      ledgers.store(storage, 1 + round % 2, 8);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(LedgerFixture.migrator(storage).moveOne()).isTrue();
    }
    storage.deleteLedger(1);
    ledgers.stored.remove(1L);
    ledgers.store(storage, 3, LOG);
    final long before = ledgers.bytes();
    final long plain = ledgers.plain();
    collect(storage, true);
    ledgers.verify(storage);
    assertThat(ledgers.bytes()).isLessThan(before * 2 / 3);
    if (transactional) {
      assertThat(ledgers.plain()).isGreaterThan(plain); // outputs lie at home
    }
    assertThat(ledgers.fastFiles()).hasSize((int) ledgers.linked());
    while (LedgerFixture.migrator(storage).moveOne()) {}
    ledgers.verify(storage);
    storage.shutdown();
    final DbLedgerStorage vanilla = ledgers.vanilla();
    ledgers.verify(vanilla);
    vanilla.shutdown();
  }

  @Test
  void aScanGoesOnInTheOldFileOfALogThatMovesMeanwhile() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final TieredEntryLogger logger = storage.tiered().get(0).logger();
    ledgers.store(storage, 1, 2 * LOG);
    final AtomicInteger scanned = new AtomicInteger();
    logger.scanEntryLog(
        0,
        new EntryLogScanner() {
          @Override
          public boolean accept(final long ledger) {
            return true;
          }

          @Override
          public void process(final long ledger, final long offset, final ByteBuf entry)
              throws IOException {
            final long number = entry.getLong(entry.readerIndex() + 8);
            assertThat(entry.compareTo(LedgerFixture.content(ledger, number))).isZero();
            if (scanned.getAndIncrement() == 1) {
              move(storage);
            }
          }
        });
    assertThat(scanned).hasValueGreaterThan(LOG / 2);
    assertThat(ledgers.names().get("0.log")).isFalse();
    assertThat(openDeleted(ledgers.fast)).isEqualTo(1);
    assertThat(logger.letGo(0)).isTrue();
    assertThat(openDeleted(ledgers.fast)).isZero();
    ledgers.verify(storage);
    storage.shutdown();
  }

  private static void move(final TieredDbLedgerStorage storage) throws IOException {
    try {
      assertThat(LedgerFixture.migrator(storage).moveOne()).isTrue();
    } catch (final InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anUnnamedFileIsQuarantinedAndDeletedAfterItsGracePeriod() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 1);
    final Path stray = storage.tiered().get(0).places().fastFile(0xfff);
    storage.shutdown();
    Files.write(stray, new byte[100]);
    storage = ledgers.tiered();
    storage.shutdown();
    assertThat(stray).doesNotExist();
    assertThat(ledgers.quarantined()).hasSize(1);
    final Path kept = ledgers.quarantined().get(0);
    final long longAgoMs = System.currentTimeMillis() - Quarantine.GRACE.toMillis() - 1;
    final String name = kept.getFileName().toString();
    Files.move(kept, kept.resolveSibling(longAgoMs + name.substring(name.indexOf('.'))));
    storage = ledgers.tiered();
    ledgers.verify(storage);
    storage.shutdown();
    assertThat(ledgers.quarantined()).isEmpty();
  }

  /** A page of the fast device that went bad: what else lies there comes home before the rest. */
  @Test
  void aLogThatCannotBeReadKeepsNoOtherFromMoving() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final AtomicBoolean bad = new AtomicBoolean(true);
    final HookedFiles files =
        new HookedFiles(
            folder.getFileSystem(),
            (call, path) -> {
              if (bad.get() && call.equals("open") && path.endsWith("0.log")) {
                throw new FileSystemException(path.toString(), null, "Input/output error");
              }
            });
    final TieredDbLedgerStorage storage = ledgers.devices(files::wrap).tiered();
    ledgers.store(storage, 1, 4 * LOG);
    final EntryLogMigrator migrator = LedgerFixture.migrator(storage);
    for (int round = 0; round < 2; round++) {
      assertThatThrownBy(migrator::moveOne).hasMessageContaining("Input/output error");
      while (migrator.moveOne()) {
        continue;
      }
      assertThat(ledgers.linked()).as("the bad one and the one that is written to").isEqualTo(2);
    }
    bad.set(false);
    assertThat(migrator.moveOne()).isTrue();
    assertThat(migrator.blocked()).isEmpty();
    assertThat(ledgers.linked()).isEqualTo(1);
    ledgers.verify(storage);
    storage.shutdown();
  }

  /** Descriptors of this process on deleted files below a folder. */
  private static long openDeleted(final Path below) {
    long found = 0;
    for (final java.io.File descriptor : new java.io.File("/proc/self/fd").listFiles()) {
      try {
        final String target = Files.readSymbolicLink(descriptor.toPath()).toString();
        if (target.startsWith(below.toString()) && target.endsWith("(deleted)")) {
          found++;
        }
      } catch (final java.io.IOException closedMeanwhile) {
        continue;
      }
    }
    return found;
  }
}
