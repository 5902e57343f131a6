// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.concurrent.TimeUnit;

/**
 * Fill rate of a tier directory, and the time until it is full at that rate. Any thread.
 *
 * <p>Design note: a burst makes appends slow by itself, before the directory is nearly full.
 * Migration that yields to it then drains too little, and the directory overflows sooner than its
 * size and home's rate allow.
 */
public final class FillTrend {
  /** Looks are compared over this at least: a segment that went down frees much at once. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A tier that fills within this time is soon full. */
  static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The last rate's weight in what is known of the rate. */
  private static final double WEIGHT = 0.5;

  private boolean begun;
  private long lastBytes;
  private long lastNanos;
  private double bytesPerNano;

  /** The directory was looked at: so many bytes are in it. */
  public synchronized void looked(final long bytes, final long nowNanos) {
    if (begun && nowNanos - lastNanos < LOOK_NANOS) {
      return;
    }
    if (begun && nowNanos - lastNanos < SOON_NANOS) {
      final double now = (bytes - lastBytes) / (double) (nowNanos - lastNanos);
      bytesPerNano += WEIGHT * (now - bytesPerNano);
    } else {
      bytesPerNano = 0; // what was long ago says nothing
    }
    begun = true;
    lastBytes = bytes;
    lastNanos = nowNanos;
  }

  /** True if the bytes that are free are taken within {@link #SOON_NANOS} at the present rate. */
  public synchronized boolean soonFull(final long freeBytes) {
    return bytesPerNano * SOON_NANOS > freeBytes;
  }
}
