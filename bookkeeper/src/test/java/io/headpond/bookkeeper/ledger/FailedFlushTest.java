// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.bookkeeper.Await;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.LedgerDirsManager.NoWritableLedgerDirException;
import org.apache.bookkeeper.bookie.storage.EntryLogScanner;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage;
import org.apache.bookkeeper.bookie.storage.ldb.LedgerMetadataIndex;
import org.apache.bookkeeper.bookie.storage.ldb.SingleDirectoryDbLedgerStorage;
import org.apache.bookkeeper.bookie.storage.ldb.WriteCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a flush that failed no checkpoint completes, whoever asks for it, before it may. */
class FailedFlushTest {
  private static final int ADDS = 32;

  @TempDir Path folder;

  private final RecordedJournal journal = new RecordedJournal();
  private final FailingBuffers buffers = new FailingBuffers();

  private LedgerFixture fixture() throws IOException {
    return new LedgerFixture(folder).journal(journal).buffers(buffers);
  }

  private void add(final TieredDbLedgerStorage storage, final long ledger) throws Exception {
    journal.create(storage, ledger);
    for (int entry = 0; entry < ADDS; entry++) {
      journal.add(storage, ledger, entry);
    }
  }

  private void restart(final LedgerFixture ledgers) throws Exception {
    final TieredDbLedgerStorage again = ledgers.tiered();
    journal.replay(again);
    journal.verify(again);
    again.flush();
    journal.verify(again);
    assertThat(journal.mark()).isEqualTo(journal.size());
    again.shutdown();
  }

  /**
   * An add may find the cache that is swapped out then, and come when it is flushed and cleared.
   */
  @Test
  void anAddThatMetTheSwapOfTheCachesIsNoFailedFlush() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final WriteCaches caches = new WriteCaches(storage.tiered().get(0).guard().storage());
    for (int flush = 1; flush <= 3; flush++) {
      add(storage, flush);
      journal.checkpoint(storage);
      final ByteBuf late = LedgerFixture.content(flush, ADDS);
      caches.beingFlushed().put(flush, ADDS, late);
      journal.add(storage, flush, ADDS);
      journal.checkpoint(storage);
      assertThat(caches.filled().isEmpty()).isTrue();
      assertThat(journal.mark()).isEqualTo(journal.size());
      journal.verify(storage);
    }
    storage.shutdown();
    restart(ledgers);
  }

  /**
   * Flushes that fail before their first entry: the caches are swapped, and nothing else is done.
   */
  @Test
  void entriesOfFlushesThatNeverBeganStayReadable() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    journal.checkpoint(storage);
    for (int flush = 2; flush <= 3; flush++) {
      add(storage, flush);
      swapCaches(storage.tiered().get(0).guard().storage());
      assertThatThrownBy(storage::flush).hasMessageContaining("HP0819");
      journal.verify(storage);
    }
    storage.shutdown();
    assertThat(journal.mark()).isEqualTo(ADDS + 1);
    restart(ledgers);
  }

  private static void swapCaches(final SingleDirectoryDbLedgerStorage storage) throws Exception {
    final MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(storage.getClass(), MethodHandles.lookup());
    final VarHandle filled =
        lookup.findVarHandle(storage.getClass(), "writeCache", WriteCache.class);
    final VarHandle beingFlushed =
        lookup.findVarHandle(storage.getClass(), "writeCacheBeingFlushed", WriteCache.class);
    final Object empty = beingFlushed.getVolatile(storage);
    beingFlushed.setVolatile(storage, filled.getVolatile(storage));
    filled.setVolatile(storage, empty);
  }

  private static void await(final CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (final InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** BookKeeper's issue 3329. */
  @Test
  void aCheckpointWaitsForTheHeldUpFlushOfTheOtherLedgerDirectory() throws Exception {
    final LedgerFixture ledgers = fixture();
    final Path home = folder.resolve("ledgers2");
    Files.createDirectories(home.resolve("current"));
    final Path fast = Files.createDirectory(folder.resolve("fast2"));
    ledgers.conf.setLedgerDirNames(new String[] {ledgers.home.toString(), home.toString()});
    ledgers.conf.setProperty(LedgerKeys.FAST_DIRECTORIES.name(), ledgers.fast + "," + fast);
    final CountDownLatch goOn = new CountDownLatch(1);
    final AtomicBoolean held = new AtomicBoolean();
    final HookedFiles files =
        new HookedFiles(
            folder.getFileSystem(),
            (call, path) -> {
              if (held.get() && path.startsWith(home)) {
                await(goOn);
              }
            });
    final TieredDbLedgerStorage storage = ledgers.devices(files::wrap).tiered();
    add(storage, 1);
    add(storage, 2);
    held.set(true);
    final FutureTask<Void> checkpoint =
        new FutureTask<>(
            () -> {
              journal.checkpoint(storage);
              return null;
            });
    final Thread thread = new Thread(checkpoint);
    thread.start();
    Await.until(() -> thread.getState() == Thread.State.WAITING);
    assertThat(journal.mark()).isZero();
    goOn.countDown();
    checkpoint.get();
    assertThat(journal.mark()).isEqualTo(journal.size());
    storage.shutdown();
    restart(ledgers);
  }

  @Test
  void aCheckpointThatWaitedForAFailedFlushFails() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    final AtomicReference<Throwable> told = new AtomicReference<>();
    final Thread waiting =
        new Thread(
            () -> {
              try {
                journal.checkpoint(storage);
              } catch (final Throwable e) {
                told.set(e);
              }
            });
    buffers.before(
        () -> {
          buffers.before(() -> {});
          waiting.start();
          Await.until(() -> waiting.getState() == Thread.State.WAITING);
          throw new OutOfMemoryError("Direct buffer memory");
        });
    assertThatThrownBy(storage::flush).hasMessageContaining("HP0819");
    waiting.join();
    assertThat(told.get()).hasMessageContaining("HP0819");
    storage.shutdown();
    assertThat(journal.mark()).isZero();
    restart(ledgers);
  }

  /** A bookie that is read-only for want of room gets no entries. */
  @Test
  void aFlushWithoutRoomIsMadeUpForWithoutAnotherEntry() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = withoutRoomForAnotherLog(ledgers);
    assertThatThrownBy(storage::flush).isInstanceOf(NoWritableLedgerDirException.class);
    assertThatThrownBy(() -> journal.checkpoint(storage))
        .isInstanceOf(NoWritableLedgerDirException.class);
    journal.verify(storage);
    assertThat(journal.mark()).isLessThan(journal.size());
    fill(storage, false);
    journal.checkpoint(storage);
    assertThat(journal.mark()).isEqualTo(journal.size());
    journal.verify(storage);
    storage.shutdown();
    assertThat(storage.tiered().get(0).logger().failure()).isNull();
    restart(ledgers);
  }

  /** The kernel may have dropped what it couldn't write: a second force would prove nothing. */
  @Test
  void aForceThatWasInterruptedIsNotTriedAgainAndTrusted() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(storage::flush).hasMessageContaining("HP0819");
    } finally {
      Thread.interrupted();
    }
    assertThatThrownBy(storage::flush).hasMessageContaining("HP0819");
    storage.shutdown();
    assertThat(journal.mark()).isZero();
    restart(ledgers);
  }

  /** Or a writer that a client has shut out could go on after a kill. */
  @Test
  void aFenceIsKeptByACheckpointWithoutEntries() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    journal.checkpoint(storage);
    journal.fence(storage, 1);
    journal.checkpoint(storage);
    assertThat(journal.mark()).isEqualTo(journal.size());
    final LedgerFixture killed = ledgers.copy(folder.resolve("killed"));
    storage.shutdown();
    restart(killed.journal(journal));
  }

  @Test
  void aFenceIsKeptByAStopWithoutEntries() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    journal.checkpoint(storage);
    journal.fence(storage, 1);
    storage.shutdown();
    restart(ledgers);
  }

  /** No write cache has anything of it. */
  @Test
  void aLedgerWithoutEntriesIsKeptByACheckpoint() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    journal.create(storage, 1);
    journal.checkpoint(storage);
    journal.create(storage, 2);
    journal.fence(storage, 2);
    journal.checkpoint(storage);
    final ByteBuf lac = Unpooled.buffer().writeLong(2).writeLong(7);
    storage.setExplicitLac(2, lac.copy());
    journal.checkpoint(storage);
    assertThat(journal.mark()).isEqualTo(journal.size());
    final LedgerFixture killed = ledgers.copy(folder.resolve("killed"));
    storage.shutdown();
    restart(killed.journal(journal));
    final TieredDbLedgerStorage again = killed.tiered();
    assertThat(again.getExplicitLac(2)).isEqualTo(lac);
    again.shutdown();
  }

  /** Or the journal's part that alone has it would be dispensable. */
  @Test
  void aStopCompletesNoCheckpointBesideWhatIsInMemory() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final FlushGuard guard = storage.tiered().get(0).guard();
    guard.closing();
    add(storage, 1);
    final Field source = SingleDirectoryDbLedgerStorage.class.getDeclaredField("checkpointSource");
    source.setAccessible(true);
    final CheckpointSource asked = (CheckpointSource) source.get(guard.storage());
    asked.checkpointComplete(journal.newCheckpoint(), true);
    assertThat(journal.mark()).isZero();
    storage.shutdown();
    restart(ledgers);
  }

  @Test
  void aFenceThatCouldNotBeWrittenIsNotForgotten() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    journal.checkpoint(storage);
    journal.fence(storage, 1);
    final int before = journal.mark();
    failNextSync(storage.tiered().get(0).guard().storage());
    assertThatThrownBy(() -> journal.checkpoint(storage)).hasMessageContaining("HP0819");
    assertThatThrownBy(() -> journal.checkpoint(storage)).hasMessageContaining("HP0819");
    storage.shutdown();
    assertThat(journal.mark()).isEqualTo(before);
    restart(ledgers);
  }

  /** BookKeeper's index of ledgers forgets what it was about to write when its database fails. */
  private static void failNextSync(final SingleDirectoryDbLedgerStorage storage) throws Exception {
    final Field index = SingleDirectoryDbLedgerStorage.class.getDeclaredField("ledgerIndex");
    index.setAccessible(true);
    final Field database = LedgerMetadataIndex.class.getDeclaredField("ledgersDb");
    database.setAccessible(true);
    final Object real = database.get(index.get(storage));
    final AtomicBoolean failed = new AtomicBoolean();
    database.set(
        index.get(storage),
        Proxy.newProxyInstance(
            KeyValueStorage.class.getClassLoader(),
            new Class<?>[] {KeyValueStorage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("sync") && failed.compareAndSet(false, true)) {
                throw new IOException("Input/output error");
              }
              return method.invoke(real, arguments);
            }));
  }

  /** Room for one log, which is begun; none for another one. */
  private TieredDbLedgerStorage withoutRoomForAnotherLog(final LedgerFixture ledgers)
      throws Exception {
    ledgers.conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "1MiB");
    ledgers.conf.setMinUsableSizeForEntryLogCreation(Long.MAX_VALUE);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    add(storage, 1);
    journal.checkpoint(storage);
    fill(storage, true);
    add(storage, 2);
    add(storage, 3);
    return storage;
  }

  private static void fill(final TieredDbLedgerStorage storage, final boolean full) {
    final TieredDbLedgerStorage.Tiered one = storage.tiered().get(0);
    final File home = one.places().home().toFile();
    if (full) {
      one.directories().homeDirectories().addToFilledDirs(home);
    } else {
      one.directories().homeDirectories().addToWritableDirs(home, true);
    }
  }

  /** BookKeeper's own flush, of a full cache, is looked at only when the next one begins. */
  @Test
  void aCompactionThatGoesOnLeavesALackOfRoomWhatItIs() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = withoutRoomForAnotherLog(ledgers);
    final TieredDbLedgerStorage.Tiered one = storage.tiered().get(0);
    assertThatThrownBy(one.guard().storage()::flush)
        .isInstanceOf(NoWritableLedgerDirException.class);
    final FutureTask<Void> compaction =
        new FutureTask<>(
            () -> {
              one.logger().scanEntryLog(0, new LoggedScan());
              one.logger().flush();
              return null;
            });
    new Thread(compaction).start();
    compaction.get();
    assertThatThrownBy(() -> journal.checkpoint(storage))
        .isInstanceOf(NoWritableLedgerDirException.class);
    assertThat(one.logger().failure()).isNull();
    fill(storage, false);
    add(storage, 4);
    assertThatThrownBy(storage::flush).hasMessageContaining("HP0820");
    add(storage, 5);
    journal.checkpoint(storage);
    assertThat(journal.mark()).isEqualTo(journal.size());
    storage.shutdown();
    restart(ledgers);
  }

  private static final class LoggedScan implements EntryLogScanner {
    @Override
    public boolean accept(final long ledger) {
      return true;
    }

    @Override
    public void process(final long ledger, final long offset, final ByteBuf entry) {
      assertThat(ledger).isPositive();
    }
  }

  /** BookKeeper writes a log's map before it asks for the next log's directory. */
  @Test
  void flushesThatFindNoRoomLeaveTheLogAsItIs() throws Exception {
    final LedgerFixture ledgers = fixture();
    final TieredDbLedgerStorage storage = withoutRoomForAnotherLog(ledgers);
    assertThatThrownBy(storage::flush).isInstanceOf(NoWritableLedgerDirException.class);
    final long bytes = ledgers.bytes();
    for (int ledger = 4; ledger <= 8; ledger++) {
      journal.create(storage, ledger);
      journal.add(storage, ledger, 0);
      assertThatThrownBy(storage::flush).isInstanceOf(NoWritableLedgerDirException.class);
    }
    assertThat(ledgers.bytes()).isEqualTo(bytes);
    journal.verify(storage);
    fill(storage, false);
    add(storage, 9);
    assertThatThrownBy(storage::flush).hasMessageContaining("HP0820");
    add(storage, 10);
    journal.checkpoint(storage);
    assertThat(journal.mark()).isEqualTo(journal.size());
    storage.shutdown();
    restart(ledgers);
  }
}
