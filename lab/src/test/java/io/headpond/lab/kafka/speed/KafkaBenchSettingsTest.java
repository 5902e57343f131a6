// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.harness.process.JavaHome;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.variant.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KafkaBenchSettingsTest {

  private static KafkaBenchSettings settings(
      List<Variant> baselines, Set<Measure> measures, int rounds, double rate) {
    return new KafkaBenchSettings(
        baselines,
        List.of(new Load(1024, "1", "none"), new Load(4096, "all", "lz4")),
        measures,
        2,
        rounds,
        10,
        5,
        rate,
        4,
        2,
        Path.of("fast"),
        Path.of("home"),
        JavaHome.current());
  }

  @Test
  void everyLoadGetsEachVariantInEveryRoundOfEveryStart() {
    assertThat(
            settings(
                    List.of(Variant.VANILLA_TMPFS, Variant.VANILLA_FORCED),
                    Set.of(Measure.values()),
                    3,
                    0)
                .runs())
        .isEqualTo(2 * 2 * 3 * 3);
  }

  @Test
  void theRateFollowsTheSizeUnlessItIsGiven() {
    List<Variant> baselines = List.of(Variant.VANILLA_DISK);
    assertThat(
            settings(baselines, Set.of(Measure.ROLL), 1, 0).rate(new Load(64 << 10, "1", "none")))
        .isEqualTo(256);
    assertThat(settings(baselines, Set.of(Measure.ROLL), 1, 0).rate(new Load(1024, "1", "none")))
        .isEqualTo(5_000);
    assertThat(settings(baselines, Set.of(Measure.ROLL), 1, 70).rate(new Load(1024, "1", "none")))
        .isEqualTo(70);
  }

  @Test
  void whatMakesNoComparisonIsRefused() {
    assertThatThrownBy(() -> settings(List.of(), Set.of(Measure.ROLL), 1, 0))
        .hasMessageContaining("at least one variant");
    assertThatThrownBy(() -> settings(List.of(Variant.HEADPOND), Set.of(Measure.ROLL), 1, 0))
        .hasMessageContaining("compared with other variants");
    assertThatThrownBy(() -> settings(List.of(Variant.VANILLA_DISK), Set.of(Measure.CONSUME), 1, 0))
        .hasMessageContaining("consume needs");
    assertThatThrownBy(() -> settings(List.of(Variant.VANILLA_DISK), Set.of(Measure.ROLL), 101, 0))
        .hasMessageContaining("rounds go from 1 to 100, not 101");
    assertThatThrownBy(() -> Variant.of("vanilla")).hasMessageContaining("vanilla-forced");
    assertThatThrownBy(() -> new Load(1_000_001, "1", "none"))
        .hasMessageContaining("64 to 1000000 bytes");
    assertThatThrownBy(() -> new Load(1024, "0", "none")).hasMessageContaining("1 or all");
  }
}
