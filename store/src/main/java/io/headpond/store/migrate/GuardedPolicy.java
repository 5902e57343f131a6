// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.function.Consumer;

/**
 * A policy whose failures and missing numbers count as the rank 0, as never too old, and as a
 * segment that takes no other's place.
 */
public final class GuardedPolicy implements MigrationPolicy {
  private final MigrationPolicy policy;
  private final Consumer<Throwable> failed;

  /**
   * Guards a policy, which may be a class of the operator's.
   *
   * @param failed is told of each failure
   */
  public GuardedPolicy(final MigrationPolicy policy, final Consumer<Throwable> failed) {
    this.policy = policy;
    this.failed = failed;
  }

  @Override
  public double rank(final SegmentFacts segment) {
    try {
      final double rank = policy.rank(segment);
      return Double.isNaN(rank) ? 0 : rank;
    } catch (final RuntimeException | LinkageError e) {
      failed.accept(e);
      return 0;
    }
  }

  @Override
  public long downAtMs(final SegmentFacts segment) {
    try {
      return policy.downAtMs(segment);
    } catch (final RuntimeException | LinkageError e) {
      failed.accept(e);
      return Long.MAX_VALUE;
    }
  }

  @Override
  public double swapMargin() {
    try {
      final double margin = policy.swapMargin();
      return Double.isNaN(margin) ? Double.POSITIVE_INFINITY : margin;
    } catch (final RuntimeException | LinkageError e) {
      failed.accept(e);
      return Double.POSITIVE_INFINITY;
    }
  }
}
