// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/** {@code freshness}: what was written last stays up. */
final class FreshnessPolicy implements MigrationPolicy {
  @Override
  public double rank(final SegmentFacts segment) {
    return segment.lastAppendMs();
  }
}
