// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.variant;

import com.fasterxml.jackson.annotation.JsonValue;
import io.headpond.lab.comparison.ComparedVariant;
import java.util.Map;

/** A kind of measured broker: the place of its log, and what it forces. */
public enum Variant implements ComparedVariant {
  /** Kafka with Headpond: a tier on the fast device, home on disk. */
  HEADPOND("headpond"),
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

  /** True if it has the plug-in. */
  boolean headpond() {
    return this == HEADPOND;
  }

  /** True if its log directory is on the fast device. */
  boolean logDirOnFast() {
    return this == VANILLA_TMPFS || this == VANILLA_FAST;
  }

  /** True if all that is sent is written home, which then must be a disk. */
  boolean onDisk() {
    return this == VANILLA_FORCED || this == VANILLA_DISK;
  }

  /** Topic settings beyond those of the measure. */
  public Map<String, String> topicSettings() {
    return this == VANILLA_FORCED ? Map.of("flush.messages", "1") : Map.of();
  }

  @Override
  public String toString() {
    return key;
  }
}
