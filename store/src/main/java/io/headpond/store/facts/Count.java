// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** A count of the owner process since its start, named as in the live file. */
public enum Count {
  /** Writes of the engine to segments. */
  APPENDS("appends"),

  /** Bytes that were durable when {@code write} returned. */
  APPENDED_DURABLE("appended.bytes.durable"),

  /** Bytes persisted on a device that only behaves like a durable one. */
  APPENDED_EMULATED("appended.bytes.emulated"),

  /** Bytes persisted on a device that is gone with the machine that a cloud lends. */
  APPENDED_EPHEMERAL("appended.bytes.ephemeral"),

  /** Bytes persisted where nothing shows what that is worth. */
  APPENDED_UNKNOWN("appended.bytes.unknown"),

  /** Bytes in memory. */
  APPENDED_VOLATILE("appended.bytes.volatile"),

  /** Bytes in the page cache of a durable device. */
  APPENDED_UNFORCED("appended.bytes.unforced"),

  /** Appends that waited for their file to grow. */
  RUN_AHEAD_MISSES("run.ahead.misses"),

  /** Segments created below the tier where they belong. */
  OVERFLOW_SEGMENTS("overflow.segments"),

  /** Segments moved in the middle of an append. */
  EVACUATED_SEGMENTS("evacuated.segments"),

  /** The content of those. */
  EVACUATED_BYTES("evacuated.bytes"),

  /** Segments moved to a slower place. */
  DOWN_SEGMENTS("migrated.down.segments"),

  /** Segments moved to a faster place. */
  UP_SEGMENTS("migrated.up.segments"),

  /** Bytes moved to a slower place. */
  DOWN_BYTES("migrated.down.bytes"),

  /** Bytes moved to a faster place. */
  UP_BYTES("migrated.up.bytes"),

  /** Moves that ended with an error. */
  MIGRATION_FAILURES("migration.failures"),

  /** Tier files that no name led to any more, deleted. */
  RECLAIMED_FILES("reclaimed.files"),

  /** Bytes at home that were brought into the page cache ahead of consumers. */
  READ_AHEAD_BYTES("read.ahead.bytes");

  /** The bytes appended, by what protected them when {@code write} returned. */
  public static final Set<Count> APPENDED =
      Collections.unmodifiableSet(EnumSet.range(APPENDED_DURABLE, APPENDED_UNFORCED));

  private final String key;

  Count(final String key) {
    this.key = key;
  }

  /** Its key in the live file; with underscores, that of {@code headpond status --json}. */
  public String key() {
    return key;
  }

  /** The last word of its key: the protection of appended bytes. */
  public String lastWord() {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /** All bytes appended, whatever protects them. */
  public static long appendedBytes(final Map<Count, Long> counts) {
    return APPENDED.stream().mapToLong(counts::get).sum();
  }
}
