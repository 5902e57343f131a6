// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.pmem.Background;
import io.headpond.pmem.MappedFile;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Events;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.tier.DeviceThreads;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Gives the space of dropped tier files back, in the background and in batches.
 *
 * <p>Two file systems don't share an order: a tier file goes only after the home directory that
 * dropped or replaced its name was forced, or a power cut could leave a link that leads nowhere.
 * What a crash leaves in the queue is an orphan and found at the next start.
 *
 * <p>Each log directory has threads of its own for its forces, and each tier directory one for its
 * deletions: a device that hangs holds up nothing but itself. All that one partition directory
 * dropped until a force begins shares that force.
 */
public final class Reclaimer implements AutoCloseable {
  /** Beyond this the thread that deletes does the work itself, which slows it down to our pace. */
  private static final int PENDING_MAX = 65_536;

  /** Partition directories of one log directory that are forced at the same time. */
  private static final int FORCES_MAX = 4;

  private static final String THREAD_NAME = "headpond-reclaim";
  private static final int ATTEMPTS = 5;
  private static final long ATTEMPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * A tier file that no name resolves to any more.
   *
   * @param homeDirectory dropped or replaced the name; null if it was forced since
   * @param unused is it sure, when asked, that this process neither reads nor maps the file?
   */
  public record Dropped(
      Path file,
      TierDirectory directory,
      PartitionDirectory homeDirectory,
      BooleanSupplier unused) {}

  /** The longest wait for a file that somebody still reads or maps; then it is just deleted. */
  private static final long IN_USE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long IN_USE_POLL_MS = 20;

  /**
   * A dropped file in the queue, with its bytes in the directory's account of what is about to be
   * given back.
   */
  private record Queued(Dropped dropped, long bytes) {}

  private record InUse(Queued queued, long sinceNanos) {}

  private final DirectoryForce directoryForce;
  private final Counters counters;
  private final Background background;
  private final AtomicInteger pending = new AtomicInteger();

  /** By log directory. */
  private final DeviceThreads<Path> forces;

  private final DeviceThreads<TierDirectory> deletions;

  /** The files that wait for a force of their partition directory; guarded by itself. */
  private final Map<PartitionDirectory, List<Queued>> unforced = new HashMap<>();

  private final BlockingQueue<InUse> inUse = new LinkedBlockingQueue<>();
  private final Thread inUseThread;
  private final TimeSource time;
  private volatile boolean closed;

  /** Gives nothing back yet. */
  public Reclaimer(
      final DirectoryForce directoryForce,
      final Counters counters,
      final Background background,
      final TimeSource time) {
    this.time = time;
    this.directoryForce = directoryForce;
    this.counters = counters;
    this.background = background;
    forces = new DeviceThreads<>(background, THREAD_NAME + "-force", FORCES_MAX, PENDING_MAX);
    deletions = new DeviceThreads<>(background, THREAD_NAME + "-delete", 1, PENDING_MAX);
    inUseThread = background.loop(THREAD_NAME, this::giveBackUnused);
  }

  /** Starts the thread that gives back what was in use. */
  public void start() {
    inUseThread.start();
  }

  /** Takes a file over. */
  public void reclaim(final Dropped dropped) {
    final Queued queued = new Queued(dropped, size(dropped.file()));
    dropped.directory().space.dropped(queued.bytes());
    final boolean many = pending.incrementAndGet() > PENDING_MAX;
    final PartitionDirectory partition = dropped.homeDirectory();
    if (partition == null) {
      giveBackLater(queued);
      return;
    }
    synchronized (unforced) {
      final List<Queued> others = unforced.get(partition);
      if (others != null && !many) {
        others.add(queued);
        return; // whoever put the first one there has asked for the force
      }
      unforced.computeIfAbsent(partition, first -> new ArrayList<>()).add(queued);
    }
    if (many) {
      forceAndGiveBack(partition);
    } else {
      forces.of(partition.path().getParent()).execute(() -> forceAndGiveBack(partition));
    }
  }

  /**
   * True if every file that was taken over was given back, or left for the next start. Any thread.
   */
  public boolean idle() {
    return pending.get() == 0;
  }

  private void done(final Queued queued) {
    queued.dropped.directory().space.dropped(-queued.bytes);
    pending.decrementAndGet();
  }

  private static long size(final Path file) {
    try {
      return Files.size(file);
    } catch (final IOException e) {
      return 0; // giving it back will fail too, and say so
    }
  }

  private void forceAndGiveBack(final PartitionDirectory partition) {
    final List<Queued> batch;
    synchronized (unforced) {
      batch = unforced.remove(partition);
    }
    if (batch == null) {
      return;
    }
    final boolean forced = force(partition);
    batch.forEach(forced ? this::giveBackLater : this::done);
  }

  private boolean force(final PartitionDirectory partition) {
    for (int left = ATTEMPTS; left > 0; left--) {
      try {
        partition.force(directoryForce);
        return true;
      } catch (final IOException e) {
        BackgroundCodes.FORCE_FAILED.log(partition.path(), e);
        return false;
      } catch (final RuntimeException | Error e) {
        background.failed(THREAD_NAME, e); // short of memory, most likely: not for long
        LockSupport.parkNanos(this, ATTEMPT_PAUSE_NANOS);
      }
    }
    return false;
  }

  /** On a thread of its tier directory, once nobody reads or maps it. */
  private void giveBackLater(final Queued queued) {
    try {
      if (queued.dropped.unused().getAsBoolean() || closed) {
        giveBackOnItsThread(queued);
      } else {
        queued.dropped.directory().space.held(queued.bytes);
        inUse.add(new InUse(queued, time.nanos()));
      }
    } catch (final RuntimeException | Error e) {
      background.failed(THREAD_NAME, e);
      done(queued); // an orphan, found at the next start
    }
  }

  private void giveBackOnItsThread(final Queued queued) {
    deletions.of(queued.dropped.directory()).execute(() -> giveBack(queued));
  }

  /** A round over what a read under way kept from being given back. */
  private boolean giveBackUnused() {
    try {
      if (!closed) {
        final InUse first = inUse.take();
        inUse.add(first);
        Thread.sleep(IN_USE_POLL_MS);
      }
    } catch (final InterruptedException e) {
      // The end: what is left here is given back without waiting for its readers.
      closed = true;
    }
    final long now = time.nanos();
    for (int waiting = inUse.size(); waiting > 0; waiting--) {
      final InUse next = inUse.remove();
      boolean over = false;
      try {
        over =
            closed
                || now - next.sinceNanos > IN_USE_NANOS
                || next.queued.dropped.unused().getAsBoolean();
      } finally {
        if (!over) {
          inUse.add(next);
        }
      }
      if (over) {
        next.queued.dropped.directory().space.held(-next.queued.bytes);
        giveBackOnItsThread(next.queued);
      }
    }
    return !closed;
  }

  private void giveBack(final Queued queued) {
    final Dropped dropped = queued.dropped;
    try {
      final long bytes = Files.size(dropped.file());
      // The writer's mapping stays until the garbage collector finds it, and would keep the
      // blocks of a file that is only deleted.
      final boolean cuts = dropped.directory().backend.maps() && !MappedFile.unmapsAtOnce();
      // Who has opened the file around the store must never read other bytes than it had.
      final boolean unused =
          cuts
              && dropped.unused().getAsBoolean()
              && !dropped.directory().isUserMapped(dropped.file())
              && OpenFiles.surelyWithout(dropped.file());
      if (unused) {
        cut(dropped.file());
      }
      Files.delete(dropped.file());
      dropped.directory().deleted(dropped.file());
      dropped.directory().space.release(bytes);
      counters.increment(Count.RECLAIMED_FILES);
    } catch (final NoSuchFileException e) {
      BackgroundCodes.FILE_GONE.log(dropped.file());
    } catch (final IOException e) {
      BackgroundCodes.FILE_KEPT.log(dropped.file(), e);
    } finally {
      done(queued);
    }
  }

  private static void cut(final Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    } catch (final IOException e) {
      Events.LOG.info("{}: its space comes back with a garbage collection only", file, e);
    }
  }

  /** Finishes what is queued, then stops; waits a minute at most for each device. */
  @Override
  public void close() {
    try {
      forces.await();
      inUseThread.interrupt();
      inUseThread.join();
      deletions.await();
    } catch (final InterruptedException e) {
      // What is still queued is an orphan then, and found at the next start.
      inUseThread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
