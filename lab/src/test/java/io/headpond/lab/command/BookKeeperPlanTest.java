// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static io.headpond.lab.bookkeeper.variant.JournalVariant.DEFAULT_DISK;
import static io.headpond.lab.bookkeeper.variant.JournalVariant.DEFAULT_FAST;
import static io.headpond.lab.bookkeeper.variant.JournalVariant.HEADPOND;
import static io.headpond.lab.bookkeeper.variant.JournalVariant.HEADPOND_TUNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.scenario.Point;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BookKeeperPlanTest {

  @Test
  void anotherVariantBeginsAtEachStart() {
    BookKeeperPlan plan =
        new BookKeeperPlan(
            List.of(HEADPOND, DEFAULT_FAST, DEFAULT_DISK), List.of(), 1, Map.of(), 4, 2, 6, 5);
    assertThat(plan.variants(0)).containsExactly(HEADPOND, DEFAULT_FAST, DEFAULT_DISK);
    assertThat(plan.variants(1)).containsExactly(DEFAULT_DISK, HEADPOND, DEFAULT_FAST);
    assertThat(plan.variants(2)).containsExactly(DEFAULT_FAST, DEFAULT_DISK, HEADPOND);
    assertThat(plan.variants(3)).isEqualTo(plan.variants(0));
  }

  @Test
  void aTurnHasARampAndItsWindow() {
    Point point = BookKeeperPlan.point(1024, 16, 6);
    assertThat(point.rampSeconds()).isEqualTo(0.4);
    assertThat(point.seconds()).isEqualTo(6);
    assertThat(point.window()).isEqualTo(16);
    assertThat(point.pace().fullSpeed()).isTrue();
    assertThat(point.producers()).isEqualTo(1);
  }

  @Test
  void settingsAndTheVariantThatHasThemGoTogether() {
    assertThatThrownBy(() -> plan(List.of(HEADPOND), Map.of("enableBusyWait", "true")))
        .hasMessageContaining("headpond-tuned");
    assertThatThrownBy(() -> plan(List.of(HEADPOND, HEADPOND_TUNED), Map.of()))
        .hasMessageContaining("headpond-tuned");
    assertThat(plan(List.of(HEADPOND, HEADPOND_TUNED), Map.of("enableBusyWait", "true")).tuned())
        .containsEntry("enableBusyWait", "true");
  }

  private static BookKeeperPlan plan(List<JournalVariant> variants, Map<String, String> tuned) {
    return new BookKeeperPlan(variants, List.of(), 1, tuned, 1, 1, 1, 0);
  }
}
