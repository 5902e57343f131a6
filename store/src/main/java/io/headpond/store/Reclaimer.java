// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.MappedFile;
import io.headpond.pmem.RecyclePool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Gives the space of dropped tier files back, in the background and in batches.
 *
 * <p>Two file systems don't share an order: a tier file goes only after the home directory that
 * dropped or replaced its name was forced, or a power cut could leave a link that leads nowhere.
 * What a crash leaves in the queue is an orphan and found at the next start.
 */
final class Reclaimer implements AutoCloseable {
  /** Beyond this the thread that deletes does the work itself, which slows it down to our pace. */
  private static final int QUEUE_MAX = 65_536;

  private static final int BATCH_MAX = 1_024;

  /**
   * A tier file that no name resolves to any more.
   *
   * @param homeDirectory dropped or replaced the name; null if it was forced since
   * @param reusable may the file be given to the recycle pool?
   * @param unused is it sure, when asked, that this process neither reads nor maps the file?
   */
  record Dropped(
      Path file,
      TierDirectory directory,
      PartitionDirectory homeDirectory,
      boolean reusable,
      BooleanSupplier unused) {}

  /** How long a file is waited for that somebody still reads or maps, before it's just deleted. */
  private static final long IN_USE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long IN_USE_POLL_MS = 20;

  /** What it counts in the directory's account as about to be given back. */
  private record Queued(Dropped dropped, long bytes) {}

  private record InUse(Queued queued, long sinceNanos) {}

  private static final Queued STOP = new Queued(null, 0);

  private final LinkedBlockingQueue<Queued> queue = new LinkedBlockingQueue<>(QUEUE_MAX);
  private final Deque<InUse> inUse = new ArrayDeque<>();
  private final DirectoryForce directoryForce;
  private final Counters counters;
  private final AtomicInteger pending = new AtomicInteger();
  private final Thread thread;

  Reclaimer(final DirectoryForce directoryForce, final Counters counters) {
    this.directoryForce = directoryForce;
    this.counters = counters;
    thread = new Thread(this::run, "headpond-reclaim");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Takes a file over. */
  void reclaim(final Dropped dropped) {
    final Queued queued = new Queued(dropped, size(dropped.file()));
    dropped.directory().dropped(queued.bytes());
    pending.incrementAndGet();
    if (!queue.offer(queued)) {
      reclaim(List.of(queued));
    }
  }

  /** Was every file that was taken over given back, or left for the next start? Any thread. */
  boolean idle() {
    return pending.get() == 0;
  }

  private void done(final Queued queued) {
    queued.dropped.directory().dropped(-queued.bytes);
    pending.decrementAndGet();
  }

  private static long size(final Path file) {
    try {
      return Files.size(file);
    } catch (final IOException e) {
      return 0; // giving it back will fail too, and say so
    }
  }

  private void run() {
    final List<Queued> batch = new ArrayList<>(BATCH_MAX);
    boolean stop = false;
    while (!stop) {
      try {
        final Queued next =
            inUse.isEmpty() ? queue.take() : queue.poll(IN_USE_POLL_MS, TimeUnit.MILLISECONDS);
        if (next != null) {
          batch.add(next);
        }
      } catch (final InterruptedException e) {
        return;
      }
      queue.drainTo(batch, BATCH_MAX - 1);
      stop = batch.remove(STOP);
      try {
        reclaim(batch);
        giveBackUnused(stop);
      } catch (final RuntimeException e) {
        StoreCodes.RECLAIM_FAILED.log(e);
      }
      batch.clear();
    }
  }

  /** What a read under way kept from being given back; on the thread only. */
  private void giveBackUnused(final boolean stop) {
    final long now = System.nanoTime();
    for (int waiting = inUse.size(); waiting > 0; waiting--) {
      final InUse next = inUse.remove();
      if (stop
          || next.queued.dropped.unused().getAsBoolean()
          || now - next.sinceNanos > IN_USE_NANOS) {
        giveBack(next.queued);
      } else {
        inUse.add(next);
      }
    }
  }

  private void reclaim(final List<Queued> batch) {
    final Map<PartitionDirectory, Boolean> forced = new HashMap<>();
    for (final Queued queued : batch) {
      final Dropped dropped = queued.dropped;
      if (dropped.homeDirectory() != null
          && !forced.computeIfAbsent(dropped.homeDirectory(), this::force)) {
        done(queued);
        continue;
      }
      if (!dropped.unused().getAsBoolean() && Thread.currentThread() == thread) {
        inUse.add(new InUse(queued, System.nanoTime()));
      } else {
        giveBack(queued);
      }
    }
  }

  private boolean force(final PartitionDirectory homeDirectory) {
    try {
      directoryForce.force(homeDirectory);
      return true;
    } catch (final IOException e) {
      StoreCodes.FORCE_FAILED.log(homeDirectory.path(), e);
      return false;
    }
  }

  private void giveBack(final Queued queued) {
    final Dropped dropped = queued.dropped;
    try {
      final long bytes = Files.size(dropped.file());
      final RecyclePool pool = dropped.directory().pool();
      final boolean pools = dropped.reusable() && bytes > 0 && pool != null;
      // The writer's mapping stays until the garbage collector finds it, and would keep the
      // blocks of a file that is only deleted.
      final boolean cuts = dropped.directory().mapped() && !MappedFile.unmapsAtOnce();
      // Who has opened the file around the store must never read other bytes than it had.
      final boolean unused =
          (pools || cuts)
              && dropped.unused().getAsBoolean()
              && OpenFiles.surelyWithout(dropped.file());
      if (unused && pools && pool.offer(dropped.file())) {
        counters.recycledFiles.increment();
        return;
      }
      if (unused && cuts) {
        cut(dropped.file());
      }
      Files.delete(dropped.file());
      dropped.directory().release(bytes);
      counters.reclaimedFiles.increment();
    } catch (final NoSuchFileException e) {
      StoreCodes.FILE_GONE.log(dropped.file());
    } catch (final IOException e) {
      StoreCodes.FILE_KEPT.log(dropped.file(), e);
    } finally {
      done(queued);
    }
  }

  private static void cut(final Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    } catch (final IOException e) {
      StoreCodes.SPACE_LATE.log(file, e);
    }
  }

  /** Finishes what is queued, then stops. */
  @Override
  public void close() {
    if (!thread.isAlive()) {
      return;
    }
    try {
      queue.put(STOP);
      thread.join();
    } catch (final InterruptedException e) {
      // What is still queued is an orphan then, and found at the next start.
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
