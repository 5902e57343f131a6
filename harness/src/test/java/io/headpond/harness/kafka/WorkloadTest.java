// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadTest {
  @TempDir Path folder;

  @Test
  void whatWasAcknowledgedIsKeptAndNoIdIsSentTwice() throws Exception {
    Path file = folder.resolve("acknowledged");
    try (Workload first = workload();
        Workload second = workload()) {
      long sent = first.takeId();
      first.acknowledged(1, 5, sent, 2000);
      first.takeId(); // not answered
      first.save(file);
      first.takeId(); // sent after it was saved
      second.load(file);
      assertThat(second.acknowledgedRecords()).isEqualTo(1);
      assertThat(second.acknowledgements().idsByOffset(1))
          .containsExactly(-1, -1, -1, -1, -1, sent);
      assertThat(second.takeId()).isGreaterThan(first.takeId());
    }
  }

  @Test
  void whatWasInterruptedTwiceSendsNoIdTwice() throws Exception {
    Path file = folder.resolve("acknowledged");
    try (Workload first = workload();
        Workload second = workload();
        Workload third = workload()) {
      first.acknowledged(0, 0, first.takeId(), 2000);
      first.save(file);
      second.load(file);
      second.takeId(); // sent, and never saved
      third.load(file);
      assertThat(third.acknowledgedRecords()).isEqualTo(1);
      assertThat(third.takeId()).isGreaterThan(second.takeId());
    }
  }

  private static Workload workload() {
    return new Workload(WorkloadSettings.of("events", 3, 7), Map.of());
  }
}
