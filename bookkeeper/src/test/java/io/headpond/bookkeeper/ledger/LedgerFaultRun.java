// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.Await;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.apache.bookkeeper.stats.NullStatsLogger;
import org.apache.bookkeeper.stats.OpStatsLogger;
import org.apache.bookkeeper.stats.StatsLogger;

/**
 * A bookie's ledger storage that does the same things each time, while one call fails: two lives,
 * each with a stop, and a third one on what they left, in which nothing fails, with a replay of
 * what no checkpoint covers. Whatever was acknowledged is there at its end.
 */
final class LedgerFaultRun {
  private static final int BATCH = 24;

  private interface Step {
    void run() throws Exception;
  }

  private final Path folder;
  private final boolean transactional;
  private final LedgerFaults faults;
  private final RecordedJournal journal = new RecordedJournal();
  private final long[] next = new long[5];
  private final List<String> said = new ArrayList<>();
  private final LedgerFaults.Fault fault;
  private boolean told;
  private boolean planted;

  LedgerFaultRun(final Path folder, final boolean transactional, final LedgerFaults.Fault fault) {
    this.folder = folder;
    this.transactional = transactional;
    this.fault = fault;
    faults = new LedgerFaults(fault);
  }

  /** BookKeeper's own flushes, that of a stop for one, complete checkpoints unasked. */
  LedgerFaultRun plant() {
    planted = true;
    return this;
  }

  Path folder() {
    return folder;
  }

  LedgerFaults faults() {
    return faults;
  }

  /** Was an error told to whoever uses the storage? */
  boolean told() {
    return told;
  }

  /** What was told. */
  List<String> said() {
    return said;
  }

  private LedgerFixture set(final LedgerFixture ledgers) {
    ledgers.conf.setUseTransactionalCompaction(transactional);
    ledgers.conf.setWriteBufferBytes(2 * LedgerFixture.ENTRY_BYTES); // a write for some entries
    ledgers.conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "3MiB");
    ledgers.conf.setProperty("dbStorage_maxThrottleTimeMs", 300); // then a full cache refuses adds
    return ledgers.journal(journal);
  }

  private LedgerFixture hooked(final LedgerFixture ledgers) {
    final HookedFiles files = new HookedFiles(folder.getFileSystem(), faults::before);
    final FailingBuffers buffers = new FailingBuffers();
    buffers.before(() -> faults.beforeUnchecked("buffer"));
    return set(ledgers)
        .journal(failing(journal))
        .devices(files::wrap)
        .buffers(buffers)
        .stats(stats());
  }

  private CheckpointSource failing(final RecordedJournal real) {
    return new CheckpointSource() {
      @Override
      public Checkpoint newCheckpoint() {
        faults.beforeUnchecked("new checkpoint");
        return real.newCheckpoint();
      }

      @Override
      public void checkpointComplete(final Checkpoint checkpoint, final boolean compact)
          throws IOException {
        faults.before("checkpoint complete", folder);
        real.checkpointComplete(checkpoint, compact);
      }
    };
  }

  /** Metrics of flushes, which are told in the middle of one: between log, index and cache. */
  private StatsLogger stats() {
    return (StatsLogger)
        Proxy.newProxyInstance(
            StatsLogger.class.getClassLoader(),
            new Class<?>[] {StatsLogger.class},
            (proxy, method, arguments) -> {
              if (StatsLogger.class.isAssignableFrom(method.getReturnType())) {
                return proxy;
              }
              return method.getName().equals("getOpStatsLogger")
                      && arguments[0].toString().startsWith("flush")
                  ? flushStats(arguments[0].toString())
                  : method.invoke(NullStatsLogger.INSTANCE, arguments);
            });
  }

  private OpStatsLogger flushStats(final String name) {
    return (OpStatsLogger)
        Proxy.newProxyInstance(
            OpStatsLogger.class.getClassLoader(),
            new Class<?>[] {OpStatsLogger.class},
            (proxy, method, arguments) -> {
              if (method.getReturnType() == void.class) {
                faults.beforeUnchecked("metric " + name);
              }
              return null;
            });
  }

  /** Throws if something that was acknowledged isn't there at the end. */
  void play() throws Exception {
    final LedgerFixture first = hooked(new LedgerFixture(folder.resolve("first")));
    TieredDbLedgerStorage storage = first.tiered();
    if (planted) {
      storage.tiered().get(0).guard().storage().setCheckpointSource(journal);
    }
    faults.arm();
    firstLife(storage);
    stop(storage);
    // A stop that failed may have left the index open, which only the end of a process closes.
    final LedgerFixture second = hooked(first.copy(folder.resolve("second")));
    storage = secondStart(second);
    if (storage != null) {
      secondLife(storage);
      stop(storage);
    }
    lastLife(set(second.copy(folder.resolve("third"))));
  }

  private boolean over() {
    return told && fault != null && fault.stop();
  }

  private void attempt(final String what, final Step step) throws InterruptedException {
    if (over()) {
      return;
    }
    try {
      step.run();
    } catch (final InterruptedException e) {
      if (fault == null || fault.kind() != LedgerFaults.Kind.INTERRUPT) {
        throw e;
      }
      tell(what, e);
    } catch (final Throwable e) {
      tell(what, e);
    } finally {
      Thread.interrupted(); // of a fault that was one
    }
  }

  private void tell(final String what, final Throwable e) {
    told = true;
    said.add(what + ": " + e);
  }

  private void firstLife(final TieredDbLedgerStorage storage) throws Exception {
    for (int ledger = 1; ledger <= 3; ledger++) {
      create(storage, ledger);
    }
    for (int round = 0; round < 3; round++) {
      add(storage, 1 + round % 2);
      add(storage, 3);
      checkpoint(storage);
      add(storage, 1);
      attempt("flush", storage::flush);
    }
    move(storage);
    delete(storage, 1);
    add(storage, 2);
    checkpoint(storage);
    collect(storage);
    move(storage);
    for (int round = 0; round < 3; round++) { // until the fast directory is full
      add(storage, 2);
      add(storage, 3);
      checkpoint(storage);
    }
    attempt("flush", storage::flush); // of nothing
    fence(storage, 2);
    checkpoint(storage);
    move(storage);
    add(storage, 3);
  }

  private TieredDbLedgerStorage secondStart(final LedgerFixture ledgers) throws Exception {
    faults.arm();
    final TieredDbLedgerStorage[] opened = new TieredDbLedgerStorage[1];
    attempt("start", () -> opened[0] = ledgers.tiered());
    if (opened[0] == null) {
      return null;
    }
    final boolean[] replayed = new boolean[1];
    attempt(
        "replay",
        () -> {
          journal.replay(opened[0]);
          replayed[0] = true;
        });
    if (!replayed[0]) {
      faults.disarm();
      LedgerFixture.awaitCleanUp(opened[0]);
      opened[0].shutdown(); // BookKeeper doesn't serve without it, and nothing was acknowledged
      return null;
    }
    return opened[0];
  }

  private void secondLife(final TieredDbLedgerStorage storage) throws Exception {
    create(storage, 4);
    add(storage, 4);
    move(storage);
    delete(storage, 3);
    checkpoint(storage);
    add(storage, 2);
    collect(storage);
    attempt("flush", storage::flush);
    fence(storage, 4);
    attempt("flush", storage::flush);
    add(storage, 4);
  }

  private void create(final DbLedgerStorage storage, final int ledger) throws Exception {
    attempt("create", () -> journal.create(storage, ledger));
  }

  private void add(final DbLedgerStorage storage, final int ledger) throws Exception {
    attempt(
        "add",
        () -> {
          for (int i = 0; i < BATCH; i++) {
            journal.add(storage, ledger, next[ledger]);
            next[ledger]++;
          }
        });
  }

  private void fence(final DbLedgerStorage storage, final int ledger) throws Exception {
    attempt("fence", () -> journal.fence(storage, ledger));
  }

  private void checkpoint(final DbLedgerStorage storage) throws Exception {
    attempt("checkpoint", () -> journal.checkpoint(storage));
  }

  private void delete(final DbLedgerStorage storage, final int ledger) throws Exception {
    attempt("delete", () -> journal.delete(storage, ledger));
  }

  private void move(final TieredDbLedgerStorage storage) throws Exception {
    attempt("move", () -> LedgerFixture.migrator(storage).moveOne());
  }

  private void collect(final DbLedgerStorage storage) throws Exception {
    attempt(
        "collect",
        () -> {
          storage.forceGC(true, false);
          Await.until(() -> !storage.isInForceGC());
        });
  }

  /** What a client reads of a bookie that couldn't write. */
  private void verifyAlive(final DbLedgerStorage storage) throws Exception {
    faults.disarm();
    if (fault == null || fault.kind() != LedgerFaults.Kind.INTERRUPT) {
      journal.verify(storage);
    }
  }

  private void stop(final TieredDbLedgerStorage storage) throws Exception {
    verifyAlive(storage);
    LedgerFixture.awaitCleanUp(storage);
    faults.arm();
    try {
      storage.shutdown();
    } catch (final Exception | Error e) {
      tell("stop", e);
    } finally {
      Thread.interrupted();
      faults.disarm();
    }
  }

  private void lastLife(final LedgerFixture ledgers) throws Exception {
    ledgers.conf.clearProperty("dbStorage_maxThrottleTimeMs");
    final TieredDbLedgerStorage storage = ledgers.tiered();
    journal.replay(storage);
    journal.verify(storage);
    journal.checkpoint(storage);
    while (LedgerFixture.migrator(storage).moveOne()) {}
    journal.verify(storage);
    LedgerFixture.awaitCleanUp(storage);
    storage.shutdown();
    final DbLedgerStorage vanilla = ledgers.vanilla();
    journal.verify(vanilla);
    vanilla.shutdown();
  }
}
