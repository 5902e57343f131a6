// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiskSpeedTest {

  private static final DiskLimit LIMIT = DiskLimit.parse("50MB/s,3000iops");

  private static DiskSpeed speed(double megabytes, double forced, double operations) {
    DiskSpeed.Stream stream = new DiskSpeed.Stream(megabytes * 1e6, 512 << 10);
    return new DiskSpeed(stream, stream, forced * 1e6, operations, operations);
  }

  @Test
  void whatIsNearItsLimitIsTaken() {
    assertThat(speed(50, 49, 3000).fault(LIMIT)).isEmpty();
    assertThat(speed(56, 56, 3300).fault(LIMIT)).isEmpty();
    assertThat(speed(42, 42, 2500).fault(LIMIT)).isEmpty();
  }

  @Test
  void whatIsFasterIsNotLimited() {
    assertThat(speed(60, 49, 3000).fault(LIMIT))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("faster than 50 MB/s, 3,000 IOPS", "writes 60 MB/s")
                    .doesNotContain("forced", "small"));
    assertThat(speed(50, 412.5, 3000).fault(LIMIT)).get().asString().contains("writes 412.5 MB/s");
    assertThat(speed(50, 50, 9000).fault(LIMIT))
        .get()
        .asString()
        .contains("small reads 9,000 IOPS");
  }

  @Test
  void whatIsSlowerNamesTheDiskBelow() {
    assertThat(speed(30, 30, 3000).fault(LIMIT))
        .get()
        .asString()
        .contains("slower than", "reads 30 MB/s", "the disk below can't", "--home");
    assertThat(speed(50, 50, 2000).fault(LIMIT)).get().asString().contains("2,000 IOPS");
  }

  @Test
  void forcedWritesMayBeSlowerSinceAForceWaits() {
    assertThat(speed(50, 20, 3000).fault(LIMIT)).isEmpty();
  }

  @Test
  void fewOperationsLimitTheBandwidthToo() {
    DiskSpeed.Stream stream = new DiskSpeed.Stream(62e6, 512 << 10);
    DiskSpeed speed = new DiskSpeed(stream, stream, 100e6, 120, 120);
    assertThat(speed.fault(DiskLimit.parse("hdd"))).isEmpty();
  }

  @Test
  void whatHasNoLimitIsNotJudged() {
    assertThat(speed(900, 900, 500).fault(DiskLimit.parse("500iops"))).isEmpty();
    assertThat(speed(50, 50, 12_000).fault(DiskLimit.parse("50MB/s"))).isEmpty();
    assertThat(speed(50, 50, 2_000).fault(DiskLimit.parse("50MB/s"))).isEmpty();
  }

  @Test
  void whatAMeasurementGetsInAdvanceDoesNotLast() {
    assertThat(speed(53, 50, 3_000).lastingBytesPerSecond(LIMIT)).isEqualTo(50e6);
    assertThat(speed(47, 47, 3_000).lastingBytesPerSecond(LIMIT)).isEqualTo(47e6);
    assertThat(speed(70, 50, 100).lastingBytesPerSecond(DiskLimit.parse("100iops")))
        .isEqualTo(100.0 * (512 << 10));
  }
}
