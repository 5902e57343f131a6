// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.migrate.HeldBack;

/** A segment that is being appended to, as its tier directory sees it. Any thread. */
public interface GrowingSegment {
  /** Adds what the segment will probably still grow by. */
  void holdBack(HeldBack held, long nowNanos);

  /** Gives back what was grown ahead if nothing was appended for a while. */
  void sealIfIdle(long idleNanos);
}
