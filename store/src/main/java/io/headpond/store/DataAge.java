// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.event.Events;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.migrate.Age;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The age of data by their own time, whenever they were written here. A follower that catches up, a
 * partition that moves and a replay write old data, which must not push new data out of the tiers.
 * Any thread.
 */
public final class DataAge {
  private final NewestRecord newestRecord;
  private final long maxAgeMs;
  private final TimeSource time;

  /**
   * The age of some engine's data.
   *
   * @param maxAgeMs what is older is old; 0: nothing is
   */
  public DataAge(final NewestRecord newestRecord, final long maxAgeMs) {
    this(newestRecord, maxAgeMs, TimeSource.SYSTEM);
  }

  DataAge(final NewestRecord newestRecord, final long maxAgeMs, final TimeSource time) {
    this.newestRecord = newestRecord;
    this.maxAgeMs = maxAgeMs;
    this.time = time;
  }

  /** True if all data of a sealed segment are older than a limit of {@link #oldBeforeMs}. */
  boolean older(final Path sealed, final long oldBeforeMs) {
    if (oldBeforeMs == Age.NOTHING_IS_OLD) {
      return false;
    }
    final long newestMs = newestMs(sealed);
    return newestMs > 0 && newestMs < oldBeforeMs;
  }

  /**
   * The time of the newest record of a sealed segment, milliseconds since 1970; 0 or less: not
   * known; empty: what wasn't appended to lately isn't looked at.
   *
   * @param lastAppendMs milliseconds since 1970; negative: not known
   */
  OptionalLong newestMs(final Path sealed, final long lastAppendMs) {
    final Age age = Age.of(lastAppendMs, OptionalLong.empty(), oldBeforeMs(time.millis()));
    return age == Age.UNKNOWN ? OptionalLong.of(newestMs(sealed)) : OptionalLong.empty();
  }

  /**
   * The time at which a sealed segment's data count as appended: the last append if they were new
   * then, else the time of the newest record.
   *
   * @param newestMs as {@link #newestMs(Path, long)} found it
   */
  long appendMs(final long lastAppendMs, final OptionalLong newestMs) {
    return Age.of(lastAppendMs, newestMs, oldBeforeMs(time.millis())) == Age.OLDER
        ? newestMs.getAsLong()
        : lastAppendMs;
  }

  /** The limit of age at some time, milliseconds since 1970, or {@link Age#NOTHING_IS_OLD}. */
  public long oldBeforeMs(final long nowMs) {
    return maxAgeMs > 0 ? nowMs - maxAgeMs : Age.NOTHING_IS_OLD;
  }

  /**
   * The time of the newest record of a sealed segment, milliseconds since 1970; 0 or less: not
   * known. Reads the disk.
   */
  public long newestMs(final Path sealed) {
    try {
      return newestRecord.newestMs(sealed);
    } catch (final IOException e) {
      Events.LOG.debug("{}: the age of its data can't be found out", sealed, e);
      return 0;
    }
  }
}
