// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.Journal;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.util.DiskChecker;

/** BookKeeper's journal and one thread that logs entries into it. */
final class JournalLoad {
  /** In flight at most: what a busy bookie's queue holds. */
  private static final int WINDOW_BYTES = 16 << 20;

  private static final int BATCH_MAX = 32;
  private static final long WAIT_NANOS = 20_000;
  private static final long CHECKPOINT_MILLIS = 50;

  /** A checkpoint comes once so much of a journal was filled since the one before: it is forced. */
  private static final int CHECKPOINTS_PER_JOURNAL = 8;

  private static final long ANSWER_NANOS = 30_000_000_000L;

  private final Journal journal;
  private final File directory;
  private long firstJournal = -1;
  private final AtomicLong acknowledged = new AtomicLong();
  private final long checkpointBytes;
  private volatile long acknowledgedBytes;
  private long checkpointedBytes;
  private volatile EntryTimes times;
  private volatile int failure;
  private long logged;

  JournalLoad(JournalSetup setup) throws IOException {
    Path root = Path.of(setup.folder());
    directory = Files.createDirectories(root.resolve("journal/current")).toFile();
    Files.createDirectories(root.resolve("ledgers/current"));
    checkpointBytes = ((long) setup.maxMebibytes() << 20) / CHECKPOINTS_PER_JOURNAL;
    ServerConfiguration configuration = configuration(setup, root);
    LedgerDirsManager ledgers =
        new LedgerDirsManager(
            configuration, configuration.getLedgerDirs(), new DiskChecker(0.99f, 0.98f));
    journal = new Journal(0, directory, configuration, ledgers);
    journal.start();
    ScheduledExecutorService checkpoints =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "checkpoint");
              thread.setDaemon(true);
              return thread;
            });
    checkpoints.scheduleWithFixedDelay(
        this::checkpoint, CHECKPOINT_MILLIS, CHECKPOINT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** As recommended for a fast journal, for either provider. */
  private static ServerConfiguration configuration(JournalSetup setup, Path root) {
    ServerConfiguration configuration = new ServerConfiguration();
    configuration.setJournalDirName(root.resolve("journal").toString());
    configuration.setLedgerDirNames(new String[] {root.resolve("ledgers").toString()});
    configuration.setMaxJournalSizeMB(setup.maxMebibytes());
    configuration.setMaxBackupJournals(setup.backups());
    configuration.setJournalMaxGroupWaitMSec(0);
    configuration.setJournalFlushWhenQueueEmpty(true);
    configuration.setJournalRemovePagesFromCache(false);
    configuration.setProperty("journalReuseFiles", setup.reuse());
    configuration.setProperty("journalWriteBufferSizeKB", setup.writeBufferKibibytes());
    configuration.setJournalChannelProvider(CountedReuse.class.getName());
    CountedReuse.provider(setup.provider());
    return configuration;
  }

  private void checkpoint() {
    long bytes = acknowledgedBytes;
    if (bytes - checkpointedBytes < checkpointBytes) {
      return;
    }
    checkpointedBytes = bytes;
    try {
      CheckpointSource.Checkpoint reached = journal.newCheckpoint();
      journal.checkpointComplete(reached, true);
    } catch (IOException | RuntimeException e) {
      failure = 1;
    }
  }

  /**
   * Logs entries for that long, and waits until all are acknowledged.
   *
   * @param bytesPerSecond how fast at most; 0: as fast as they are acknowledged
   * @param underWay entries that wait for their acknowledgement at most; 0: as many as a busy
   *     bookie has, and no latency is measured
   */
  JournalSlice run(int entryBytes, Duration time, long bytesPerSecond, int underWay)
      throws IOException, InterruptedException {
    ByteBuf entry = Unpooled.directBuffer(entryBytes);
    for (int i = 0; i < entryBytes; i++) {
      entry.writeByte(i * 31);
    }
    int busy = Math.max(16, Math.min(8192, WINDOW_BYTES / entryBytes));
    int window = underWay > 0 ? underWay : busy;
    int batch = underWay > 0 ? 1 : Math.min(BATCH_MAX, window / 2);
    EntryTimes measured = underWay > 0 ? new EntryTimes(logged, underWay) : null;
    times = measured;
    long before = acknowledged.get();
    long beforeBytes = acknowledgedBytes;
    long first = logged;
    long cpu = cpuNanos();
    long start = System.nanoTime();
    long end = start + time.toNanos();
    while (System.nanoTime() < end) {
      for (int i = 0; i < batch; i++) {
        if (measured != null) {
          measured.logged(logged);
        }
        journal.logAddEntry(1, logged++, entry, false, this::answered, null);
      }
      await(window - batch, measured);
      acknowledgedBytes = beforeBytes + (acknowledged.get() - before) * entryBytes;
      pace(start, (logged - first) * entryBytes, bytesPerSecond);
    }
    await(0, measured);
    long nanos = System.nanoTime() - start;
    long used = cpuNanos() - cpu;
    entry.release();
    List<Long> ids = Journal.listJournalIds(directory, null);
    long newest = ids.get(ids.size() - 1);
    firstJournal = firstJournal < 0 ? newest : firstJournal;
    return new JournalSlice(
        (acknowledged.get() - before) * entryBytes,
        nanos,
        used,
        newest - firstJournal,
        CountedReuse.count(),
        measured == null ? 0 : measured.nanos(0.5),
        measured == null ? 0 : measured.nanos(0.99));
  }

  private static void pace(long startNanos, long bytes, long bytesPerSecond) {
    if (bytesPerSecond > 0) {
      long due = startNanos + (long) (bytes * 1e9 / bytesPerSecond);
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
    }
  }

  private void answered(int code, long ledger, long id, Object bookie, Object context) {
    if (code != 0) {
      failure = code;
    }
    long count = acknowledged.get() + 1; // by the force-write thread alone
    EntryTimes measured = times;
    if (measured == null) {
      acknowledged.lazySet(count);
    } else {
      measured.acknowledged(id);
      acknowledged.set(count);
      measured.wake(count);
    }
  }

  private void await(int inFlight, EntryTimes measured) throws IOException {
    long limit = System.nanoTime() + ANSWER_NANOS;
    while (logged - acknowledged.get() > inFlight) {
      if (failure != 0 || System.nanoTime() > limit) {
        throw new IOException(
            "the journal doesn't acknowledge (code " + failure + "): see its log");
      }
      if (measured == null) {
        LockSupport.parkNanos(WAIT_NANOS);
      } else {
        measured.await(acknowledged, logged - inFlight);
      }
    }
  }

  /** Of the process, less the calling thread, which is no part of a journal. */
  private static long cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime()
        - threads.getCurrentThreadCpuTime();
  }
}
