// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * Arithmetic on values that are kept as their logarithm to base 2, because they would overflow
 * otherwise: see {@link SegmentFacts#readBytesLog2}.
 */
public final class ForwardDecay {
  private static final double LN2 = Math.log(2);

  private ForwardDecay() {}

  /** The logarithm to base 2. */
  public static double log2(final double value) {
    return Math.log(value) / LN2;
  }

  /** {@code log2(2^a + 2^b)}; minus infinity stands for nothing. */
  public static double add(final double a, final double b) {
    final double high = Math.max(a, b);
    final double low = Math.min(a, b);
    return low == Double.NEGATIVE_INFINITY
        ? high
        : high + Math.log1p(Math.pow(2, low - high)) / LN2;
  }
}
