// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.home;

import java.util.concurrent.TimeUnit;

/**
 * Trend of a disk's free space: whether a program is filling it, and whether that program has met
 * the disk's end. Any thread.
 *
 * <p>Design note: what is free at one instant says nothing about the next: a program that writes 2
 * GB/s takes 64 MiB in 32 ms. So room counts only if it lasts for some time at the pace of the last
 * looks.
 */
final class RoomTrend {
  /** A change of the room by less is no program that fills the disk. */
  private static final long STILL_BYTES = 64 << 10;

  /** A program that fills the disk writes again before this. */
  private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Longest wait for the program that fills the disk to be told that it is full. */
  private static final long FILLING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Looks that come sooner are compared with the one before. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Room lasts if it is so many times what was taken since the look that it is compared with. */
  private static final int LASTING = 8;

  /** The room at the last look but one, and at the last; -1: there was none. */
  private long formerBytes = -1;

  private long lastBytes = -1;
  private long lastNanos;

  /** The room since when it hasn't changed, while there is too little; -1: there is enough. */
  private long stillBytes = -1;

  private long stillSinceNanos;
  private long shortSinceNanos;

  /** The disk was looked at. */
  synchronized void looked(final long freeBytes, final long nowNanos) {
    if (lastBytes < 0 || nowNanos - lastNanos >= LOOK_NANOS) {
      formerBytes = lastBytes;
      lastBytes = freeBytes;
      lastNanos = nowNanos;
    }
  }

  /** Room was made: what was seen before says nothing about it. */
  synchronized void madeRoom() {
    formerBytes = -1;
    lastBytes = -1;
    stillBytes = -1;
  }

  /**
   * True if there is room, and nobody takes it so fast that a write might come too late.
   *
   * @param neededBytes less is no room
   */
  synchronized boolean lasts(final long freeBytes, final long neededBytes) {
    if (formerBytes < 0 || freeBytes < neededBytes) {
      return false;
    }
    final long takenBytes = formerBytes - freeBytes;
    return takenBytes <= STILL_BYTES || freeBytes - neededBytes >= LASTING * takenBytes;
  }

  /**
   * True if there is no room, and who fills the disk has been told so: the room doesn't change any
   * more, or has been too little for long.
   *
   * @param neededBytes less is no room
   */
  synchronized boolean spent(final long freeBytes, final long neededBytes, final long nowNanos) {
    if (freeBytes >= neededBytes) {
      stillBytes = -1;
      return false;
    }
    if (stillBytes < 0) {
      shortSinceNanos = nowNanos;
    }
    if (stillBytes < 0 || Math.abs(freeBytes - stillBytes) > STILL_BYTES) {
      stillBytes = freeBytes;
      stillSinceNanos = nowNanos;
    }
    return nowNanos - stillSinceNanos >= STILL_NANOS || nowNanos - shortSinceNanos >= FILLING_NANOS;
  }
}
