// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Copies past the page cache to simulated disks that hand out operations or bytes in slices of 100
 * ms: what a slice has left takes next to no time, and the next step waits for the end of it.
 */
class CopyStepsTest {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final double FASTEST_NANOS_PER_BYTE = 0.3;
  private static final double READ_NANOS = 2e5;
  private static final long HARD_DISK_BYTES_PER_SECOND = 120L << 20;

  private final CopySteps steps = new CopySteps(() -> (long) this.now);
  private double now = 1;

  /** What a slice hands out. */
  private double sliceOperations = Double.MAX_VALUE;

  private double sliceBytes = Double.MAX_VALUE;

  /** A larger step is several operations. */
  private double operationBytesMax = Double.MAX_VALUE;

  /** How often somebody else takes an operation. */
  private double otherNanos = Double.MAX_VALUE;

  /** Of when others take many operations at once; null: never. */
  private Random bursts;

  private double burstAt;

  private long segmentBytes = Long.MAX_VALUE;

  /** What the end of a segment's copy costs. */
  private int segmentOperations;

  private double otherAt;
  private double slice;
  private double operations;
  private double bytes;

  /** An operation is done at {@code now}. */
  private void operation(final double size) {
    double rest = size;
    while (true) {
      final double current = Math.floor(now / SLICE_NANOS);
      if (current > slice) {
        slice = current;
        operations = 0;
        bytes = 0;
      }
      if (operations < sliceOperations) {
        final double part = Math.min(rest, sliceBytes - bytes);
        bytes += part;
        rest -= part;
        now += part * FASTEST_NANOS_PER_BYTE;
        if (rest <= 0) {
          operations++;
          now += 5e4;
          return;
        }
      }
      now = Math.max(now, (current + 1) * SLICE_NANOS);
    }
  }

  /** Copies for some seconds; returns the bytes a second. */
  private double copy(final double seconds, final boolean urgent) {
    final double begun = now;
    long copied = 0;
    while (now < begun + seconds * 1e9) {
      now += READ_NANOS;
      while (otherAt < now) {
        otherAt = now + otherNanos;
        operation(4096);
      }
      if (bursts != null && now >= burstAt) {
        for (int i = bursts.nextInt(10, 40); i > 0; i--) {
          operation(4096);
        }
        burstAt = now + bursts.nextDouble(0.3e9, 3e9);
      }
      final long size = steps.writes().bytes();
      final long before = (long) now;
      for (double rest = size; rest > 0; rest -= operationBytesMax) {
        operation(Math.min(rest, operationBytesMax));
      }
      steps.wrote(size, before);
      copied += size;
      now += steps.share().waitNanos(urgent, (long) now);
      if (copied % segmentBytes < size) {
        for (int i = 0; i < segmentOperations; i++) {
          operation(4096); // forces and renames, by the file system's journal
        }
      }
    }
    return copied * 1e9 / (now - begun);
  }

  private double copy(final double seconds) {
    return copy(seconds, false);
  }

  @Test
  void aHardDiskIsUsedNearlyWhole() {
    sliceOperations = 12;
    sliceBytes = 15e6;
    copy(5);
    for (int minute = 0; minute < 5; minute++) {
      assertThat(copy(60)).isGreaterThan(0.95 * HARD_DISK_BYTES_PER_SECOND);
      assertThat(steps.writes().bytes()).isGreaterThanOrEqualTo(512 << 10);
    }
  }

  @Test
  void aHardDiskThatOthersUseIsUsedNearlyWhole() {
    sliceOperations = 12;
    sliceBytes = 15e6;
    otherNanos = 1e8;
    copy(5);
    for (int minute = 0; minute < 5; minute++) {
      assertThat(copy(60)).isGreaterThan(0.8 * HARD_DISK_BYTES_PER_SECOND);
    }
  }

  @Test
  void aHardDiskIsWrittenInLongStepsBesideBurstsOfOthers() {
    final long first = System.nanoTime();
    for (long seed = first; seed < first + 200; seed++) {
      final CopyStepsTest disk = new CopyStepsTest();
      disk.sliceOperations = 12;
      disk.sliceBytes = 15e6;
      disk.bursts = new Random(seed);
      disk.copy(20, false);
      assertThat(disk.steps.writes().bytes()).as("seed %d", seed).isEqualTo(1 << 20);
    }
  }

  @Test
  void copiesTakeAllOfADiskOfSmallerOperationsThanTheirSteps() {
    final long first = System.nanoTime();
    for (int operationKib = 64; operationKib <= 1024; operationKib *= 2) {
      for (long seed = first; seed < first + 50; seed++) {
        assertThat(copiedBesideBursts(operationKib << 10, seed, false))
            .as("operations of %d KiB, seed %d", operationKib, seed)
            .isGreaterThan(0.95 * copiedBesideBursts(operationKib << 10, seed, true));
      }
    }
  }

  private static double copiedBesideBursts(
      final int operationBytes, final long seed, final boolean urgent) {
    final CopyStepsTest disk = new CopyStepsTest();
    disk.sliceOperations = 12;
    disk.sliceBytes = 15e6;
    disk.operationBytesMax = operationBytes;
    disk.segmentBytes = 64 << 20;
    disk.segmentOperations = 8;
    disk.bursts = new Random(seed);
    disk.copy(5, urgent);
    return disk.copy(60, urgent);
  }

  @Test
  void segmentsGoToAHardDiskNearlyAsFastAsUrgentOnes() {
    sliceOperations = 12;
    sliceBytes = 15e6;
    segmentBytes = 64 << 20;
    segmentOperations = 33;
    copy(5);
    final double urgent = copy(60, true);
    for (int minute = 0; minute < 5; minute++) {
      assertThat(copy(60)).isGreaterThan(0.97 * urgent);
    }
  }

  @Test
  void aVolumeOfLittleBandwidthIsWrittenInShortSteps() {
    sliceOperations = 300;
    sliceBytes = 5e6;
    copy(5);
    for (int minute = 0; minute < 5; minute++) {
      assertThat(copy(60)).isBetween(0.93 * 50e6, 0.995 * 50e6);
    }
    assertThat(steps.writes().bytes()).isLessThanOrEqualTo(256 << 10);
  }
}
