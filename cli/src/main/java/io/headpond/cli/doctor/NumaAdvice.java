// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import java.util.List;
import java.util.stream.Collectors;

/** Advice on the NUMA node for a process, by the nodes of its directories' devices. */
final class NumaAdvice {
  private NumaAdvice() {}

  /**
   * One piece of advice for one process, however many directories it has.
   *
   * @param reports its directories
   * @param use what they are for
   * @param nodes of this machine
   */
  static void give(
      List<DirectoryReport> reports, DirectoryUse use, long nodes, Diagnosis diagnosis) {
    List<DirectoryReport> known = reports.stream().filter(r -> r.numaNode() != null).toList();
    if (nodes < 2 || known.isEmpty()) {
      return;
    }
    List<Integer> used = known.stream().map(DirectoryReport::numaNode).distinct().sorted().toList();
    String bound =
        "start it by: numactl --cpunodebind="
            + used.stream().map(String::valueOf).collect(Collectors.joining(","))
            + " "
            + use.start;
    String places =
        known.stream()
            .map(report -> report.path() + " on node " + report.numaNode())
            .collect(Collectors.joining(", "));
    if (used.size() == 1) {
      diagnosis.advice(
          "NUMA", places + "; " + use.engine + " on another node reaches it remotely", bound);
    } else {
      diagnosis.advice(
          "NUMA",
          places + ": wherever " + use.engine + " runs, it reaches one of them remotely",
          "run "
              + use.engine
              + " on each of these nodes, each with the directories of its node; or, with one for all, "
              + bound);
    }
  }
}
