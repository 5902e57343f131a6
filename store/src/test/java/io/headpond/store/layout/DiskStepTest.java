// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** The steps of copies on disks of several kinds: a time for each step, and a rate. */
class DiskStepTest {
  private final DiskStep forces = DiskStep.ofForces();
  private final DiskStep writes = DiskStep.ofWrites();
  private long now;

  /** Copies for a minute; returns the share of that time in which the disk moved bytes. */
  private double copy(
      final DiskStep step, final double eachMs, final DoubleSupplier bytesPerSecond) {
    double busyNanos = 0;
    double nanosAll = 0;
    final long end = now + TimeUnit.MINUTES.toNanos(1);
    while (now < end) {
      final long bytes = step.bytes();
      final double moving = bytes / bytesPerSecond.getAsDouble() * 1e9;
      final long nanos = (long) (moving + eachMs * 1e6);
      now += nanos;
      busyNanos += moving;
      nanosAll += nanos;
      step.took(bytes, nanos, now);
    }
    return busyNanos / nanosAll;
  }

  @Test
  void aLimitedVolumeIsGivenLittleAtOnce() {
    final double used = copy(forces, 1, () -> 50e6);
    assertThat(forces.bytes()).isLessThanOrEqualTo(2 << 20);
    assertThat(used).isGreaterThan(0.9);
  }

  @Test
  void aDiskWhoseForcesAreDearIsGivenMuch() {
    final double used = copy(forces, 25, () -> 150e6);
    assertThat(forces.bytes()).isGreaterThanOrEqualTo(8 << 20);
    assertThat(used).isGreaterThan(0.7);
  }

  @Test
  void aFastDiskIsGivenMuch() {
    copy(forces, 0.5, () -> 1e9);
    assertThat(forces.bytes()).isGreaterThanOrEqualTo(8 << 20);
  }

  @Test
  void aDiskThatIsBusyForAWhileIsTriedAgain() {
    copy(forces, 0.5, () -> 20e6);
    assertThat(forces.bytes()).isLessThanOrEqualTo(2 << 20);
    now += DiskStep.MEMORY_NANOS;
    copy(forces, 0.5, () -> 1e9);
    assertThat(forces.bytes()).isGreaterThanOrEqualTo(8 << 20);
  }

  @Test
  void theRestOfAFileSaysNothing() {
    final long before = forces.bytes();
    forces.took(before / 2, TimeUnit.SECONDS.toNanos(5), 1);
    assertThat(forces.bytes()).isEqualTo(before);
  }

  @Test
  void aLimitedVolumeIsWrittenInShortSteps() {
    final double used = copy(writes, 0.3, () -> 50e6);
    assertThat(writes.bytes()).isLessThanOrEqualTo(256 << 10);
    assertThat(used).isGreaterThan(0.85);
  }

  @Test
  void aDiskThatCountsItsOperationsIsWrittenInLongSteps() {
    copy(writes, 8.3, () -> 150e6);
    assertThat(writes.bytes()).isEqualTo(1 << 20);
  }

  @Test
  void aFastDiskIsWrittenInLongSteps() {
    copy(writes, 0.1, () -> 2e9);
    assertThat(writes.bytes()).isEqualTo(1 << 20);
  }
}
