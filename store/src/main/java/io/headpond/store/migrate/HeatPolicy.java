// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * {@code heat}: what is being read stays or comes up, decayed over time. A backlog that is replayed
 * rises, and the rest makes room. Writing a segment counts as reading it once: what is new and
 * wasn't read yet is expected to be.
 *
 * <p>The rank is log2 of the decayed reads per byte: a difference of 1 is twice as hot.
 */
final class HeatPolicy implements MigrationPolicy {
  @Override
  public double rank(final SegmentFacts segment) {
    final double size = ForwardDecay.log2(Math.max(1, segment.bytes()));
    final double written = (double) segment.lastAppendMs() / segment.halfLifeMs();
    return ForwardDecay.add(segment.readBytesLog2() - size, written);
  }

  /** Twice as hot: less would move segments for noise. */
  @Override
  public double swapMargin() {
    return 1;
  }
}
