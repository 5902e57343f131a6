// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.OptionalLong;

/** The age of a segment's data, compared with the time when the segment was appended to. */
public enum Age {
  /** They are as new, as far as anybody knows. */
  AS_APPENDED,

  /** They are old: the segment counts as appended at the time of its newest record. */
  OLDER,

  /** The time of its newest record has to be looked up first. */
  UNKNOWN;

  /** Stands for a limit of age that there isn't. */
  public static final long NOTHING_IS_OLD = Long.MIN_VALUE;

  /**
   * The age of some data.
   *
   * @param lastAppendMs the last append, milliseconds since 1970
   * @param newestMs the time of the newest record; 0 or less: nobody knows; empty: it wasn't looked
   *     up
   * @param oldBeforeMs what is of before that time is old
   */
  public static Age of(
      final long lastAppendMs, final OptionalLong newestMs, final long oldBeforeMs) {
    if (oldBeforeMs == NOTHING_IS_OLD || lastAppendMs < oldBeforeMs) {
      return AS_APPENDED;
    }
    if (newestMs.isEmpty()) {
      return UNKNOWN;
    }
    final long newest = newestMs.getAsLong();
    return newest > 0 && newest < oldBeforeMs ? OLDER : AS_APPENDED;
  }
}
