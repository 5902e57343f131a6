// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The figures of a {@link RunningLoad} in some time.
 *
 * @param messages acknowledged
 * @param bytes of them
 * @param publish from when each of them was due (at full speed: from when it was sent) to its
 *     acknowledgement, nanoseconds
 * @param endToEnd from when a message was due to its arrival at a consumer, nanoseconds; empty if
 *     there are none
 * @param replayedBytes of the backlog read
 * @param failures messages that weren't taken, of a load that counts them
 */
public record LoadInterval(
    long messages,
    long bytes,
    Histogram publish,
    Histogram endToEnd,
    long replayedBytes,
    long failures) {

  /** Of a load that takes a failure for an error. */
  public LoadInterval(
      long messages, long bytes, Histogram publish, Histogram endToEnd, long replayedBytes) {
    this(messages, bytes, publish, endToEnd, replayedBytes, 0);
  }

  /**
   * Those of several load generators together: what they counted is added, and their histograms are
   * merged, so that a percentile is of all messages; percentiles are never averaged.
   */
  public static LoadInterval sum(List<LoadInterval> parts) {
    Histogram publish = new Histogram(PointRun.DIGITS);
    Histogram endToEnd = new Histogram(PointRun.DIGITS);
    long messages = 0;
    long bytes = 0;
    long replayed = 0;
    long failures = 0;
    for (LoadInterval part : parts) {
      messages += part.messages;
      bytes += part.bytes;
      replayed += part.replayedBytes;
      failures += part.failures;
      publish.add(part.publish);
      endToEnd.add(part.endToEnd);
    }
    return new LoadInterval(messages, bytes, publish, endToEnd, replayed, failures);
  }
}
