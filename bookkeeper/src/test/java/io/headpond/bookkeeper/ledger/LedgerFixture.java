// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.Checkpointer;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.bookie.LedgerStorage;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.apache.bookkeeper.bookie.storage.ldb.SingleDirectoryDbLedgerStorage;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.stats.NullStatsLogger;
import org.apache.bookkeeper.stats.StatsLogger;
import org.apache.bookkeeper.util.DiskChecker;

/**
 * One ledger directory with its fast directory below a folder, BookKeeper's real storage over them,
 * and what was stored: an entry's content follows from its ledger and number.
 */
final class LedgerFixture {
  static final int LOG_BYTES = 1 << 20;
  static final int ENTRY_BYTES = 16 << 10;

  final Path folder;
  final Path home;
  final Path fast;
  final ServerConfiguration conf = new ServerConfiguration();

  /** How many entries each ledger has. */
  final Map<Long, Long> stored = new HashMap<>();

  /** The directories of the storage that was opened last, as the bookie knows them. */
  LedgerDirsManager directories;

  private StatsLogger stats = NullStatsLogger.INSTANCE;
  private UnaryOperator<Path> devices = path -> path;
  private CheckpointSource checkpoints = CheckpointSource.DEFAULT;
  private ByteBufAllocator buffers = UnpooledByteBufAllocator.DEFAULT;

  LedgerFixture(final Path folder) throws IOException {
    this.folder = folder;
    home = folder.resolve("ledgers");
    fast = folder.resolve("fast");
    Files.createDirectories(home.resolve("current"));
    Files.createDirectories(fast);
    conf.setLedgerDirNames(new String[] {home.toString()});
    conf.setAllowLoopback(true);
    conf.setEntryLogSizeLimit(LOG_BYTES);
    conf.setWriteBufferBytes(4096);
    conf.setProperty("dbStorage_writeCacheMaxSizeMb", 4);
    conf.setProperty("dbStorage_readAheadCacheMaxSizeMb", 1);
    conf.setProperty("dbStorage_rocksDB_blockCacheSize", 1 << 20);
    conf.setGcWaitTime(TimeUnit.HOURS.toMillis(1));
    conf.setMinorCompactionInterval(TimeUnit.HOURS.toSeconds(2));
    conf.setMajorCompactionInterval(TimeUnit.HOURS.toSeconds(3));
    conf.setMajorCompactionThreshold(0.9);
    conf.setProperty(LedgerKeys.FAST_DIRECTORIES.name(), fast.toString());
    conf.setProperty(LedgerKeys.FAST_CAPACITY.name(), "64MiB");
    conf.setProperty(LedgerKeys.MIGRATE_THRESHOLD.name(), "0");
  }

  /** Another fixture on a copy of the folders as they are now: what a kill leaves. */
  LedgerFixture copy(final Path to) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(final Path from, final BasicFileAttributes is)
              throws IOException {
            if (from.equals(to)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(folder.relativize(from)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(final Path from, final BasicFileAttributes is)
              throws IOException {
            copyFile(from, to.resolve(folder.relativize(from)), is);
            return FileVisitResult.CONTINUE;
          }

          private void copyFile(final Path from, final Path copy, final BasicFileAttributes is)
              throws IOException {
            if (is.isSymbolicLink()) {
              final Path target = Files.readSymbolicLink(from);
              Files.createSymbolicLink(copy, to.resolve(folder.relativize(target)));
            } else if (from.equals(home.resolve(".headpond"))) {
              final String text = Files.readString(from).replace(fast.toString(), to + "/fast");
              Files.writeString(copy, text);
            } else {
              Files.copy(from, copy);
            }
          }
        });
    final LedgerFixture copy = new LedgerFixture(to);
    copy.stored.putAll(stored);
    return copy;
  }

  /** What BookKeeper's metrics of the storages that are opened from now on go to. */
  LedgerFixture stats(final StatsLogger logger) {
    stats = logger;
    return this;
  }

  /** What the storages that are opened from now on ask for checkpoints. */
  LedgerFixture journal(final CheckpointSource journal) {
    checkpoints = journal;
    return this;
  }

  /** Where the storages that are opened from now on get their memory. */
  LedgerFixture buffers(final ByteBufAllocator allocator) {
    buffers = allocator;
    return this;
  }

  /** What the plug-in calls the directories from now on. */
  LedgerFixture devices(final UnaryOperator<Path> wrapped) {
    devices = wrapped;
    return this;
  }

  /** Puts the fast directory, which is still empty, on a device, with all of its room. */
  LedgerFixture on(final SmallDevice device) throws IOException {
    Files.delete(fast);
    Files.createDirectory(device.path.resolve("fast"));
    Files.createSymbolicLink(fast, device.path.resolve("fast"));
    conf.clearProperty(LedgerKeys.FAST_CAPACITY.name());
    return this;
  }

  /** Opens the plug-in's storage; moves are made by the test unless it is started. */
  TieredDbLedgerStorage tiered() throws Exception {
    return tiered(step -> {});
  }

  TieredDbLedgerStorage tiered(final java.util.function.Consumer<EntryLogMigrator.Step> steps)
      throws Exception {
    return open(new TieredDbLedgerStorage(steps, devices, refusal -> {}));
  }

  /** Opens BookKeeper's own storage on the same directories. */
  DbLedgerStorage vanilla() throws Exception {
    return open(new DbLedgerStorage());
  }

  <S extends LedgerStorage> S open(final S storage) throws Exception {
    directories =
        new LedgerDirsManager(conf, conf.getLedgerDirs(), new DiskChecker(0.999f, 0.998f));
    storage.initialize(
        conf,
        null, // no metadata: a test deletes ledgers itself
        directories,
        directories,
        stats,
        buffers);
    storage.setCheckpointSource(checkpoints);
    storage.setCheckpointer(Checkpointer.NULL);
    return storage;
  }

  /**
   * Waits for what BookKeeper cleans up after a flush: its shutdown does so for a second only, and
   * then closes the index that this works in.
   */
  static void awaitCleanUp(final TieredDbLedgerStorage storage) throws Exception {
    for (final TieredDbLedgerStorage.Tiered one : storage.tiered()) {
      final Field executor =
          SingleDirectoryDbLedgerStorage.class.getDeclaredField("cleanupExecutor");
      executor.setAccessible(true);
      ((ExecutorService) executor.get(one.guard().storage())).submit(() -> {}).get();
    }
  }

  static EntryLogMigrator migrator(final TieredDbLedgerStorage storage) {
    return storage.tiered().get(0).migrator();
  }

  /** Adds entries to a ledger and flushes them. */
  void store(final LedgerStorage storage, final long ledger, final int entries) throws Exception {
    storage.setMasterKey(ledger, new byte[] {1});
    final long from = stored.getOrDefault(ledger, 0L);
    for (long entry = from; entry < from + entries; entry++) {
      storage.addEntry(content(ledger, entry));
    }
    storage.flush();
    stored.put(ledger, from + entries);
  }

  static ByteBuf content(final long ledger, final long entry) {
    final byte[] payload = new byte[ENTRY_BYTES];
    new Random(ledger * 1_000_003 + entry).nextBytes(payload);
    final ByteBuf bytes = Unpooled.buffer(16 + ENTRY_BYTES);
    return bytes.writeLong(ledger).writeLong(entry).writeBytes(payload);
  }

  /** Reads everything that was stored and compares it. */
  void verify(final DbLedgerStorage storage) throws Exception {
    for (final Map.Entry<Long, Long> ledger : stored.entrySet()) {
      for (long entry = 0; entry < ledger.getValue(); entry++) {
        verify(storage, ledger.getKey(), entry);
      }
    }
  }

  static void verify(final DbLedgerStorage storage, final long ledger, final long entry)
      throws Exception {
    final ByteBuf found = storage.getEntry(ledger, entry);
    try {
      assertThat(found.compareTo(content(ledger, entry)))
          .as("entry %d of ledger %d", entry, ledger)
          .isZero();
    } finally {
      found.release();
    }
  }

  /** The names of logs at home: true for those that are links. */
  Map<String, Boolean> names() throws IOException {
    final Map<String, Boolean> names = new HashMap<>();
    for (final Path path : files(home.resolve("current"))) {
      if (path.toString().endsWith(".log")) {
        names.put(path.getFileName().toString(), Files.isSymbolicLink(path));
      }
    }
    return names;
  }

  long linked() throws IOException {
    return names().values().stream().filter(link -> link).count();
  }

  long plain() throws IOException {
    return names().values().stream().filter(link -> !link).count();
  }

  /** What all logs hold together, in both places. */
  long bytes() throws IOException {
    long bytes = 0;
    for (final String name : names().keySet()) {
      bytes += Files.size(home.resolve("current").resolve(name));
    }
    return bytes;
  }

  /** The log files in the fast directory. */
  List<Path> fastFiles() throws IOException {
    final List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(fast.resolve("segments"))) {
      all.filter(path -> path.toString().endsWith(".log")).forEach(found::add);
    }
    return found;
  }

  /** What is in quarantine. */
  List<Path> quarantined() throws IOException {
    final Path quarantine = fast.resolve("quarantine");
    if (!Files.isDirectory(quarantine)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(quarantine)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  static List<Path> files(final Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    }
  }
}
