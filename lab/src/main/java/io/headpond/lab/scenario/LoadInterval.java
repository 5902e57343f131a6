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
 * @param sendLag from when each of those sent meanwhile was due to its sending, nanoseconds: the
 *     delay of the load generator itself, which is part of the latencies; empty where it isn't
 *     known
 * @param endToEnd from when a message was due to its arrival at a consumer, nanoseconds; empty if
 *     there are none
 * @param replayedBytes of the backlog read
 * @param failures messages that weren't taken, of a load that counts them
 */
public record LoadInterval(
    long messages,
    long bytes,
    Histogram publish,
    Histogram sendLag,
    Histogram endToEnd,
    long replayedBytes,
    long failures) {

  /** An interval of senders alone; nothing is read. */
  public LoadInterval(long messages, long bytes, Histogram publish, long failures) {
    this(
        messages,
        bytes,
        publish,
        new Histogram(PointRun.DIGITS),
        new Histogram(PointRun.DIGITS),
        0,
        failures);
  }

  /**
   * Those of several load generators together: what they counted is added, and their histograms are
   * merged, so that a percentile is of all messages; percentiles are never averaged.
   */
  public static LoadInterval sum(List<LoadInterval> parts) {
    Histogram publish = new Histogram(PointRun.DIGITS);
    Histogram sendLag = new Histogram(PointRun.DIGITS);
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
      sendLag.add(part.sendLag);
      endToEnd.add(part.endToEnd);
    }
    return new LoadInterval(messages, bytes, publish, sendLag, endToEnd, replayed, failures);
  }
}
