// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.speed;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A figure by which variants are compared. */
public enum TurnMetric {
  /** Acknowledged adds. */
  ADDS("throughput", "adds/s", true, TurnFigures::addsPerSecond),
  /** From sending to acknowledgement. */
  LATENCY_P50("latency P50", "µs", false, TurnFigures::p50Us),
  /** From sending to acknowledgement. */
  LATENCY_P99("latency P99", "µs", false, TurnFigures::p99Us),
  /** From sending to acknowledgement. */
  LATENCY_P999("latency P99.9", "µs", false, TurnFigures::p999Us),
  /** Of the bookie. */
  BOOKIE_CPU("bookie CPU", "µs/add", false, TurnFigures::bookieCpuUsPerAdd),
  /** Of the client, which is the same for all. */
  CLIENT_CPU("client CPU", "µs/add", false, TurnFigures::clientCpuUsPerAdd);

  private final String title;
  private final String unit;
  private final boolean moreIsBetter;
  private final ToDoubleFunction<TurnFigures> value;

  TurnMetric(String title, String unit, boolean moreIsBetter, ToDoubleFunction<TurnFigures> value) {
    this.title = title;
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
    this.value = value;
  }

  /** Its name in results. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a table calls it. */
  public String title() {
    return title;
  }

  /** Unit of its values. */
  public String unit() {
    return unit;
  }

  /** Whether a ratio above 1 speaks for the first of the two. */
  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  /** Its value in one turn. */
  public double of(TurnFigures turn) {
    return value.applyAsDouble(turn);
  }
}
