// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MomentTest {

  @Test
  void whatBeganOnceMoreThanItEndedIsUnderWay() {
    List<String> report =
        List.of(
            Moment.RECOVERY.begins(),
            Moment.RECOVERY.ends(),
            Moment.ROLL.begins(),
            "A 0 1 ff",
            Moment.MIGRATION.begins(),
            Moment.ROLL.begins(),
            Moment.ROLL.ends());
    assertThat(Moment.underWay(report)).containsExactly(Moment.ROLL, Moment.MIGRATION);
    assertThat(Moment.underWay(List.of())).isEmpty();
  }
}
