// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.scenario;

import org.HdrHistogram.Histogram;

/**
 * What a {@link RunningLoad} did in some time.
 *
 * @param messages acknowledged
 * @param bytes of them
 * @param publish from when each of them was due (at full speed: from when it was sent) to its
 *     acknowledgement, nanoseconds
 * @param endToEnd from when a message was due to its arrival at a consumer, nanoseconds; empty if
 *     there are none
 * @param replayedBytes of the backlog read
 */
public record LoadInterval(
    long messages, long bytes, Histogram publish, Histogram endToEnd, long replayedBytes) {}
