// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The result of a demo: the document that {@code --json} writes, with its keys in snake case.
 * Counts are those of both sides together.
 *
 * @param engine {@code kafka}, {@code bookkeeper} or {@code pulsar}
 * @param engineVersion of the engine
 * @param javaVersion that ran it
 * @param recordsAcknowledged by the engine: records, entries or messages
 * @param recordsVerified of these, read back with every byte as sent
 * @param recordsLost of these, not there
 * @param recordsCorrupt read with other content, a second time, out of order, or of an aborted
 *     transaction
 * @param restartMs from the SIGKILL to the first acknowledgement after it, with Headpond
 * @param fastVolatile whether a power cut would have taken what is on the fast device
 * @param fastBytes on the fast device at the end
 * @param problems further findings in words
 * @param without figures without Headpond
 * @param headpond figures with Headpond
 */
record DemoResult(
    String engine,
    String engineVersion,
    int javaVersion,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsLost,
    long recordsCorrupt,
    long restartMs,
    boolean fastVolatile,
    long fastBytes,
    List<String> problems,
    DemoFigures without,
    DemoFigures headpond) {

  /** True if every acknowledged record is there, and nothing else is wrong. */
  @JsonIgnore
  boolean clean() {
    return recordsAcknowledged > 0
        && recordsVerified == recordsAcknowledged
        && recordsLost == 0
        && recordsCorrupt == 0
        && fastBytes > 0
        && problems.isEmpty();
  }
}
