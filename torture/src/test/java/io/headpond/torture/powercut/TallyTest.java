// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.powercut.disk.Forgotten;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TallyTest {
  @TempDir Path folder;

  /** By disks; by memory twice as much. */
  private static Losses lost(long writes, long lost, long torn) {
    return new Losses(
        new Forgotten(writes, lost, torn), new Forgotten(2 * writes, 2 * lost, 2 * torn));
  }

  @Test
  void aCampaignGoesOnWithItsCountsAndItsChance() throws Exception {
    Tally tally = Tally.begin(folder, 7);
    tally.boots = 3;
    tally.cut(List.of("roll", "migration"), lost(9, 4, 2));
    tally.cut(List.of("roll"), lost(1, 1, 0));
    tally.found(100, 0, 0);
    tally.found(150, 0, 0);
    tally.instant(List.of("roll"), lost(5, 1, 1), 120, 0, 0);
    tally.save();
    Tally loaded = Tally.load(folder);
    assertThat(loaded).usingRecursiveComparison().isEqualTo(tally);
    assertThat(loaded.cuts).isEqualTo(2);
    assertThat(loaded.instants).isEqualTo(1);
    assertThat(loaded.report(0, 0).moments()).isEqualTo(Map.of("roll", 3, "migration", 1));
    assertThat(loaded.report(0, 0).losses()).isEqualTo(lost(15, 6, 3));
    assertThat(loaded.verified).isEqualTo(150);
    assertThat(loaded.compared).isEqualTo(370);
    assertThat(loaded.chance().nextLong()).isEqualTo(tally.chance().nextLong());
  }

  @Test
  void aBootThatTheCampaignsEndInterruptsIsStillToBeTaken() throws Exception {
    Tally tally = Tally.begin(folder, 7);
    tally.boots = 3;
    tally.save();
    tally.boots = 4;
    tally.instant(List.of(), Losses.NOTHING, 100, 0, 0);
    tally.saveInBoot();
    Tally loaded = Tally.load(folder);
    assertThat(loaded.boots).isEqualTo(3);
    assertThat(loaded.instants).isEqualTo(1);
  }

  @Test
  void whatIsDrawnFirstDiffersFromBootToBoot() {
    Tally tally = Tally.begin(folder, 20261121);
    int drawn = 0;
    for (tally.boots = 1; tally.boots <= 100; tally.boots++) {
      drawn += tally.chance().nextBoolean() ? 1 : 0;
    }
    assertThat(drawn).isBetween(25, 75);
  }

  @Test
  void everyFindingIsBad() {
    Tally lost = Tally.begin(folder, 7);
    assertThat(lost.bad()).isFalse();
    lost.found(9, 1, 0);
    assertThat(lost.bad()).isTrue();
    Tally corrupt = Tally.begin(folder, 7);
    corrupt.found(9, 0, 1);
    assertThat(corrupt.bad()).isTrue();
  }
}
