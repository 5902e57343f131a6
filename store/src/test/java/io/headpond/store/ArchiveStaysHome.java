// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.SegmentFacts;

/** An operator's own policy, which keeps a topic out of the tiers. */
public final class ArchiveStaysHome implements MigrationPolicy {
  @Override
  public double rank(final SegmentFacts segment) {
    return segment.topic().equals("archive") ? NEVER_UP : segment.lastAppendMs();
  }
}
