// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.lab.scenario.LoadInterval;

/**
 * A host's answer about its load.
 *
 * @param interval since it was asked last
 * @param startLateMicros how late its latest sender began, microseconds
 * @param cpuSeconds that its process has used so far, user and system
 * @param exhausted whether it has sent as much as it may
 * @param ended whether all that it sent is answered, and nothing is sent any more
 */
record HostFigures(
    LoadInterval interval,
    long startLateMicros,
    double cpuSeconds,
    boolean exhausted,
    boolean ended) {}
