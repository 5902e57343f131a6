// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.Path;

/** Tells how old a segment's data are. Engines keep that in formats of their own. */
@FunctionalInterface
public interface NewestRecord {
  /** Of an engine that doesn't tell. */
  NewestRecord UNKNOWN = segment -> 0;

  /**
   * The time of the segment's newest record, as its producer gave it.
   *
   * @param segment the name of a sealed segment in the log directory
   * @return milliseconds since 1970; 0 or less: not known
   */
  long newestMs(Path segment) throws IOException;
}
