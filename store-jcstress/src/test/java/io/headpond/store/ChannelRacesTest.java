// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link ChannelRaces}, for {@code -Dheadpond.test.jcstress.ms=N} milliseconds each. */
@Tag("extra")
class ChannelRacesTest {
  private static final long MILLISECONDS = Long.getLong("headpond.test.jcstress.ms", 300);

  @Test
  void noRaceShowsAnythingButWhatWasWritten() throws Exception {
    final StressRun run = StressRun.of("ChannelRaces", MILLISECONDS, List.of());
    System.out.println(run.output());
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("RUN RESULTS").doesNotContain("SKIPPED");
  }
}
