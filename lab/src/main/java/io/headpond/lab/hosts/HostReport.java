// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

/**
 * The figures of one host in a whole run.
 *
 * @param name as it was given
 * @param clockAheadUs of this machine's clock, as last measured, microseconds
 * @param roundTripUs of a question and its answer then, microseconds; twice the most that {@code
 *     clockAheadUs} can be wrong by
 * @param startLateUsMax how much its latest sender of any load began after the common start,
 *     microseconds
 * @param acknowledged messages of all loads, ramps and warm-up included
 * @param cpuSeconds its load generator's processor time, user and system
 * @param failure why it took no part any more; null: it took part to the end
 */
public record HostReport(
    String name,
    long clockAheadUs,
    long roundTripUs,
    long startLateUsMax,
    long acknowledged,
    double cpuSeconds,
    String failure) {}
