// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * How old data are by their own time, whenever they were written here: a follower that catches up,
 * a partition that moves, a replay write old data, which must not push new data out of the tiers.
 * Any thread.
 */
public final class DataAge {
  private final NewestRecord newestRecord;
  private final long maxAgeMs;

  /**
   * The age of some engine's data.
   *
   * @param maxAgeMs what is older is old; 0: nothing is
   */
  public DataAge(final NewestRecord newestRecord, final long maxAgeMs) {
    this.newestRecord = newestRecord;
    this.maxAgeMs = maxAgeMs;
  }

  /** Is all that a sealed segment holds old? */
  boolean old(final Path sealed) {
    final long nowMs = System.currentTimeMillis();
    return appendMs(sealed, nowMs) != nowMs;
  }

  /**
   * When what a sealed segment holds counts as appended: then if it was new then, else at the time
   * of its newest record. What wasn't appended to lately isn't looked at.
   *
   * @param lastAppendMs milliseconds since 1970; negative: not known
   */
  public long appendMs(final Path sealed, final long lastAppendMs) {
    final long oldBeforeMs = System.currentTimeMillis() - maxAgeMs;
    if (maxAgeMs == 0 || lastAppendMs < oldBeforeMs) {
      return lastAppendMs;
    }
    try {
      final long newestMs = newestRecord.newestMs(sealed);
      return newestMs > 0 && newestMs < oldBeforeMs ? newestMs : lastAppendMs;
    } catch (final IOException e) {
      Events.LOG.debug("{}: the age of its data can't be found out", sealed, e);
      return lastAppendMs;
    }
  }
}
