// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * {@code heat}: what is being read stays or comes up, decayed over time, so that a backlog that is
 * replayed rises and the rest makes room. Writing a segment counts as reading it once: what is new
 * and wasn't read yet is expected to be.
 *
 * <p>The rank is log2 of the decayed reads per byte: a difference of 1 is twice as hot.
 */
final class HeatPolicy implements MigrationPolicy {
  private static final double LN2 = Math.log(2);

  @Override
  public double rank(final SegmentFacts segment) {
    final double size = log2(Math.max(1, segment.bytes()));
    final double written = (double) segment.lastAppendMs() / segment.halfLifeMs();
    return addLog2(segment.readBytesLog2() - size, written);
  }

  /** Twice as hot: less would move segments for noise. */
  @Override
  public double swapMargin() {
    return 1;
  }

  static double log2(final double value) {
    return Math.log(value) / LN2;
  }

  /** log2(2^a + 2^b). */
  static double addLog2(final double a, final double b) {
    final double high = Math.max(a, b);
    final double low = Math.min(a, b);
    return low == Double.NEGATIVE_INFINITY ? high : high + log2(1 + Math.pow(2, low - high));
  }
}
