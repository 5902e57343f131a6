// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.systemtests.Workspace;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The driver and the verification themselves, on unmodified Kafka: they must see a loss where there
 * is one.
 */
@Tag("extra")
class DriverIT {

  @Test
  void aDamagedLogIsReportedAndAWholeOneIsClean() throws Exception {
    try (Workspace workspace = Workspace.create("driver")) {
      Path home = workspace.folder("home");
      try (KafkaNode node =
          new KafkaNode(Engine.KAFKA.current(), 1, workspace.folder("node"), List.of(home))) {
        node.format().start();
        Topics.create(node, "whole", 2, 1, Map.of("segment.bytes", "1048576"));
        try (Workload workload =
            new Workload(
                WorkloadSettings.of("whole", 2, 7).recordsMax(20_000), node.clientProperties())) {
          workload.start().awaitAcknowledged(2_000);
          node.kill();
          node.start();
          workload.await();
          assertThat(workload.acknowledgedRecords())
              .as("errors %s", workload.errors())
              .isEqualTo(20_000);
          VerificationReport clean = Verification.of(workload, Expect.EVERYTHING).run();
          assertThat(clean.examples()).isEmpty();
          assertThat(clean.verified()).isEqualTo(20_000);
          assertThat(clean.clean()).isTrue();

          node.kill();
          cutInTheMiddle(home.resolve("whole-0/00000000000000000000.log"));
          node.start();
          VerificationReport damaged = Verification.of(workload, Expect.EVERYTHING).run();
          assertThat(damaged.lost()).isPositive();
          assertThat(damaged.verified() + damaged.lost()).isEqualTo(20_000);
          assertThat(damaged.examples()).isNotEmpty();
        }
        node.stop();
      }
    }
  }

  /** Zeroes from the middle on, as a log looks whose pre-grown end was never trimmed. */
  private static void cutInTheMiddle(Path segment) throws Exception {
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      int half = (int) (channel.size() / 2);
      channel.write(ByteBuffer.allocate(half), half);
    }
  }
}
