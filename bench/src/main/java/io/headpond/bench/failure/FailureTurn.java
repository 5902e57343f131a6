// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.failure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.bench.comparison.RoundFigures;
import io.headpond.bench.kafka.speed.Variant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One death and return.
 *
 * @param load in words
 * @param round from 1 on
 * @param victim the broker's {@code node.id}; it wasn't the active controller
 * @param publish latencies from when a message was due, nanoseconds, by the phase in which it was
 *     acknowledged
 * @param gapSeconds the longest time in which nothing at all was acknowledged, by its last phase
 * @param returnSeconds from its start until all replicas are in sync again
 * @param acknowledged messages, all of them in the log afterwards
 * @param othersShare share of the processors, 0 to 1, that something else used
 */
public record FailureTurn(
    String load,
    int round,
    Variant variant,
    int victim,
    @JsonIgnore Map<FailurePhase, Histogram> publish,
    Map<FailurePhase, Double> gapSeconds,
    double returnSeconds,
    long acknowledged,
    double othersShare,
    List<FailureSample> samples)
    implements RoundFigures<String, Variant> {

  public FailureTurn {
    publish = Map.copyOf(publish);
    gapSeconds = Map.copyOf(gapSeconds);
    samples = List.copyOf(samples);
  }
}
