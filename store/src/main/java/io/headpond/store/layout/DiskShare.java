// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.concurrent.TimeUnit;

/**
 * The bandwidth that copies take of one disk: nearly all of what they get when they ask for all.
 *
 * <p>Design note: a volume whose bandwidth is limited, by a cloud or by the block layer, hands it
 * out in slices. Copies that always have bytes in its queue use each slice up, and whatever else
 * needs the disk waits for the next one: an index's page, a commit of the file system's journal, a
 * checkpoint. Copies that take a little less leave each slice unfinished, and others wait for
 * hardly anything.
 *
 * <p>The control loop, in windows of {@link #WINDOW_NANOS}: a window in which steps took most of
 * the time, or copies got less than their share, shows the bandwidth. Copies then take {@link
 * #SHARE} of it. On a limited volume steps are much shorter from then on. If some of them wait, a
 * slice was used up, and copies take {@link #DECREASE} less, though not less than {@link #LEAST} of
 * what was seen. Else they take {@link #INCREASE} more, and each second {@link #FASTER} times as
 * much more: a volume that got faster is found out. What others take of a disk that is busy isn't
 * the copies': they give way by as much.
 *
 * <p>There is no share while {@link DiskStep} tries a size, which has a bandwidth of its own; nor
 * of a disk that counts its operations. The operations of a file system's journal and others' come
 * in bursts there, after each of which copies wait and would take less and less; and between two
 * steps of theirs there is a place for others' anyway.
 *
 * <p>A copy waits after its step, by {@link #waitNanos}, not within one: who holds a lock that
 * others wait for doesn't ask. Any thread.
 */
public final class DiskShare {
  static final double SHARE = 0.98;
  static final double DECREASE = 0.01;
  static final double INCREASE = 0.0002;
  static final double FASTER = 1.1;
  static final double LEAST = 0.9;
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The least share of a window's time in steps that shows the disk's bandwidth. */
  private static final double BUSY_MIN = 0.5;

  /** The share of a window's time that steps may wait, beyond what they take. */
  private static final double WAITS_MAX = 0.05;

  /** The least part of their share that copies get of a disk whose bandwidth is known. */
  private static final double GOT_MIN = 0.97;

  /** A step that takes so many times the fastest one's time for each byte has waited. */
  private static final double WAITED = 4;

  /** Forgets the fastest step, a little with each one: a disk may have become slower. */
  private static final double FASTEST_AGES = 1.0001;

  /** The weight of one window in what is known. */
  private static final double WEIGHT = 0.5;

  /** A copy that pauses for longer has ended; what follows begins anew. */
  private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  /** The longest wait: a disk that hung when it was first seen isn't taken for so slow. */
  private static final long WAIT_NANOS_MAX = PAUSE_NANOS_MAX / 2;

  /** The longest time between two steps that copying itself takes: to read and to add up. */
  private static final long GAP_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(5);

  /** The longest pause that may be made up for. */
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private long windowBegunNanos;
  private long windowBytes;
  private long stepNanos;
  private long copyNanos;
  private double waitedNanos;

  private long lastEndNanos;
  private long paidUntilNanos;
  private double fastestNanosPerByte = Double.MAX_VALUE;

  /** Bytes a second as seen in busy windows; 0: not known. */
  private double seen;

  /** The bandwidth that copies take their share of, bytes a second. */
  private double bandwidth;

  private double increase = INCREASE;

  /**
   * A step has ended; one at a time.
   *
   * @param bytes that it wrote
   * @param begunNanos when it began
   * @param endNanos the present time
   * @param free true: nothing holds copies up, and what follows such steps begins anew
   */
  synchronized void took(
      final long bytes, final long begunNanos, final long endNanos, final boolean free) {
    final long nanos = endNanos - begunNanos;
    if (nanos <= 0 || bytes <= 0) {
      return; // nobody measures
    }
    if (begunNanos - lastEndNanos > PAUSE_NANOS_MAX) {
      beginWindow(begunNanos);
      paidUntilNanos = begunNanos;
    } else {
      final long gap = begunNanos - Math.max(lastEndNanos, paidUntilNanos);
      copyNanos += Math.min(GAP_NANOS_MAX, Math.max(0, gap));
    }
    lastEndNanos = endNanos;
    fastestNanosPerByte = Math.min(fastestNanosPerByte * FASTEST_AGES, nanos / (double) bytes);
    windowBytes += bytes;
    stepNanos += nanos;
    copyNanos += nanos;
    waitedNanos += Math.max(0, nanos - WAITED * fastestNanosPerByte * bytes);
    if (free) {
      beginWindow(endNanos);
      seen = 0;
    } else if (endNanos - windowBegunNanos >= WINDOW_NANOS) {
      steer(endNanos);
      beginWindow(endNanos);
    }
    if (seen > 0) {
      paidUntilNanos =
          Math.max(paidUntilNanos, endNanos - BURST_NANOS)
              + (long) (bytes * 1e9 / (SHARE * bandwidth));
    }
  }

  private void beginWindow(final long nowNanos) {
    windowBegunNanos = nowNanos;
    windowBytes = 0;
    stepNanos = 0;
    copyNanos = 0;
    waitedNanos = 0;
  }

  /** A window is over. What a limited volume leaves unused in a pause it gives afterwards. */
  private void steer(final long nowNanos) {
    final double nanos = nowNanos - windowBegunNanos;
    final boolean waited = waitedNanos > WAITS_MAX * nanos;
    final boolean tooMuch = waited && windowBytes * 1e9 / nanos < GOT_MIN * SHARE * bandwidth;
    if (stepNanos >= BUSY_MIN * nanos || tooMuch) {
      final double now = windowBytes * 1e9 / (waited ? nanos : copyNanos);
      final double before = seen == 0 ? now : Math.min(bandwidth, 2 * now); // may be a mere guess
      bandwidth = before + WEIGHT * (now - before);
      seen = bandwidth;
      increase = INCREASE;
    } else if (waited) {
      bandwidth = Math.max(bandwidth * (1 - DECREASE), LEAST * seen);
      increase = INCREASE;
    } else {
      bandwidth *= 1 + increase;
      increase *= FASTER;
    }
  }

  /**
   * The time that a copy is to wait before its next step, nanoseconds.
   *
   * @param urgent true: it takes all that the disk gives
   */
  public synchronized long waitNanos(final boolean urgent, final long nowNanos) {
    if (urgent || seen == 0) {
      paidUntilNanos = Math.min(paidUntilNanos, nowNanos);
      return 0;
    }
    paidUntilNanos = Math.min(paidUntilNanos, nowNanos + WAIT_NANOS_MAX);
    return Math.max(0, paidUntilNanos - nowNanos);
  }
}
