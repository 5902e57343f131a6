// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Json;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** A benchmark's report on stdout: a table for people, or JSON for programs. */
final class ReportOutput {

  private ReportOutput() {}

  static void print(BenchRun run, PrintWriter out, Report report, boolean json) throws IOException {
    print(run, out, report, json, List.of());
  }

  /** The same with labels, which stand wherever its figures are shown. */
  static void print(BenchRun run, PrintWriter out, Report report, boolean json, List<Label> labels)
      throws IOException {
    if (json) {
      Json.print(
          out,
          run.document(
              new Measurement(report.versions(), report.figures(), Map.of(), 0, report, labels)));
    } else {
      labels.forEach(out::println);
      out.print(report.table());
      out.flush();
    }
  }
}
