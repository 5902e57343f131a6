// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.RoundFigures;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One death and return.
 *
 * @param load in words
 * @param round from 1 on
 * @param victim number of the node that died, from 1 on: a broker's {@code node.id}, which wasn't
 *     the active controller; a bookie's, which was in the ledger's ensemble
 * @param publish latencies from when a message was due, nanoseconds, by the phase in which it was
 *     acknowledged
 * @param gapSeconds the longest time in which nothing at all was acknowledged, by its last phase
 * @param returnSeconds from its start until it does its share as the others do: all replicas are in
 *     sync, or each bookie takes what this client writes
 * @param acknowledged messages, all of them read back afterwards as they were sent
 * @param resent how often a message was refused and sent again; 0 of brokers, whose client does
 *     that by itself
 * @param othersShare share of the processors, 0 to 1, that something else used
 */
public record FailureTurn(
    String load,
    int round,
    ComparedVariant variant,
    int victim,
    @JsonIgnore Map<FailurePhase, Histogram> publish,
    Map<FailurePhase, Double> gapSeconds,
    double returnSeconds,
    long acknowledged,
    long resent,
    double othersShare,
    List<FailureSample> samples)
    implements RoundFigures<String, ComparedVariant> {

  public FailureTurn {
    publish = Map.copyOf(publish);
    gapSeconds = Map.copyOf(gapSeconds);
    samples = List.copyOf(samples);
  }
}
