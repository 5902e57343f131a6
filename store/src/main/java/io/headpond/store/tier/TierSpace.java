// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.pmem.FilePool;
import io.headpond.pmem.Space;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.migrate.TierLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of a tier directory's space: the physical bytes of all files that Headpond has there,
 * reserved before a file grows. Any thread.
 */
public final class TierSpace implements Space {
  /**
   * The bytes between two calls of {@link #pressure}, where every append reserves its own bytes.
   */
  private static final long PRESSURE_STEP_BYTES = 256 << 10;

  private static final Duration RELEASE_MAX = Duration.ofSeconds(1);
  private static final long NO_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path path;
  private final TierLimits limits;
  private final TimeSource time;

  private final AtomicLong usedBytes;
  private final AtomicLong droppedBytes = new AtomicLong();

  /** In quarantine: not used, but not free either. */
  private final AtomicLong quarantinedBytes = new AtomicLong();

  /** All that the device had for this directory at the start. */
  private volatile long deviceBytes = Long.MAX_VALUE;

  /** The dropped bytes that wait for somebody who still reads them. */
  private final AtomicLong heldBytes = new AtomicLong();

  private final Object released = new Object();

  /** As long as an append waits for what is being given back. */
  private volatile Duration releaseMax = RELEASE_MAX;

  /** Until then nobody waits for what is being given back: it took too long just now. */
  private volatile long noWaitUntilNanos;

  private volatile FilePool pool;

  /** Told when the directory is fuller than migration wants it. */
  private volatile Runnable pressure = () -> {};

  /**
   * An account.
   *
   * @param path the directory
   * @param usedBytes of the files that are there already
   */
  TierSpace(final Path path, final TierLimits limits, final long usedBytes, final TimeSource time) {
    this.path = path;
    this.limits = limits;
    this.usedBytes = new AtomicLong(usedBytes);
    this.time = time;
    noWaitUntilNanos = time.nanos();
  }

  /**
   * Names whom to tell when the directory is fuller than migration wants it; on a writer's thread.
   */
  public void pressure(final Runnable told) {
    pressure = told;
  }

  /** Files are prepared from now on. */
  public void pool(final FilePool filePool) {
    pool = filePool;
  }

  /** The pool of prepared files; null: there is none. */
  public FilePool pool() {
    return pool;
  }

  /** Physical bytes of all files, also of those in the pool and those that are being given back. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Bytes of segments: neither the pool, which gives way, nor what is being given back. */
  public long segmentBytes() {
    final FilePool now = pool;
    return usedBytes.get() - droppedBytes.get() - (now == null ? 0 : now.bytes());
  }

  /**
   * Bytes that files may take now, of what is free; the pool gives way.
   *
   * @param onDeviceBytes what is free on the device
   */
  long freeBytes(final long onDeviceBytes) {
    final FilePool now = pool;
    final long pooled = now == null ? 0 : now.bytes();
    return Math.min(limitBytes() - usedBytes.get(), onDeviceBytes) + pooled;
  }

  @Override
  public boolean reserve(final long bytes) {
    long used = usedBytes.get();
    while (true) {
      if (used + bytes > limitBytes()) {
        if (!shrinkPool(bytes) && !awaitRelease(bytes)) {
          return false;
        }
        used = usedBytes.get();
      } else if (usedBytes.compareAndSet(used, used + bytes)) {
        if (limits.threshold() >= 0
            && used + bytes > limits.thresholdBytes()
            && (used + bytes) / PRESSURE_STEP_BYTES != used / PRESSURE_STEP_BYTES) {
          pressure.run();
        }
        return true;
      } else {
        used = usedBytes.get();
      }
    }
  }

  /** The same account for the pool: it waits for nothing, and moves nobody. */
  public Space forPool() {
    return new Space() {
      @Override
      public boolean reserve(final long bytes) {
        long used = usedBytes.get();
        while (used + bytes <= limitBytes()) {
          if (usedBytes.compareAndSet(used, used + bytes)) {
            return true;
          }
          used = usedBytes.get();
        }
        return false;
      }

      @Override
      public void release(final long bytes) {
        TierSpace.this.release(bytes);
      }
    };
  }

  /**
   * Waits for space that is being given back, where there is enough of it. A moment's wait costs an
   * append less than the move of its segment.
   */
  private boolean awaitRelease(final long bytes) {
    final long deadline = time.nanos() + releaseMax.toNanos();
    boolean interrupted = false;
    synchronized (released) {
      while (usedBytes.get() + bytes > limitBytes()) {
        final long given = droppedBytes.get() - heldBytes.get();
        final long now = time.nanos();
        if (usedBytes.get() - given + bytes > limitBytes() || now - noWaitUntilNanos < 0) {
          break;
        }
        if (now - deadline >= 0) {
          noWaitUntilNanos = now + NO_WAIT_NANOS;
          break;
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(released, deadline - now);
        } catch (final InterruptedException e) {
          interrupted = true;
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return usedBytes.get() + bytes <= limitBytes();
  }

  /** Gives up pooled files for something that needs the room now. */
  private boolean shrinkPool(final long bytes) {
    final FilePool shrinking = pool;
    if (shrinking == null) {
      return false;
    }
    final long pooled = shrinking.bytes();
    shrinking.shrinkTo(Math.max(0, pooled - bytes));
    return shrinking.bytes() < pooled;
  }

  @Override
  public void release(final long bytes) {
    final long now = usedBytes.addAndGet(-bytes);
    if (droppedBytes.get() > 0) {
      wakeWaiting();
    }
    assert now >= 0 : path + ": " + now + " B used after a release of " + bytes + " B";
  }

  /** Counts bytes that are there already, whatever the capacity says. */
  public void adopt(final long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** A file of so many bytes is given back soon; negative: it was, or it stays. */
  public void dropped(final long bytes) {
    droppedBytes.addAndGet(bytes);
    if (bytes < 0) {
      wakeWaiting();
    }
  }

  /** Of what was {@link #dropped}, somebody still reads so many bytes; negative: no more. */
  public void held(final long bytes) {
    heldBytes.addAndGet(bytes);
    if (bytes > 0) {
      wakeWaiting();
    }
  }

  /** The bytes of dropped files that the device still keeps. */
  public long droppedBytes() {
    return droppedBytes.get();
  }

  /** True if that is more than what is free. */
  public boolean wantsDropped() {
    return droppedBytes.get() > limitBytes() - usedBytes.get();
  }

  /** For tests: appends wait that long for what is being given back. */
  public void awaitReleases(final Duration max) {
    releaseMax = max;
  }

  private void wakeWaiting() {
    synchronized (released) {
      released.notifyAll();
    }
  }

  /**
   * Sets the bytes in quarantine at the start, and those that the device has for all of the
   * directory.
   */
  public void quarantineHolds(final long bytes, final long ofDeviceBytes) {
    quarantinedBytes.set(bytes);
    deviceBytes = ofDeviceBytes;
  }

  /** A file that was counted as used was put into quarantine; negative: bytes left it for good. */
  public void quarantined(final long bytes) {
    quarantinedBytes.addAndGet(bytes);
    if (bytes > 0) {
      release(bytes);
    }
  }

  public long quarantinedBytes() {
    return quarantinedBytes.get();
  }

  /**
   * The bytes that files may take now: the capacity, as far as the device has that much beside the
   * quarantine.
   */
  private long limitBytes() {
    final long quarantined = quarantinedBytes.get();
    final long capacity = limits.capacityBytes();
    return quarantined == 0 ? capacity : Math.min(capacity, deviceBytes - quarantined);
  }
}
