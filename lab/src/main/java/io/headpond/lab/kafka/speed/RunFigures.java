// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.lab.comparison.RoundFigures;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.variant.Variant;

/**
 * What one run of one variant gave; a phase that wasn't wanted is null.
 *
 * @param round from 1 on
 * @param overflowSegments segments of the measured topics that weren't in the fast tier; other
 *     variants than {@link Variant#HEADPOND} have none
 * @param otherCpuShare largest share of the machine's processors, 0 to 1, that something else used
 *     in one of its turns so far
 */
public record RunFigures(
    Load load,
    int round,
    Variant variant,
    LatencyFigures latency,
    LatencyFigures roll,
    ThroughputFigures produce,
    ThroughputFigures consume,
    int overflowSegments,
    double otherCpuShare)
    implements RoundFigures<Load, Variant> {}
