// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.variant;

import com.fasterxml.jackson.annotation.JsonValue;
import io.headpond.lab.comparison.ComparedVariant;
import java.util.Map;

/** Where a measured broker keeps its log, and what it forces. */
public enum Variant implements ComparedVariant {
  /** Kafka with Headpond: a tier on the fast device, home on disk. */
  HEADPOND("headpond"),
  /**
   * The same, with a tier in memory that is mapped, as persistent memory would be. By itself
   * Headpond writes to memory without a mapping.
   */
  HEADPOND_MAPPED("headpond-mapped"),
  /** Unmodified Kafka, its whole log directory on the fast device, which must be tmpfs. */
  VANILLA_TMPFS("vanilla-tmpfs"),
  /**
   * Unmodified Kafka, its whole log directory on the fast device: as fast as a tier there may be.
   */
  VANILLA_FAST("vanilla-fast"),
  /**
   * Unmodified Kafka, its log directory on disk, every append forced ({@code flush.messages=1}).
   */
  VANILLA_FORCED("vanilla-forced"),
  /** Unmodified Kafka, its log directory on disk, nothing forced before it is acknowledged. */
  VANILLA_DISK("vanilla-disk");

  private final String key;

  Variant(String key) {
    this.key = key;
  }

  @Override
  @JsonValue
  public String key() {
    return key;
  }

  /** The variant of that name. */
  public static Variant of(String key) {
    return ComparedVariant.of(Variant.class, key);
  }

  /** Whether the plug-in is in it. */
  boolean headpond() {
    return this == HEADPOND || this == HEADPOND_MAPPED;
  }

  /** Whether its log directory is on the fast device. */
  boolean logDirOnFast() {
    return this == VANILLA_TMPFS || this == VANILLA_FAST;
  }

  /** Whether its segments are on the disk of home, which then must be one. */
  boolean onDisk() {
    return this == VANILLA_FORCED || this == VANILLA_DISK;
  }

  /** What its topics need beyond the measure's own settings. */
  public Map<String, String> topicSettings() {
    return this == VANILLA_FORCED ? Map.of("flush.messages", "1") : Map.of();
  }

  @Override
  public String toString() {
    return key;
  }
}
