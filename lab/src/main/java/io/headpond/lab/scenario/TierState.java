// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

/**
 * The state of a fast tier.
 *
 * @param usedBytes taken by segments, the space grown ahead included
 * @param migratedBytes moved between the tiers since the engine's start, in both directions
 * @param overflowSegments opened outside it since the engine's start, for want of room
 * @param appended since the engine's start; null: not counted, since the tier takes all
 * @param read likewise
 */
public record TierState(
    long usedBytes,
    long migratedBytes,
    long overflowSegments,
    TierBytes appended,
    TierBytes read) {}
