// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.pmem.Background;
import io.headpond.pmem.MappedFile;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.tier.DeviceThreads;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.TierSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
   * @param unread true if no channel of this process has it open any more
   */
  public record Dropped(
      Path file,
      TierDirectory directory,
      PartitionDirectory homeDirectory,
      BooleanSupplier unread) {}

  private static final long HELD_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A collection of garbage is followed by so many times its own time without one. */
  private static final int COLLECT_PAUSE = 3;

  /**
   * A dropped file in the queue, with its bytes in the directory's account of what is about to be
   * given back.
   */
  private record Queued(Dropped dropped, long bytes) {}

  private final DirectoryForce directoryForce;
  private final Counters counters;
  private final Background background;
  private final AtomicInteger pending = new AtomicInteger();

  /** By log directory. */
  private final DeviceThreads<Path> forces;

  private final DeviceThreads<TierDirectory> deletions;

  /** The files that wait for a force of their partition directory; guarded by itself. */
  private final Map<PartitionDirectory, List<Queued>> unforced = new HashMap<>();

  /** A deleted file whose bytes the device may still keep. */
  private static final class Deleted {
    final Dropped dropped;
    final long bytes;

    /** True if its bytes count as held by readers. */
    boolean read;

    Deleted(final Dropped dropped, final long bytes) {
      this.dropped = dropped;
      this.bytes = bytes;
    }
  }

  private final Queue<Deleted> held = new ConcurrentLinkedQueue<>();

  private final Thread heldThread;
  private final TimeSource time;
  private long collectAgainNanos;

  /** Gives nothing back yet. */
  public Reclaimer(
      final DirectoryForce directoryForce,
      final Counters counters,
      final Background background,
      final TimeSource time) {
    this.time = time;
    collectAgainNanos = time.nanos();
    this.directoryForce = directoryForce;
    this.counters = counters;
    this.background = background;
    forces = new DeviceThreads<>(background, THREAD_NAME + "-force", FORCES_MAX, PENDING_MAX);
    deletions = new DeviceThreads<>(background, THREAD_NAME + "-delete", 1, PENDING_MAX);
    heldThread = background.loop(THREAD_NAME, this::releaseUnused);
  }

  /** Starts the thread that gives back what was held. */
  public void start() {
    heldThread.start();
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

  /** On a thread of its tier directory. */
  private void giveBackLater(final Queued queued) {
    try {
      deletions.of(queued.dropped.directory()).execute(() -> giveBack(queued));
    } catch (final RuntimeException | Error e) {
      background.failed(THREAD_NAME, e);
      done(queued); // an orphan, found at the next start
    }
  }

  /** Unlinks the file and changes nothing of it: another process, or another link, may read it. */
  private void giveBack(final Queued queued) {
    final Dropped dropped = queued.dropped;
    final TierSpace space = dropped.directory().space;
    try {
      final long bytes = Files.size(dropped.file());
      Files.delete(dropped.file());
      dropped.directory().deleted(dropped.file());
      counters.increment(Count.RECLAIMED_FILES);
      space.dropped(bytes);
      held.add(new Deleted(dropped, bytes));
      LockSupport.unpark(heldThread);
    } catch (final NoSuchFileException e) {
      BackgroundCodes.FILE_GONE.log(dropped.file());
    } catch (final IOException e) {
      BackgroundCodes.FILE_KEPT.log(dropped.file(), e);
    } finally {
      done(queued);
    }
  }

  /** Looks at each deleted file whose bytes weren't released yet. */
  private boolean releaseUnused() {
    if (held.isEmpty()) {
      LockSupport.park(this);
    }
    if (Thread.interrupted()) {
      return false; // the end of the process gives everything back
    }
    boolean collects = false;
    for (final Iterator<Deleted> all = held.iterator(); all.hasNext(); ) {
      final Deleted next = all.next();
      final TierSpace space = next.dropped.directory().space;
      final boolean read = !next.dropped.unread().getAsBoolean();
      if (read != next.read) {
        next.read = read;
        space.held(read ? next.bytes : -next.bytes);
      }
      if (!read && MappedFile.isMapped(next.dropped.file())) {
        collects |= space.wantsDropped();
      } else if (!read) {
        all.remove();
        space.release(next.bytes);
        space.dropped(-next.bytes);
      }
    }
    final long begun = time.nanos();
    if (collects && begun - collectAgainNanos >= 0) {
      System.gc(); // before Java 22 nothing else unmaps
      final long now = time.nanos();
      collectAgainNanos = now + COLLECT_PAUSE * (now - begun);
    }
    if (!held.isEmpty()) {
      LockSupport.parkNanos(this, HELD_POLL_NANOS);
    }
    return true;
  }

  /** Finishes what is queued, then stops; waits a minute at most for each device. */
  @Override
  public void close() {
    try {
      forces.await();
      deletions.await();
      heldThread.interrupt();
      heldThread.join();
    } catch (final InterruptedException e) {
      // What is still queued is an orphan then, and found at the next start.
      heldThread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
