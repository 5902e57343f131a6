// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Json;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import java.io.PrintWriter;

/** A benchmark's report on stdout: a table for people, or JSON for programs. */
final class ReportOutput {

  private ReportOutput() {}

  static void print(BenchRun run, PrintWriter out, Report report, boolean json) throws IOException {
    if (json) {
      Json.print(out, run.document(report.versions(), report.figures(), 0, report));
    } else {
      out.print(report.table());
      out.flush();
    }
  }
}
