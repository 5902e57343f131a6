// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.comparison.RoundFigures;
import io.headpond.lab.kafka.variant.Variant;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One variant's way through all bursts.
 *
 * @param load in words
 * @param round from 1 on
 * @param bursts what was acknowledged in them
 * @param overflow the part of it from when the tier is full by the forecast, for baselines too;
 *     null if no burst is to fill it
 * @param between publish latencies from when a message was due, nanoseconds, of what was
 *     acknowledged between bursts and after the last
 * @param fellBehind whether much less than was due was acknowledged during bursts: then they were
 *     others than those that are predicted
 * @param othersShare share of the processors, 0 to 1, that something else used
 */
public record BurstTurn(
    String load,
    int round,
    Variant variant,
    List<BurstSample> samples,
    BurstPart bursts,
    @JsonInclude(JsonInclude.Include.NON_NULL) BurstPart overflow,
    @JsonIgnore Histogram between,
    boolean fellBehind,
    double othersShare)
    implements RoundFigures<String, Variant> {

  public BurstTurn {
    samples = List.copyOf(samples);
  }

  /** Seconds from a burst's beginning to its overflow; NaN if the tier took all of it. */
  public double absorbed(Burst burst) {
    return samples.stream()
        .filter(s -> s.at() >= burst.begin() && s.at() <= burst.end() && s.overflowing())
        .mapToDouble(s -> s.at() - burst.begin())
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * Seconds from a burst's end until the tier is back at its threshold, but for one segment; NaN if
   * it isn't before {@code next}.
   *
   * @param steeredBytes the threshold, with the segment
   */
  public double recovered(Burst burst, double next, double steeredBytes) {
    return samples.stream()
        .filter(s -> s.at() >= burst.end() && s.at() <= next && s.tierUsedBytes() >= 0)
        .filter(s -> s.tierUsedBytes() <= steeredBytes)
        .mapToDouble(s -> s.at() - burst.end())
        .findFirst()
        .orElse(Double.NaN);
  }
}
