// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import org.HdrHistogram.Histogram;

/**
 * The acknowledgements in some time.
 *
 * @param publish latencies from when a message was due, nanoseconds
 * @param gapSeconds the longest time in which nothing at all was acknowledged; one that lasts yet
 *     counts as far as it is known
 */
public record OutageInterval(Histogram publish, double gapSeconds) {}
