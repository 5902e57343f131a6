// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.guest.Moment;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code headpond drain} in the guest. The report says when the first segment has come home and
 * when all have.
 *
 * @param command a folder with the jars of the headpond command
 */
record DrainJob(Path command) {
  /** By then the last segment has long been at home. */
  static final long NANOS_MAX = 1_500_000_000L;

  private static final String ENDED = "DRAINED";

  /** Goes on until the power is cut. Only one process at a time can open the report's port. */
  String script(Setup setup, String logDirectory) {
    return String.join(
        "\n",
        "links() { find " + logDirectory + " -type l | wc -l; }",
        "first=$(links)",
        "/"
            + Setup.jre(setup.java())
            + "/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/app/command/*'"
            + " io.headpond.cli.Headpond drain "
            + logDirectory
            + " &",
        "pid=$!",
        "while kill -0 $pid 2>/dev/null; do",
        "  if [ -z \"$begun\" ] && [ \"$(links)\" -lt \"$first\" ]; then",
        "    begun=1; echo " + Moment.DRAIN.begins() + " >/dev/report",
        "  fi",
        "  usleep 20000",
        "done",
        "wait $pid || exit 12",
        "[ -z \"$begun\" ] || echo " + Moment.DRAIN.ends() + " >/dev/report",
        "echo " + ENDED + " >/dev/report",
        "sleep 600\n");
  }

  /** True if a report says that a segment has come home, or that there is none left. */
  static boolean beganOrEnded(List<String> report) {
    return report.contains(Moment.DRAIN.begins()) || report.contains(ENDED);
  }
}
