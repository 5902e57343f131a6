// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.variant;

import com.fasterxml.jackson.annotation.JsonValue;
import io.headpond.lab.comparison.ComparedVariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The places of a measured bookie's journal, each with its writer. */
public enum JournalVariant implements ComparedVariant {
  /** Headpond's journal on the fast device. */
  HEADPOND("headpond"),
  /**
   * The same with {@code journalSyncData=false}, which is safe where a write is durable when it
   * returns: it saves the hop to BookKeeper's forcing thread.
   */
  HEADPOND_NO_HOP("headpond-no-hop"),
  /** The same as {@link #HEADPOND}, but for settings of the bookie that are tried. */
  HEADPOND_TUNED("headpond-tuned"),
  /** BookKeeper's own journal on the fast device. */
  DEFAULT_FAST("default-fast"),
  /** BookKeeper's own journal on disk, forced, unmodified. */
  DEFAULT_DISK("default-disk");

  private final String key;

  JournalVariant(String key) {
    this.key = key;
  }

  @Override
  @JsonValue
  public String key() {
    return key;
  }

  /** The variant of that name. */
  public static JournalVariant of(String key) {
    return ComparedVariant.of(JournalVariant.class, key);
  }

  /** True if the plug-in is in it. */
  boolean headpond() {
    return this == HEADPOND || this == HEADPOND_NO_HOP || this == HEADPOND_TUNED;
  }

  /** True if its journal is on the fast device. */
  public boolean fast() {
    return this != DEFAULT_DISK;
  }

  /** The place of its journal, in words. */
  public String describe(Path fast, Path home) throws IOException {
    Path folder = fast() ? fast : home;
    return String.format(
        "journal in %s (%s)%s",
        folder,
        Files.getFileStore(folder).type(),
        switch (this) {
          case HEADPOND -> ", by Headpond";
          case HEADPOND_NO_HOP -> ", by Headpond, journalSyncData=false";
          case HEADPOND_TUNED -> ", by Headpond, with the settings of --set";
          case DEFAULT_FAST -> ", as BookKeeper comes";
          case DEFAULT_DISK -> ", as BookKeeper comes, forced";
        });
  }

  /** The places of their journals, in words, by the variants' names and in their order. */
  public static Map<String, String> places(List<JournalVariant> variants, Path fast, Path home)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    for (JournalVariant variant : variants) {
      all.put(variant.key(), variant.describe(fast, home));
    }
    return all;
  }

  @Override
  public String toString() {
    return key;
  }
}
