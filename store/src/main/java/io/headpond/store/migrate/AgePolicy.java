// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/** {@code age}: as freshness, and what is older than a given time goes down also without need. */
final class AgePolicy implements MigrationPolicy {
  private final long ageMs;

  AgePolicy(final PolicySettings settings) {
    ageMs = settings.age().toMillis();
  }

  @Override
  public double rank(final SegmentFacts segment) {
    return segment.lastAppendMs();
  }

  @Override
  public long downAtMs(final SegmentFacts segment) {
    return segment.lastAppendMs() + ageMs;
  }
}
