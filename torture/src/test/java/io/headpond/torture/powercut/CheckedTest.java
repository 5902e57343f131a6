// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedTest {

  @Test
  void theCountsAndTheFindingsOfAReportAreTaken() throws Exception {
    Checked found =
        Checked.of(
            List.of(
                "BAD t-0: acknowledged offset 7 is not there",
                "CHECK verified=361 lost=1 corrupt=2 tail=3",
                "DEVICE libpmem DURABLE ext4",
                "A 0 1 ff"));
    assertThat(found.verified()).isEqualTo(361);
    assertThat(found).hasToString("found 361, lost 1, corrupt 2");
    assertThat(found.findings()).containsExactly("BAD t-0: acknowledged offset 7 is not there");
  }

  @Test
  void aReportWithoutACheckIsAnError() {
    assertThatThrownBy(() -> Checked.of(List.of("DEVICE libpmem", "CHECK verified=1 lost=0")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing was checked");
  }
}
