// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.bookie.DefaultEntryLogger;
import org.apache.bookkeeper.bookie.storage.CompactionEntryLog;
import org.apache.bookkeeper.bookie.storage.EntryLogScanner;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BookKeeper's default compaction, whose output lies at home. */
class CompactionTest {
  /** Entries of one log, and a few more. */
  private static final int LOG = LedgerFixture.LOG_BYTES / LedgerFixture.ENTRY_BYTES;

  @TempDir Path folder;

  /** Some logs, sealed, of which a part lives. */
  private static void prepare(final LedgerFixture ledgers, final DbLedgerStorage storage)
      throws Exception {
    for (int round = 0; round < LOG; round++) {
      ledgers.store(storage, 1 + round % 4, 8);
    }
    ledgers.store(storage, 5, LOG);
    for (final long dead : new long[] {1, 2}) {
      storage.deleteLedger(dead);
      ledgers.stored.remove(dead);
    }
  }

  private static void compact(final DbLedgerStorage storage) throws Exception {
    storage.forceGC(true, false);
    Await.until(() -> !storage.isInForceGC());
  }

  private static TieredEntryLogger logger(final TieredDbLedgerStorage storage) {
    return storage.tiered().get(0).logger();
  }

  private static Map<Path, Long> fastBytes(final LedgerFixture ledgers) throws IOException {
    final Map<Path, Long> bytes = new HashMap<>();
    for (final Path file : ledgers.fastFiles()) {
      bytes.put(file, Files.size(file));
    }
    return bytes;
  }

  /** The logs at home, whose only writer here is the compaction, the oldest first. */
  private static List<Path> outputs(final LedgerFixture ledgers) throws IOException {
    final Set<Long> ids = new TreeSet<>();
    ledgers
        .names()
        .forEach(
            (name, link) -> {
              if (!link) {
                ids.add(Long.parseLong(name.replace(".log", ""), 16));
              }
            });
    return ids.stream()
        .map(id -> ledgers.home.resolve("current").resolve(Long.toHexString(id) + ".log"))
        .toList();
  }

  private static long id(final Path log) {
    return Long.parseLong(log.getFileName().toString().replace(".log", ""), 16);
  }

  private static void verifyVanilla(final LedgerFixture ledgers) throws Exception {
    final DbLedgerStorage vanilla = ledgers.vanilla();
    ledgers.verify(vanilla);
    vanilla.shutdown();
  }

  @Test
  void compactionWritesNothingToTheFastDevice() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    prepare(ledgers, storage);
    final Map<Path, Long> before = fastBytes(ledgers);
    compact(storage);
    long written = 0;
    for (final Map.Entry<Path, Long> file : fastBytes(ledgers).entrySet()) {
      written += file.getValue() - before.getOrDefault(file.getKey(), 0L);
    }
    assertThat(ledgers.fastFiles()).hasSizeLessThan(before.size()); // something was compacted
    assertThat(written).as("bytes written to the fast device").isZero();
    ledgers.verify(storage);
    storage.shutdown();
  }

  /** BookKeeper itself looks only for another unfinished compaction of that name. */
  @Test
  void aCompactionTakesNoIdentifierThatALogHas() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final CompactionEntryLog first = logger(storage).newCompactionLog(0);
    first.abort();
    final long taken = first.getDstLogId() + 1;
    final Path log =
        Files.createFile(ledgers.home.resolve("current/" + Long.toHexString(taken) + ".log"));
    final CompactionEntryLog next = logger(storage).newCompactionLog(0);
    assertThat(next.getDstLogId()).isGreaterThan(taken);
    next.abort();
    Files.delete(log);
    storage.shutdown();
  }

  /** BookKeeper's own recovery would call it 26.log: its identifier in decimal digits. */
  @Test
  void aTransactionalCompactionThatWasCutGetsItsOwnName() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final Path home = ledgers.home.resolve("current");
    final TieredDbLedgerStorage storage = ledgers.tiered();
    prepare(ledgers, storage);
    compact(storage);
    final Path output = outputs(ledgers).get(0);
    Files.createLink(home.resolve("1a.log.0.compacted"), output);
    final List<CompactionEntryLog> found = List.copyOf(logger(storage).incompleteCompactionLogs());
    assertThat(found).hasSize(1);
    found.get(0).makeAvailable();
    found.get(0).finalizeAndCleanup();
    assertThat(found.get(0).getDstLogId()).isEqualTo(0x1a);
    assertThat(home.resolve("1a.log")).hasSameBinaryContentAs(output);
    assertThat(home.resolve("26.log")).doesNotExist();
    assertThat(home.resolve("1a.log.0.compacted")).doesNotExist();
    Files.delete(home.resolve("1a.log"));
    storage.shutdown();
  }

  @Test
  void outputsAreFilledAndReadAtOnceAfterAStopAndByVanilla() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    TieredDbLedgerStorage storage = ledgers.tiered();
    prepare(ledgers, storage);
    compact(storage);
    ledgers.verify(storage);
    final int logs = outputs(ledgers).size();
    final Path open = outputs(ledgers).get(logs - 1);
    final long bytes = Files.size(open);
    assertThat(logs).isGreaterThanOrEqualTo(2);
    assertThat(logger(storage).getFlushedLogIds()).doesNotContain(id(open));
    ledgers.store(storage, 6, 2 * LOG);
    storage.deleteLedger(5);
    ledgers.stored.remove(5L);
    storage.deleteLedger(3);
    ledgers.stored.remove(3L);
    compact(storage);
    ledgers.verify(storage);
    assertThat(Files.size(open))
        .as("the open log, which this thread has read")
        .isGreaterThan(bytes);
    storage.shutdown();
    for (final Path log : outputs(ledgers)) {
      assertThat(Files.size(log)).isLessThan(LedgerFixture.LOG_BYTES + 1024);
      assertThat(contents(ledgers, id(log), true)).isEqualTo(contents(ledgers, id(log), false));
    }
    verifyVanilla(ledgers);
    storage = ledgers.tiered();
    ledgers.verify(storage);
    assertThat(logger(storage).getFlushedLogIds())
        .containsAll(outputs(ledgers).stream().map(CompactionTest::id).toList());
    storage.shutdown();
  }

  /** How much of each ledger a log has by BookKeeper's reading of its map, or of its entries. */
  private static Map<Long, Long> contents(
      final LedgerFixture ledgers, final long log, final boolean byMap) throws IOException {
    final AtomicInteger scans = new AtomicInteger();
    final DefaultEntryLogger reader =
        new DefaultEntryLogger(ledgers.conf) {
          @Override
          public void scanEntryLog(final long id, final EntryLogScanner scanner)
              throws IOException {
            scans.incrementAndGet();
            super.scanEntryLog(id, scanner);
          }
        };
    final Map<Long, Long> contents = new HashMap<>();
    try {
      if (byMap) {
        reader.getEntryLogMetadata(log, null).getLedgersMap().forEach(contents::put);
      } else {
        reader.scanEntryLog(
            log,
            new EntryLogScanner() {
              @Override
              public boolean accept(final long ledger) {
                return ledger >= 0;
              }

              @Override
              public void process(
                  final long ledger, final long offset, final io.netty.buffer.ByteBuf entry) {
                contents.merge(ledger, entry.readableBytes() + 4L, Long::sum);
              }
            });
      }
    } finally {
      reader.close();
    }
    assertThat(scans).hasValue(byMap ? 0 : 1);
    return contents;
  }

  @Test
  void aMapOfManyLedgersIsReadByBookKeeper() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final Path path = ledgers.home.resolve("current").resolve("7.log");
    final CompactedLog log =
        new CompactedLog(7, path, ledgers.conf, io.netty.buffer.UnpooledByteBufAllocator.DEFAULT);
    for (long ledger = 0; ledger < 25_000; ledger++) {
      final io.netty.buffer.ByteBuf entry = io.netty.buffer.Unpooled.buffer();
      log.add(ledger, entry.writeLong(ledger).writeLong(0).writeZero((int) (ledger % 7)));
    }
    assertThat(log.bytes()).isGreaterThan(25_000 * 20);
    log.seal();
    assertThat(contents(ledgers, 7, true)).hasSize(25_000).isEqualTo(contents(ledgers, 7, false));
  }

  @Test
  void whatAKillLeavesOfACompactionIsRead() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder.resolve("live"));
    final List<LedgerFixture> killed = new ArrayList<>();
    final Set<String> seen = new HashSet<>();
    final AtomicInteger calls = new AtomicInteger();
    final HookedFiles files =
        new HookedFiles(
            folder.getFileSystem(),
            (call, path) -> {
              if (Thread.currentThread().getName().startsWith("GarbageCollector")
                  && (seen.add(call)
                      || call.equals("write") && calls.incrementAndGet() % 300 == 0)) {
                killed.add(ledgers.copy(folder.resolve("killed" + killed.size())));
              }
            });
    final TieredDbLedgerStorage storage = ledgers.devices(files::wrap).tiered();
    prepare(ledgers, storage);
    compact(storage);
    killed.add(ledgers.copy(folder.resolve("compacted")));
    ledgers.verify(storage);
    storage.shutdown();
    assertThat(seen).contains("open", "write", "force", "delete"); // of outputs, and of what went
    assertThat(killed).hasSizeGreaterThan(8);
    for (final LedgerFixture left : killed) {
      verifyVanilla(left.copy(left.folder.resolveSibling(left.folder.getFileName() + "v")));
      final TieredDbLedgerStorage again = left.tiered();
      left.verify(again);
      compact(again);
      left.verify(again);
      again.shutdown();
      assertThat(LedgerFixture.files(left.home.resolve("current")))
          .noneMatch(path -> path.toString().endsWith(".compacting"));
      verifyVanilla(left);
    }
  }

  @Test
  void aKillAsAnIdIsTakenLeavesNothing() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final Path left = ledgers.home.resolve("current").resolve("1f.log.compacting");
    Files.createFile(left);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    assertThat(left).doesNotExist();
    storage.shutdown();
  }

  /** The index may lie on another device than the names, which keeps another order. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTransactionalCompactionsNameIsDurableBeforeItsUse(final boolean cut) throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final Path home = ledgers.home.resolve("current");
    final Set<String> durable = new HashSet<>();
    final HookedFiles files =
        new HookedFiles(
            folder.getFileSystem(),
            (call, path) -> {
              if (call.equals("force") && path.equals(home)) {
                LedgerFixture.files(home).forEach(name -> durable.add(name.toFile().getName()));
              }
            });
    final TieredDbLedgerStorage storage = ledgers.devices(files::wrap).tiered();
    final CompactionEntryLog made = logger(storage).newCompactionLog(0);
    made.addEntry(7, LedgerFixture.content(7, 0));
    made.flush();
    made.markCompacted();
    final CompactionEntryLog log =
        cut ? logger(storage).incompleteCompactionLogs().iterator().next() : made;
    log.makeAvailable();
    assertThat(durable).contains(Long.toHexString(made.getDstLogId()) + ".log");
    log.finalizeAndCleanup();
    storage.shutdown();
  }
}
