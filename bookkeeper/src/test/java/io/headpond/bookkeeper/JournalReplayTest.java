// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.bookie.DefaultFileChannelProvider;
import org.apache.bookkeeper.bookie.Journal;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.util.DiskChecker;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What BookKeeper's own journal writes through one provider, it replays through the other. */
class JournalReplayTest {
  private static final String OURS = PmemJournalChannelProvider.class.getName();
  private static final String DEFAULT = DefaultFileChannelProvider.class.getName();

  @TempDir Path folder;

  private Journal journal(String provider, String backend) throws Exception {
    ServerConfiguration configuration = new ServerConfiguration();
    File journals = folder.resolve("journal").toFile();
    File ledgers = folder.resolve("ledgers/current").toFile();
    assertThat(journals.mkdirs() | ledgers.mkdirs() | journals.isDirectory()).isTrue();
    configuration.setJournalDirName(journals.getPath());
    configuration.setLedgerDirNames(new String[] {ledgers.getParent()});
    // PageCacheUtil asserts that it can see into java.io, which it can't since Java 16.
    configuration.setJournalRemovePagesFromCache(false);
    configuration.setJournalChannelProvider(provider);
    configuration.setMaxJournalSizeMB(1);
    configuration.setProperty("journalPreAllocSizeMB", 1);
    configuration.setProperty("headpond.journal.persist", backend);
    LedgerDirsManager manager =
        new LedgerDirsManager(
            configuration, configuration.getLedgerDirs(), new DiskChecker(0.99f, 0.98f));
    return new Journal(0, journals, configuration, manager);
  }

  @ParameterizedTest
  @CsvSource({"ours, default", "default, ours", "ours, ours"})
  void everyAcknowledgedEntryIsReplayed(String writer, String reader) throws Exception {
    String writing = writer.equals("ours") ? OURS : DEFAULT;
    String reading = reader.equals("ours") ? OURS : DEFAULT;
    List<byte[]> entries = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] entry = new byte[16 + random.nextInt(5000)];
      random.nextBytes(entry);
      entries.add(entry);
    }
    Journal journal = journal(writing, "msync");
    journal.start();
    CountDownLatch acknowledged = new CountDownLatch(entries.size());
    AtomicInteger failed = new AtomicInteger();
    for (int i = 0; i < entries.size(); i++) {
      ByteBuf entry = Unpooled.wrappedBuffer(entries.get(i));
      journal.logAddEntry(
          1,
          i,
          entry,
          false,
          (rc, ledger, id, bookie, context) -> {
            if (rc != 0) {
              failed.incrementAndGet();
            }
            acknowledged.countDown();
          },
          null);
    }
    assertThat(acknowledged.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(failed).hasValue(0);
    journal.shutdown();

    Journal replayed = journal(reading, "msync");
    List<byte[]> found = new ArrayList<>();
    List<Long> ids = Journal.listJournalIds(replayed.getJournalDirectory(), null);
    assertThat(ids).hasSizeGreaterThan(2);
    for (long id : ids) {
      replayed.scanJournal(
          id,
          0,
          (version, offset, entry) -> {
            byte[] bytes = new byte[entry.remaining()];
            entry.get(bytes);
            found.add(bytes);
          },
          false);
    }
    assertThat(found).usingElementComparator(java.util.Arrays::compare).isEqualTo(entries);
  }
}
