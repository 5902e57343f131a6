// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.HistogramText;
import io.headpond.lab.scenario.LoadInterval;
import java.util.Map;

/**
 * A host's answer about its load.
 *
 * @param interval since it was asked last
 * @param startLateMicros how late its latest sender began, microseconds
 * @param cpuSeconds that its process has used so far, user and system
 * @param exhausted whether it has sent as much as it may
 * @param ended whether all that it sent is answered, and nothing is sent any more
 */
record HostFigures(
    LoadInterval interval,
    long startLateMicros,
    double cpuSeconds,
    boolean exhausted,
    boolean ended) {

  /** For {@link #decode}. */
  Map<String, String> encode() {
    return Map.of(
        "messages", "" + interval.messages(),
        "bytes", "" + interval.bytes(),
        "publish", HistogramText.encode(interval.publish()),
        "start_late_us", "" + startLateMicros,
        "cpu_seconds", "" + cpuSeconds,
        "exhausted", "" + exhausted,
        "ended", "" + ended);
  }

  /** Reads what {@link #encode} gave. */
  static HostFigures decode(Map<String, String> answer) {
    return new HostFigures(
        new LoadInterval(
            Long.parseLong(answer.get("messages")),
            Long.parseLong(answer.get("bytes")),
            HistogramText.decode(answer.get("publish")),
            0),
        Long.parseLong(answer.get("start_late_us")),
        Double.parseDouble(answer.get("cpu_seconds")),
        Boolean.parseBoolean(answer.get("exhausted")),
        Boolean.parseBoolean(answer.get("ended")));
  }
}
