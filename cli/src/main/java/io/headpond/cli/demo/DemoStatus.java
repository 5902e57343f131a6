// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.time.Duration;

/**
 * One look at a running demo.
 *
 * @param phase what happens now, in words
 * @param elapsed since the start of the burst
 * @param acknowledgedRecords so far
 * @param acknowledgedBytes so far, uncompressed
 * @param checkedRecords read back and compared so far
 * @param produceBytesPerSecond acknowledged, uncompressed, since the last look
 * @param consumeBytesPerSecond read back, uncompressed, since the last look
 * @param p50Ms median of the time from send to acknowledgement since the last look; NaN if there
 *     was none
 * @param p99Ms its 99th percentile
 * @param tiers where the segments lie
 * @param moves what migration and overflow did so far
 */
record DemoStatus(
    String phase,
    Duration elapsed,
    long acknowledgedRecords,
    long acknowledgedBytes,
    long checkedRecords,
    long produceBytesPerSecond,
    long consumeBytesPerSecond,
    double p50Ms,
    double p99Ms,
    TierUsage tiers,
    TierMoves moves) {}
