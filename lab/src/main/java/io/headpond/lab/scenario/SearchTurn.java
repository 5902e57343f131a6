// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import java.util.List;

/**
 * The rate that one variant reaches under a limit in one round.
 *
 * @param load with the limit, in words
 * @param round from 1 on
 */
public record SearchTurn(String load, int round, ComparedVariant variant, RateSearch search)
    implements RoundFigures<String, ComparedVariant> {

  /** The figures by which variants are compared. */
  public static final List<Metric<SearchTurn>> METRICS =
      List.of(
          new Metric<>(
              "limited_messages",
              "throughput within the limit",
              "messages/s",
              true,
              turn -> turn.search().perSecond()),
          new Metric<>(
              "limited_bytes",
              "throughput within the limit",
              "MB/s",
              true,
              turn -> turn.search().bytesPerSecond() / 1e6));
}
