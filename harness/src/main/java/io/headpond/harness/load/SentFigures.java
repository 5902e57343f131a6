// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import org.HdrHistogram.Histogram;

/**
 * The figures of a client's process that sends messages, or adds entries.
 *
 * @param acknowledged since its start
 * @param bytes of them
 * @param failures what was refused or not answered since its start, and what it was to be sent to
 *     and couldn't be made
 * @param latency of those acknowledged since the last figures, from when they were due (without a
 *     pace: first sent) to their acknowledgement, nanoseconds
 * @param error the latest error's text; empty if there was none
 */
public record SentFigures(
    long acknowledged, long bytes, long failures, Histogram latency, String error) {}
