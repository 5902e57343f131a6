// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

/**
 * A moment of a burst profile.
 *
 * @param at seconds from the first burst's beginning
 * @param bytesPerSecond acknowledged since the sample before
 * @param p99Us publish latency since then, microseconds; 0: nothing was acknowledged
 * @param tierUsedBytes in the fast tier; -1 if there is none
 * @param migratedBytes since the first burst's beginning; -1 likewise
 * @param overflowing whether a partition's newest segment isn't in the tier
 */
public record BurstSample(
    double at,
    double bytesPerSecond,
    double p99Us,
    long tierUsedBytes,
    long migratedBytes,
    boolean overflowing) {}
