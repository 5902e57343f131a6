// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.DiskFacts;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class NumaAdviceTest {
  private final Diagnosis diagnosis = new Diagnosis();

  @Test
  void aBookieIsBoundToTheNodeOfItsJournals() {
    give(2, report("/mnt/pmem0/a", 1), report("/mnt/pmem0/b", 1), report("/mnt/disk", null));
    assertThat(diagnosis.items()).hasSize(1);
    assertThat(diagnosis.items().get(0).finding())
        .contains("/mnt/pmem0/a on node 1", "/mnt/pmem0/b on node 1")
        .doesNotContain("/mnt/disk");
    assertThat(diagnosis.items().get(0).remedy())
        .isEqualTo("start it by: numactl --cpunodebind=1 bookkeeper bookie");
  }

  @Test
  void journalsOnSeveralNodesGetOneConsistentPieceOfAdvice() {
    give(2, report("/mnt/pmem1/j", 1), report("/mnt/pmem0/j", 0));
    assertThat(diagnosis.items()).hasSize(1);
    assertThat(diagnosis.items().get(0).finding()).contains("reaches one of them remotely");
    assertThat(diagnosis.items().get(0).remedy())
        .contains("a bookie on each of these nodes", "numactl --cpunodebind=0,1 bookkeeper bookie");
  }

  @Test
  void aMachineWithOneNodeNeedsNoAdvice() {
    give(1, report("/mnt/pmem0/j", 0));
    assertThat(diagnosis.items()).isEmpty();
  }

  private void give(long nodes, DirectoryReport... reports) {
    NumaAdvice.give(Stream.of(reports).toList(), DirectoryUse.JOURNAL, nodes, diagnosis);
  }

  private static DirectoryReport report(String path, Integer node) {
    return new DirectoryReport(
        path,
        "ext4",
        "pmem0",
        true,
        "durable",
        "memory_controller",
        node,
        "libpmem",
        "",
        1L,
        1L,
        DiskFacts.UNKNOWN,
        Map.of());
  }
}
