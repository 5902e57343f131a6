// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

/**
 * One second of a point.
 *
 * @param at its end, seconds from the measuring's beginning
 * @param perSecond messages acknowledged in it, a second
 * @param p99Us publish latency, microseconds; NaN if nothing was acknowledged
 * @param tierUsedBytes in the fast tier at its end; -1 if the engine doesn't tell
 * @param migratedBytes since the point's beginning; -1 likewise
 */
public record SecondFigures(
    double at, double perSecond, double p99Us, long tierUsedBytes, long migratedBytes) {}
