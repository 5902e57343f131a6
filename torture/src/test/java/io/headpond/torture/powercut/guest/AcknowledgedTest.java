// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AcknowledgedTest {

  @Test
  void fewerLinesPromiseTheSame() {
    List<String> report =
        List.of(
            "A 0 0 ff",
            "A 0 1 80000001",
            "A 0 2 7",
            "L 0 1",
            "A 1 0 1",
            "A 1 1 2",
            "T 1 1",
            "A 2 0 5",
            "X 2",
            "T 3 0",
            "L 4 0",
            "A 5 0 1",
            "L 5 1",
            "DEVICE libpmem",
            "FINISHED");
    Acknowledged all = of(report);
    Acknowledged few = of(all.lines());
    assertThat(few.living()).isEqualTo(all.living()).containsOnlyKeys(0, 1, 3, 4, 5);
    assertThat(few.living().get(0)).containsOnlyKeys(1L, 2L).containsEntry(1L, 0x80000001);
    for (int partition = 0; partition < 6; partition++) {
      assertThat(few.truncating(partition)).isEqualTo(all.truncating(partition));
    }
    assertThat(all.truncating(1)).isTrue();
    assertThat(few.lines()).isEqualTo(all.lines());
  }

  private static Acknowledged of(List<String> report) {
    Acknowledged acknowledged = new Acknowledged();
    report.forEach(acknowledged::line);
    return acknowledged;
  }
}
