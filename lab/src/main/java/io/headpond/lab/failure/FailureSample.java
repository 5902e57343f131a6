// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

/**
 * A moment of a turn.
 *
 * @param at seconds from the measuring's beginning
 * @param perSecond messages acknowledged a second since the sample before
 * @param p99Us publish latency of these, from when they were due, microseconds; 0: none were
 */
public record FailureSample(double at, FailurePhase phase, double perSecond, double p99Us) {}
