// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/** Keeps some topics up, whatever another policy says of them. */
final class PinnedPolicy implements MigrationPolicy {
  private final TopicPatterns alwaysUp;
  private final MigrationPolicy rest;

  PinnedPolicy(final TopicPatterns alwaysUp, final MigrationPolicy rest) {
    this.alwaysUp = alwaysUp;
    this.rest = rest;
  }

  @Override
  public double rank(final SegmentFacts segment) {
    return alwaysUp.match(segment.topic()) ? ALWAYS_UP : rest.rank(segment);
  }

  @Override
  public long downAtMs(final SegmentFacts segment) {
    return alwaysUp.match(segment.topic()) ? Long.MAX_VALUE : rest.downAtMs(segment);
  }

  @Override
  public double swapMargin() {
    return rest.swapMargin();
  }
}
