// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.workload.MessagingWorkload.PayloadSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

class WorkloadRecordsTest {

  private static MessagingWorkload workload(KeyDistribution keys, PayloadSource payload) {
    return new MessagingWorkload("name", 2, 3, keys, 1000, payload, 1, 4, 2, 500, 0, 1, 5, 1);
  }

  private static PayloadSource pool(double randomShare) {
    return new PayloadSource(Optional.empty(), randomShare, 50);
  }

  @Test
  void recordsWithoutKeysHaveNone() {
    RecordRing ring = WorkloadRecords.of(workload(KeyDistribution.NO_KEY, pool(0)));
    assertThat(ring.key(17)).isNull();
    assertThat(ring.bytes(17)).isEqualTo(1000);
  }

  @Test
  void keysComeOneAfterTheOtherOrInAnyOrder() {
    RecordRing round = WorkloadRecords.of(workload(KeyDistribution.KEY_ROUND_ROBIN, pool(0)));
    RecordRing random = WorkloadRecords.of(workload(KeyDistribution.RANDOM_NANO, pool(0)));
    Set<String> first = new HashSet<>();
    Set<String> drawn = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      first.add(new String(round.key(i)));
      drawn.add(new String(random.key(i)));
    }
    assertThat(first).hasSize(10_000).containsAll(drawn);
    assertThat(drawn).hasSizeBetween(5_000, 8_000);
    assertThat(round.key(10_000)).isEqualTo(round.key(0));
  }

  @Test
  void theRandomShareOfAPayloadDoesNotCompress() throws IOException {
    long seedless = compressed(0);
    assertThat(compressed(1)).isGreaterThan(49_000);
    assertThat(compressed(0.5)).isBetween(seedless / 2 + 24_000, seedless / 2 + 28_000);
    assertThat(seedless).isBetween(10_000L, 30_000L);
  }

  private static long compressed(double randomShare) throws IOException {
    RecordRing ring = WorkloadRecords.of(workload(KeyDistribution.NO_KEY, pool(randomShare)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(bytes)) {
      for (int i = 0; i < 50; i++) {
        assertThat(ring.value(i)).hasSize(1000);
        deflater.write(ring.value(i));
      }
    }
    return bytes.size();
  }

  @Test
  void aPayloadFileIsWhatAllMessagesHold() {
    byte[] content = new byte[1000];
    content[3] = 7;
    RecordRing ring =
        WorkloadRecords.of(
            workload(KeyDistribution.NO_KEY, new PayloadSource(Optional.of(content), 0, 1)));
    assertThat(ring.value(0)).isEqualTo(content).isEqualTo(ring.value(99));
  }

  @Test
  void aPointHasTheClientsOfAllTopicsButNoMoreReadersThanPartitions() {
    Point point = workload(KeyDistribution.NO_KEY, pool(0)).point(10, 0);
    assertThat(point.producers()).isEqualTo(4);
    assertThat(point.consumers()).isEqualTo(6);
    assertThat(point.topics()).isEqualTo(2);
    assertThat(point.partitions()).isEqualTo(3);
    assertThat(point.pace().meanPerSecond()).isEqualTo(500);
    assertThat(point.backlogBytes()).isZero();
  }
}
