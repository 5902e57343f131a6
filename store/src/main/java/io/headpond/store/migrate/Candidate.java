// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A segment that may move now, as a choice sees it.
 *
 * @param <D> a tier directory
 */
public interface Candidate<D> {
  /** Its log directory. */
  Path home();

  /** Its place; null: home. */
  D directory();

  /** The room that it takes elsewhere. */
  long bytes();

  /** True for the segment of its log that is appended to. */
  boolean active();

  /** True if it was written before Headpond came to its log directory, and that counts. */
  boolean existing();

  /** Its rank by the policy. */
  double rank();

  /** From when on the policy wants it down, milliseconds since 1970. */
  long downAtMs();

  /** The time of its last append, milliseconds since 1970; see {@link SegmentFacts}. */
  long lastAppendMs();

  /** The time of its newest record, as {@link Age} takes it. */
  OptionalLong newestMs();
}
