// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Copies beside somebody who writes 4 KiB ten milliseconds after the last ones were written. */
class DiskShareTest {
  private static final long STEP_BYTES = 1 << 18;
  private static final long SMALL_BYTES = 4 << 10;
  private static final double READ_NANOS = 3e5;
  private static final double PAUSE_NANOS = 1e7;

  private final DiskShare share = new DiskShare();
  private final Disk disk = new Disk();
  private double now;
  private double small;
  private final List<Double> waitsMs = new ArrayList<>();

  /** A simulated disk: one write after the other, and so many bytes in each slice of time. */
  private static final class Disk {
    double bytesPerSecond = 1e9;
    double sliceBytes = Double.MAX_VALUE;
    double sliceNanos = 1e8;
    private double free;
    private double slice;
    private double left = Double.MAX_VALUE;

    void limit(final double limit) {
      sliceBytes = limit * sliceNanos / 1e9;
      left = Math.min(left, sliceBytes);
    }

    /** When a write that comes at a time is done. */
    double write(final double at, final long bytes) {
      double begun = Math.max(at, free);
      double rest = bytes;
      while (rest > 0) {
        final double current = Math.floor(begun / sliceNanos);
        left = current > slice ? sliceBytes : left;
        slice = current;
        final double now = Math.min(rest, left);
        left -= now;
        rest -= now;
        begun += now / bytesPerSecond * 1e9;
        if (rest > 0) {
          begun = Math.max(begun, (current + 1) * sliceNanos);
        }
      }
      free = begun;
      return begun;
    }
  }

  /** Copies for some seconds; returns the bytes a second. */
  private double copy(final double seconds, final boolean urgent) {
    final double begun = now;
    final double end = now + seconds * 1e9;
    long copied = 0;
    waitsMs.clear();
    while (now < end) {
      final double step = now + READ_NANOS;
      while (small <= step) {
        final double done = disk.write(small, SMALL_BYTES);
        waitsMs.add((done - small) / 1e6);
        small = done + PAUSE_NANOS;
      }
      now = disk.write(step, STEP_BYTES);
      share.took(STEP_BYTES, (long) step, (long) now, false);
      copied += STEP_BYTES;
      now += share.waitNanos(urgent, (long) now);
    }
    return copied * 1e9 / (now - begun);
  }

  private double waitMs(final double percentile) {
    Collections.sort(waitsMs);
    return waitsMs.get((int) (waitsMs.size() * percentile / 100));
  }

  @Test
  void othersHardlyWaitOnALimitedVolume() {
    disk.limit(50e6);
    copy(3, false);
    final double rate = copy(50, false);
    assertThat(rate).isBetween(0.95 * 50e6, 0.995 * 50e6);
    assertThat(waitMs(99)).isLessThan(10);
  }

  @Test
  void urgentCopiesTakeAllOfALimitedVolume() {
    disk.limit(50e6);
    copy(3, false);
    final double rate = copy(50, true);
    assertThat(rate).isGreaterThan(0.98 * 50e6);
    assertThat(waitMs(75)).isGreaterThan(10);
  }

  @Test
  void whatFollowsUrgentCopiesOwesNothing() {
    disk.limit(50e6);
    copy(50, true);
    copy(3, false);
    assertThat(share.waitNanos(false, (long) now)).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
  }

  @Test
  void aDiskWithoutSlicesIsUsedNearlyAsMuch() {
    disk.bytesPerSecond = 150e6;
    final double all = copy(3, true);
    copy(60, false);
    assertThat(copy(60, false)).isBetween(0.95 * all, 1.02 * all);
  }

  @Test
  void aVolumeThatGetsFasterIsFoundOutInAMinute() {
    disk.limit(50e6);
    copy(10, false);
    disk.limit(125e6);
    copy(70, false);
    assertThat(copy(10, false)).isGreaterThan(0.9 * 125e6);
  }

  @Test
  void aVolumeThatGetsSlowerIsFoundOutInSeconds() {
    disk.limit(125e6);
    copy(10, false);
    disk.limit(50e6);
    copy(10, false);
    copy(20, false);
    assertThat(waitMs(95)).isLessThan(10);
  }

  @Test
  void aBandwidthThatWasTakenForTooLowIsFoundOut() {
    disk.limit(40e6);
    copy(5, false);
    disk.limit(50e6);
    copy(60, false);
    assertThat(copy(60, false)).isBetween(0.95 * 50e6, 0.995 * 50e6);
    assertThat(waitMs(99)).isLessThan(10);
  }

  @Test
  void aDiskThatHungAtFirstIsUsedAgain() {
    disk.limit(50e6);
    now = 60e9;
    small = now;
    share.took(STEP_BYTES, 1, (long) now, false);
    copy(180, false);
    assertThat(copy(60, false)).isGreaterThan(0.95 * 50e6);
  }

  @Test
  void copiesThatOthersHoldUpTeachNothing() {
    disk.bytesPerSecond = 150e6;
    for (int i = 0; i < 100; i++) {
      final double step = now + 1e8; // a limit of its own, far below the disk's
      now = disk.write(step, STEP_BYTES);
      share.took(STEP_BYTES, (long) step, (long) now, false);
    }
    assertThat(share.waitNanos(false, (long) now)).isZero();
  }

  @Test
  void withoutAClockNothingIsHeldUp() {
    for (int i = 0; i < 100; i++) {
      share.took(STEP_BYTES, 0, 0, false);
    }
    assertThat(share.waitNanos(false, 0)).isZero();
  }
}
