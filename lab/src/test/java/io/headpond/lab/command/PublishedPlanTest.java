// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.kafka.rig.SteadyLoad;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class PublishedPlanTest {

  @Test
  void aLoadThatNeverEndsIsBelowWhatALimitedHomeTakes() {
    HomeRate disk = HomeRate.ofDisk(50_000_000);
    for (PublishedPlan plan : new PublishedPlan[] {PublishedPlan.QUICK, PublishedPlan.FULL}) {
      SteadyLoad load = plan.steadyOn(disk);
      assertThat(load.bytesPerSecond()).isBetween(30_000_000L, 40_000_000L);
      assertThat(load.retentions()).isEqualTo(plan.steady().retentions());
    }
  }

  @Test
  void bookiesOfAPartHaveItsJournalsAlone() {
    assertThat(PublishedPlan.FULL.journals(EnumSet.of(PublishedPart.JOURNALS))).containsExactly(4);
    assertThat(PublishedPlan.FULL.journals(EnumSet.of(PublishedPart.BOOKIES, PublishedPart.BURSTS)))
        .containsExactly(1);
    assertThat(PublishedPlan.FULL.journals(EnumSet.of(PublishedPart.BROKERS))).isEmpty();
    assertThat(PublishedPlan.QUICK.journals(EnumSet.allOf(PublishedPart.class))).containsExactly(1);
  }

  @Test
  void whereMigrationIsThrottledTheLoadIsAboveIt() {
    HomeRate throttled = HomeRate.throttled(12 << 20);
    assertThat(PublishedPlan.FULL.steadyOn(throttled)).isEqualTo(PublishedPlan.FULL.steady());
    assertThat(PublishedPlan.FULL.steady().bytesPerSecond())
        .isGreaterThan(throttled.bytesPerSecond());
  }
}
