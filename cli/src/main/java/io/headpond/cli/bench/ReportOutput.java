// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.Report;
import io.headpond.cli.console.Json;
import java.io.PrintWriter;

/** A benchmark's report on stdout: a table for people, or JSON for programs. */
final class ReportOutput {

  private ReportOutput() {}

  static void print(PrintWriter out, Report report, boolean json) {
    if (json) {
      Json.print(out, report);
    } else {
      out.print(report.table());
      out.flush();
    }
  }
}
