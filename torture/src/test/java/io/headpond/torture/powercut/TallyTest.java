// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.powercut.disk.Forgotten;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TallyTest {
  /** By disks; by memory twice as much. */
  private static Losses lost(long writes, long lost, long torn) {
    return new Losses(
        new Forgotten(writes, lost, torn), new Forgotten(2 * writes, 2 * lost, 2 * torn));
  }

  @Test
  void cutsInstantsAndFindingsAreSummed() {
    Tally tally = new Tally(7);
    tally.boots = 3;
    tally.cut(List.of("roll", "migration"), lost(9, 4, 2));
    tally.cut(List.of("roll"), lost(1, 1, 0));
    tally.found(100, 0, 0);
    tally.found(150, 0, 0);
    tally.instant(List.of("roll"), lost(5, 1, 1), 120, 0, 0);
    CutsReport report = tally.report(0, 0);
    assertThat(report.cuts()).isEqualTo(2);
    assertThat(report.instants()).isEqualTo(1);
    assertThat(report.moments()).isEqualTo(Map.of("roll", 3, "migration", 1));
    assertThat(report.losses()).isEqualTo(lost(15, 6, 3));
    assertThat(report.verified()).isEqualTo(150);
    assertThat(report.compared()).isEqualTo(370);
  }

  @Test
  void whatIsDrawnFirstDiffersFromBootToBoot() {
    Tally tally = new Tally(20261121);
    int drawn = 0;
    for (tally.boots = 1; tally.boots <= 100; tally.boots++) {
      drawn += tally.chance().nextBoolean() ? 1 : 0;
    }
    assertThat(drawn).isBetween(25, 75);
  }

  @Test
  void everyFindingIsBad() {
    Tally lost = new Tally(7);
    assertThat(lost.bad()).isFalse();
    lost.found(9, 1, 0);
    assertThat(lost.bad()).isTrue();
    Tally corrupt = new Tally(7);
    corrupt.found(9, 0, 1);
    assertThat(corrupt.bad()).isTrue();
  }
}
