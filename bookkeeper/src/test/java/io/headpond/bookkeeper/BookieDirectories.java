// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.bookkeeper.bookie.DefaultFileChannelProvider;
import org.apache.bookkeeper.bookie.Journal;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.util.DiskChecker;

/** One journal and one ledger directory as a bookie lays them out, and its configuration. */
final class BookieDirectories {
  static final String OURS = PmemJournalChannelProvider.class.getName();
  static final String DEFAULT = DefaultFileChannelProvider.class.getName();

  final Path journals;
  final Path ledgers;

  BookieDirectories(Path folder) throws IOException {
    journals = Files.createDirectories(folder.resolve("journal/current"));
    ledgers = Files.createDirectories(folder.resolve("ledgers/current"));
  }

  /** Journals of a MiB, three of them kept, reused. */
  ServerConfiguration configuration(String provider) {
    ServerConfiguration configuration = new ServerConfiguration();
    configuration.setJournalDirName(journals.getParent().toString());
    configuration.setLedgerDirNames(new String[] {ledgers.getParent().toString()});
    configuration.setJournalChannelProvider(provider);
    configuration.setMaxJournalSizeMB(1);
    configuration.setMaxBackupJournals(3);
    configuration.setProperty("journalPreAllocSizeMB", 1);
    configuration.setJournalReuseFiles(true);
    configuration.setJournalMaxGroupWaitMSec(0);
    // PageCacheUtil asserts that it can see into java.io, which it can't since Java 16.
    configuration.setJournalRemovePagesFromCache(false);
    return configuration;
  }

  /** BookKeeper's own journal on these directories. */
  Journal journal(ServerConfiguration configuration) throws IOException {
    File[] ledgerDirs = configuration.getLedgerDirs();
    LedgerDirsManager manager =
        new LedgerDirsManager(configuration, ledgerDirs, new DiskChecker(0.99f, 0.98f));
    return new Journal(0, journals.toFile(), configuration, manager);
  }

  /** What a checkpoint leaves: journals with lower ids aren't needed any more. */
  void checkpoint(long journalId) throws IOException {
    checkpoint(journalId, 512);
  }

  void checkpoint(long journalId, long offset) throws IOException {
    byte[] mark = ByteBuffer.allocate(16).putLong(journalId).putLong(offset).array();
    Files.write(ledgers.resolve("lastMark"), mark);
  }

  Path journalFile(long id) {
    return journals.resolve(Long.toHexString(id) + ".txn");
  }
}
