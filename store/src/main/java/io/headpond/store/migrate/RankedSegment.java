// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.nio.file.Path;

/**
 * A segment in a {@link RankOrder}. Nothing that is told here may change while it is in the order.
 *
 * @param <D> a tier directory
 */
public interface RankedSegment<D> {
  /** Its partition directory. */
  Path partition();

  /** Its name there. */
  String fileName();

  /** Its place; null: home. */
  D directory();

  /** Its length. */
  long bytes();

  /** The time of its last append, milliseconds since 1970; see {@link SegmentFacts}. */
  long lastAppendMs();

  /** True for the segment of its log that is appended to. */
  boolean active();

  /** True if it was written before Headpond came to its log directory, and that counts. */
  boolean existing();

  /** Its rank by the policy. */
  double rank();
}
