// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** The steps of copies on disks of several kinds: a time for each force, and a rate. */
class ForceStepTest {
  private final ForceStep step = new ForceStep();
  private long now;

  /** Copies for a minute; returns the share of that time in which the disk moved bytes. */
  private double copy(final double forceMs, final DoubleSupplier bytesPerSecond) {
    double busyNanos = 0;
    double nanosAll = 0;
    final long end = now + TimeUnit.MINUTES.toNanos(1);
    while (now < end) {
      final long bytes = step.bytes();
      final double moving = bytes / bytesPerSecond.getAsDouble() * 1e9;
      final long nanos = (long) (moving + forceMs * 1e6);
      now += nanos;
      busyNanos += moving;
      nanosAll += nanos;
      step.forced(bytes, nanos, now);
    }
    return busyNanos / nanosAll;
  }

  @Test
  void aLimitedVolumeIsGivenLittleAtOnce() {
    final double used = copy(1, () -> 50e6);
    assertThat(step.bytes()).isLessThanOrEqualTo(2 << 20);
    assertThat(used).isGreaterThan(0.9);
  }

  @Test
  void aDiskWhoseForcesAreDearIsGivenMuch() {
    final double used = copy(25, () -> 150e6);
    assertThat(step.bytes()).isGreaterThanOrEqualTo(8 << 20);
    assertThat(used).isGreaterThan(0.7);
  }

  @Test
  void aFastDiskIsGivenMuch() {
    copy(0.5, () -> 1e9);
    assertThat(step.bytes()).isGreaterThanOrEqualTo(8 << 20);
  }

  @Test
  void aDiskThatIsBusyForAWhileIsTriedAgain() {
    copy(0.5, () -> 20e6);
    assertThat(step.bytes()).isLessThanOrEqualTo(2 << 20);
    copy(0.5, () -> 1e9);
    assertThat(step.bytes()).isGreaterThanOrEqualTo(8 << 20);
  }

  @Test
  void theRestOfAFileSaysNothing() {
    final long before = step.bytes();
    step.forced(before / 2, TimeUnit.SECONDS.toNanos(5), 1);
    assertThat(step.bytes()).isEqualTo(before);
  }
}
