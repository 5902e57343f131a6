// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.Point;
import io.headpond.store.config.DurabilityMode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KafkaPlanTest {

  private static final KafkaTurn.Load LOAD = new KafkaTurn.Load(1024, "1", "none");
  private static final Set<KafkaMeasure> ROLL = Set.of(KafkaMeasure.ROLL);

  private static KafkaPlan plan(
      List<String> baselines, Set<KafkaMeasure> measures, int rounds, double rate) {
    return new KafkaPlan(
        ComparedVariant.withBaselines(
            Variant.HEADPOND, baselines.stream().map(Variant::of).toList()),
        List.of(LOAD, new KafkaTurn.Load(4096, "all", "lz4")),
        measures,
        2,
        rounds,
        10,
        5,
        rate,
        4,
        2,
        0,
        DurabilityMode.ENGINE);
  }

  @Test
  void everyLoadGetsEachVariantInEveryRoundOfEveryStart() {
    KafkaPlan plan =
        plan(List.of("vanilla-tmpfs", "vanilla-forced"), Set.of(KafkaMeasure.values()), 3, 0);
    assertThat(plan.variants())
        .containsExactly(Variant.HEADPOND, Variant.VANILLA_TMPFS, Variant.VANILLA_FORCED);
    assertThat(plan.runs()).isEqualTo(2 * 2 * 3 * 3);
  }

  @Test
  void theRateIsTheLoadsUnlessItIsGiven() {
    assertThat(plan(List.of("vanilla-disk"), ROLL, 1, 0).rate(LOAD)).isEqualTo(5_000);
    assertThat(plan(List.of("vanilla-disk"), ROLL, 1, 70).rate(LOAD)).isEqualTo(70);
  }

  @Test
  void latencyIsOfOneProducerAndFullSpeedOfAll() {
    KafkaPlan plan = plan(List.of("vanilla-disk"), ROLL, 1, 70);
    Point paced = plan.paced(LOAD);
    assertThat(paced.text()).isEqualTo("1 KiB messages, 70/s, 1 producer");
    assertThat(paced.partitions()).isEqualTo(4);
    assertThat(paced.seconds()).isEqualTo(10);
    assertThat(paced.rampSeconds()).isEqualTo(2);
    assertThat(plan.pacedBytesMax()).isEqualTo(70 * (4_096 + 100) * 12);
    Point fullSpeed = plan.fullSpeed(LOAD);
    assertThat(fullSpeed.text()).isEqualTo("1 KiB messages, full speed, 2 producers");
    assertThat(fullSpeed.partitions()).isEqualTo(4);
    assertThat(fullSpeed.rampSeconds()).isEqualTo(2);
  }

  @Test
  void whatMakesNoComparisonIsRefused() {
    assertThatThrownBy(() -> plan(List.of(), ROLL, 1, 0))
        .hasMessageContaining("at least one variant");
    assertThatThrownBy(() -> plan(List.of("headpond"), ROLL, 1, 0))
        .hasMessageContaining("compared with other variants");
    assertThatThrownBy(() -> plan(List.of("vanilla-disk", "vanilla-disk"), ROLL, 1, 0))
        .hasMessageContaining("each named once, not with [vanilla-disk, vanilla-disk]");
    assertThatThrownBy(() -> plan(List.of("vanilla-disk"), Set.of(KafkaMeasure.CONSUME), 1, 0))
        .hasMessageContaining("consume needs");
    assertThatThrownBy(() -> plan(List.of("vanilla-disk"), ROLL, 101, 0))
        .hasMessageContaining("rounds go from 1 to 100, not 101");
    assertThatThrownBy(() -> plan(List.of("vanilla-disk"), ROLL, 1, -1))
        .hasMessageContaining("1 to 1,000,000 records/s");
    assertThatThrownBy(() -> plan(List.of("vanilla"), ROLL, 1, 0))
        .hasMessageContaining("vanilla-forced");
  }
}
