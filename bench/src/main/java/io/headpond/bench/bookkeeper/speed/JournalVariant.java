// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.speed;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Where a measured bookie's journal lies, and who writes it. */
public enum JournalVariant {
  /** Headpond's journal on the fast device. */
  HEADPOND("headpond"),
  /**
   * The same with {@code journalSyncData=false}, which is safe where a write is durable when it
   * returns: it saves the hop to BookKeeper's forcing thread.
   */
  HEADPOND_NO_HOP("headpond-no-hop"),
  /** BookKeeper's own journal on the fast device. */
  DEFAULT_FAST("default-fast"),
  /** BookKeeper's own journal on disk, forced as it comes. */
  DEFAULT_DISK("default-disk");

  private final String key;

  JournalVariant(String key) {
    this.key = key;
  }

  /** Its name on the command line and in results. */
  @JsonValue
  public String key() {
    return key;
  }

  /** The variant of that name. */
  public static JournalVariant of(String key) {
    return Arrays.stream(values())
        .filter(v -> v.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(
                        "'%s' is no variant; there are %s",
                        key,
                        Arrays.stream(values())
                            .map(JournalVariant::key)
                            .collect(Collectors.joining(", ")))));
  }

  /** Whether the plug-in is in it. */
  boolean headpond() {
    return this == HEADPOND || this == HEADPOND_NO_HOP;
  }

  /** Whether its journal is on the fast device. */
  boolean fast() {
    return this != DEFAULT_DISK;
  }

  @Override
  public String toString() {
    return key;
  }
}
