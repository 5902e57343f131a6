// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.home;

import io.headpond.store.event.Events;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ballast on a home's disk, and when it is given back and taken again. Any thread.
 *
 * <p>Design note: a program that fills the disk would take what is given back, too, so it is first
 * let meet the end of the disk.
 */
public final class HomeBallast {
  /** The time between two looks while there is little room. */
  public static final long LOOK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(2);

  /** No program fills a disk, or its page cache, faster: 8 GB/s. */
  private static final long FILLED_BYTES_PER_NANO = 8;

  /** A short-lived process allocates no ballast, and a start isn't slowed down by it. */
  private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The time until what was given back is taken again. */
  static final long REST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path home;
  private final RoomTrend trend;
  private final TimeSource time;

  /** Guarded by this object, as are the two fields below. */
  private final Ballast ballast;

  private long ballastAfterNanos;
  private boolean failed;

  /** As the ballast's own, for those who don't wait for it. */
  private volatile long heldBytes;

  /** Given back and not reported yet, bytes. */
  private final AtomicLong unreportedBytes = new AtomicLong();

  /**
   * Finds what an earlier process left.
   *
   * @param home the directory that holds it
   * @param configuredBytes 0: none
   * @param sizeBytes of the home's file system
   */
  public HomeBallast(final Path home, final long configuredBytes, final long sizeBytes)
      throws IOException {
    this(
        home, configuredBytes, sizeBytes, new RoomTrend(), new DirectoryForce(), TimeSource.SYSTEM);
  }

  HomeBallast(
      final Path home,
      final long configuredBytes,
      final long sizeBytes,
      final RoomTrend trend,
      final DirectoryForce names,
      final TimeSource time)
      throws IOException {
    this.home = home;
    this.trend = trend;
    this.time = time;
    ballast = new Ballast(home, configuredBytes, sizeBytes, names);
    heldBytes = ballast.heldBytes();
    ballastAfterNanos = time.nanos() + SETTLED_NANOS;
  }

  /** Bytes that it is to have. */
  public long wantedBytes() {
    return ballast.wantedBytes();
  }

  /** Bytes that it has. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Bytes that were given back since the last call, to be said to the operator. */
  public long takeUnreported() {
    return unreportedBytes.getAndSet(0);
  }

  /** The longest time in which nobody can fill so much room. */
  public static long nextLookNanos(final long freeBytes) {
    return Math.max(LOOK_NANOS_MIN, freeBytes / FILLED_BYTES_PER_NANO);
  }

  /**
   * Gives a step back if home has too little room, and nobody fills it any more.
   *
   * @param freeBytes what home has, looked at just now
   * @param neededBytes less is too little
   * @return was a step given back?
   */
  public synchronized boolean giveBackIfShort(final long freeBytes, final long neededBytes)
      throws IOException {
    return trend.spent(freeBytes, neededBytes, time.nanos()) && giveBack();
  }

  /**
   * Gives a step back.
   *
   * @return false: it has none
   */
  synchronized boolean giveBack() throws IOException {
    final long given = ballast.giveBack();
    heldBytes = ballast.heldBytes();
    if (given > 0) {
      ballastAfterNanos = time.nanos() + REST_NANOS;
      unreportedBytes.addAndGet(given);
      trend.madeRoom();
    }
    return given > 0;
  }

  /**
   * Gives back what is more than wanted, and takes a step of what is missing where there is room
   * for all of it; it was at rest long enough.
   *
   * @param roomBytes what may be taken of home
   */
  public synchronized void takeBack(final long roomBytes) {
    final long nowNanos = time.nanos();
    if (nowNanos - ballastAfterNanos < 0) {
      return;
    }
    try {
      takeOrTrim(roomBytes, nowNanos);
      failed = false;
    } catch (final IOException e) {
      ballastAfterNanos = nowNanos + REST_NANOS;
      if (!failed) {
        failed = true;
        PlaceCodes.BALLAST_MISSING.log(home, PlainText.reason(e), e);
      }
    }
    heldBytes = ballast.heldBytes();
  }

  private void takeOrTrim(final long roomBytes, final long nowNanos) throws IOException {
    final long before = ballast.heldBytes();
    ballast.look();
    if (ballast.heldBytes() < before) { // somebody needed the room, perhaps for longer
      ballastAfterNanos = nowNanos + REST_NANOS;
      return;
    }
    final long missing = ballast.wantedBytes() - ballast.heldBytes();
    if (missing < 0) {
      ballast.trim();
    } else if (missing > 0 && roomBytes >= missing + ballast.wantedBytes()) {
      ballast.take();
      if (ballast.heldBytes() == ballast.wantedBytes()) {
        Events.LOG.info("{}: a ballast of {} B is allocated", home, ballast.heldBytes());
      }
    }
  }
}
