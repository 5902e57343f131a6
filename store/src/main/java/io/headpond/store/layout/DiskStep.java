// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The number of bytes that copies give one disk at once, forced or past the page cache: as few as
 * it takes without getting clearly slower. All of them are in the disk's queue at once, and
 * whatever else needs the disk waits behind them, such as the commit of the file system's journal,
 * and the engine's indexes behind that. Any thread.
 *
 * <p>Sizes are tried one after the other: smaller ones until the rate is far lower, else larger
 * ones while it gets better. Taken is the smallest one with {@link #RATE_MIN} of the best rate.
 * What is known is forgotten after {@link #MEMORY_NANOS}: disks have busy times, and volumes get
 * other limits.
 *
 * <p>A trial has up to {@link #WINDOWS} windows of {@link #WINDOW_NANOS}, and the best one counts:
 * what others take of the disk comes in bursts. A window is several slices of time in which a
 * limited volume hands out bytes and operations. In a slice a dozen steps may take hardly any time,
 * and the next one waits for the rest of it: single steps don't tell what they cost. Nor do steps
 * that are held up to leave the disk a share: {@link DiskShare} doesn't do so in trials.
 */
public final class DiskStep {
  static final double RATE_MIN = 0.95;

  /** A disk counts operations if half the bytes have less than this part of the rate. */
  static final double OPERATIONS_MAX = 0.75;

  static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(5);
  static final int WINDOWS = 3;
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /** The part of a pause between two steps that belongs to a window: to read and to add up. */
  private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

  /** The smallest size as a power of two; each other one is twice the one before. */
  private final int smallestBits;

  /** Bytes a nanosecond in steps of a size; zero: not known. */
  private final double[] rateOf;

  private int size;
  private boolean chosen;
  private long chosenNanos;

  private int trialWindows;
  private long windowSteps;
  private long windowStepNanos;
  private long windowNanos;
  private long lastNanos;

  /** The smallest size that is taken; smaller ones only tell what the disk counts. */
  private final int least;

  private DiskStep(final int smallestBits, final int least, final int sizes, final int first) {
    this.smallestBits = smallestBits;
    this.least = least;
    rateOf = new double[sizes];
    size = first;
  }

  /**
   * Of forces: 1 to 16 MiB. It begins with 4 MiB: most segments are larger, and the first force of
   * few is felt less.
   */
  static DiskStep ofForces() {
    return new DiskStep(20, 0, 5, 2);
  }

  /**
   * Of writes past the page cache: 128 KiB to 1 MiB, with which it begins. As little as 32 KiB is
   * tried: many disks take no more than 128 KiB at once, so that larger steps are several
   * operations each.
   */
  static DiskStep ofWrites() {
    return new DiskStep(15, 2, 6, 5);
  }

  /** The bytes of the next step. */
  public synchronized long bytes() {
    return 1L << smallestBits + size;
  }

  /** False in trials. */
  synchronized boolean chosen() {
    return chosen;
  }

  /**
   * True on a disk that takes about as long for half the bytes, if not of this size then of a
   * smaller one: a step may be several operations.
   */
  synchronized boolean countsOperations() {
    final int smallest = smallestAlike(size);
    return chosen && smallest > 0 && rateOf[smallest - 1] > 0;
  }

  /** The smallest size whose rate, and that of each one up to {@code from}, isn't far lower. */
  private int smallestAlike(final int from) {
    int smallest = from;
    while (smallest > 0 && rateOf[smallest - 1] >= OPERATIONS_MAX * rateOf[smallest]) {
      smallest--;
    }
    return smallest;
  }

  /**
   * A step has ended.
   *
   * @param bytes that it wrote
   * @param nanos that it took
   * @param nowNanos the present time
   */
  synchronized void took(final long bytes, final long nanos, final long nowNanos) {
    if (bytes != bytes() || nanos <= 0) {
      return; // the rest of a file says nothing
    }
    if (chosen && nowNanos - chosenNanos >= MEMORY_NANOS) {
      Arrays.fill(rateOf, 0);
      chosen = false;
    }
    if (!chosen) {
      tried(bytes, nanos, nowNanos);
    }
  }

  private void tried(final long bytes, final long nanos, final long nowNanos) {
    final long pause = windowSteps == 0 ? 0 : Math.max(0, nowNanos - nanos - lastNanos);
    lastNanos = nowNanos;
    windowSteps++;
    windowStepNanos += nanos;
    windowNanos += nanos + Math.min(PAUSE_NANOS_MAX, pause);
    // A window of whole slices ends with a step that waited for the end of one, if steps do.
    final boolean waited = nanos >= windowStepNanos / windowSteps;
    if (windowNanos >= WINDOW_NANOS && (waited || windowNanos >= 2 * WINDOW_NANOS)) {
      rateOf[size] = Math.max(rateOf[size], windowSteps * bytes / (double) windowStepNanos);
      windowSteps = 0;
      windowStepNanos = 0;
      windowNanos = 0;
      if (++trialWindows == WINDOWS || isEnoughOfLarger()) {
        trialWindows = 0;
        next();
        chosenNanos = nowNanos;
      }
    }
  }

  /** A smaller size that has nearly the best rate needs no further window: only others lower it. */
  private boolean isEnoughOfLarger() {
    double larger = 0;
    for (int i = size + 1; i < rateOf.length; i++) {
      larger = Math.max(larger, rateOf[i]);
    }
    return larger > 0 && rateOf[size] >= RATE_MIN * larger;
  }

  /** The next size to be tried, or the one that is taken. */
  private void next() {
    final int best = best();
    final int smaller = smallestAlike(best) - 1;
    final int larger = best + 1;
    if (smaller >= 0 && rateOf[smaller] == 0) {
      size = smaller;
    } else if (larger < rateOf.length && rateOf[larger] == 0) {
      size = larger;
    } else {
      size = best;
      chosen = true;
    }
  }

  /** The smallest known size of nearly the best rate. */
  private int best() {
    final double rate = Arrays.stream(rateOf, least, rateOf.length).max().getAsDouble();
    int best = least;
    while (rateOf[best] < RATE_MIN * rate) {
      best++;
    }
    return best;
  }
}
