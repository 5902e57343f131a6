// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import java.util.Map;

/**
 * A count of the owner process since its start, declared once: the live file, metrics, beans and
 * the status documents are made from it.
 */
public enum Count {
  /** Writes of the engine to segments. */
  APPENDS(
      "appends",
      "count",
      new Series(
          Area.APPENDS, "append", "headpond_appends", "", "Writes of the engine to segments.")),

  /** Bytes that were durable when {@code write} returned. */
  APPENDED_DURABLE("appended.bytes.durable", "durable_bytes", Labelled.APPENDED, "durable"),

  /** Bytes persisted on a device that only behaves like a durable one. */
  APPENDED_EMULATED("appended.bytes.emulated", "emulated_bytes", Labelled.APPENDED, "emulated"),

  /** Bytes persisted on a device that is gone with the machine that a cloud lends. */
  APPENDED_EPHEMERAL("appended.bytes.ephemeral", "ephemeral_bytes", Labelled.APPENDED, "ephemeral"),

  /** Bytes persisted where nothing shows what that is worth. */
  APPENDED_UNKNOWN("appended.bytes.unknown", "unknown_bytes", Labelled.APPENDED, "unknown"),

  /** Bytes in memory. */
  APPENDED_VOLATILE("appended.bytes.volatile", "volatile_bytes", Labelled.APPENDED, "volatile"),

  /** Bytes in the page cache of a durable device. */
  APPENDED_UNFORCED("appended.bytes.unforced", "unforced_bytes", Labelled.APPENDED, "unforced"),

  /** Appends that waited for their file to grow. */
  RUN_AHEAD_MISSES(
      "run.ahead.misses",
      "run_ahead_misses",
      new Series(
          Area.APPENDS,
          "run-ahead-misses",
          "headpond_run_ahead_misses",
          "",
          "Appends that waited for their file to grow.")),

  /** Segments created below the tier where they belong. */
  OVERFLOW_SEGMENTS(
      "overflow.segments",
      "overflow_segments",
      new Series(
          Area.APPENDS,
          "overflow-segments",
          "headpond_overflow_segments",
          "",
          "Segments created in a lower place because their tier had no room.")),

  /** Segments moved in the middle of an append. */
  EVACUATED_SEGMENTS(
      "evacuated.segments",
      "evacuated_segments",
      new Series(
          Area.APPENDS,
          "evacuated-segments",
          "headpond_evacuated_segments",
          "",
          "Segments moved during an append because their device was full or failed.")),

  /** The content of those. */
  EVACUATED_BYTES(
      "evacuated.bytes",
      "evacuated_bytes",
      new Series(
          Area.APPENDS,
          "evacuated-bytes",
          "headpond_evacuated_bytes",
          "",
          "Bytes of those segments.")),

  /** Segments moved to a slower place. */
  DOWN_SEGMENTS("migrated.down.segments", "down_segments", Labelled.SEGMENTS, "down"),

  /** Segments moved to a faster place. */
  UP_SEGMENTS("migrated.up.segments", "up_segments", Labelled.SEGMENTS, "up"),

  /** Bytes moved to a slower place. */
  DOWN_BYTES("migrated.down.bytes", "down_bytes", Labelled.BYTES, "down"),

  /** Bytes moved to a faster place. */
  UP_BYTES("migrated.up.bytes", "up_bytes", Labelled.BYTES, "up"),

  /** Moves that ended with an error. */
  MIGRATION_FAILURES(
      "migration.failures",
      "failures",
      new Series(
          Area.MIGRATION,
          "failures",
          "headpond_migration_failures",
          "",
          "Moves that failed. The segment stayed in its place.")),

  /** Tier files that no name led to any more, deleted. */
  RECLAIMED_FILES(
      "reclaimed.files",
      "reclaimed",
      new Series(
          Area.FILES,
          "reclaimed-files",
          "headpond_reclaimed_files",
          "",
          "Tier files deleted because no name led to them any more.")),

  /** The same, kept for new segments. */
  RECYCLED_FILES(
      "recycled.files",
      "recycled",
      new Series(
          Area.FILES,
          "recycled-files",
          "headpond_recycled_files",
          "",
          "Tier files of deleted segments, kept for new segments.")),

  /** Bytes at home that were brought into the page cache ahead of consumers. */
  READ_AHEAD_BYTES(
      "read.ahead.bytes",
      "read_ahead_bytes",
      new Series(
          Area.FILES,
          "read-ahead-bytes",
          "headpond_read_ahead_bytes",
          "",
          "0.2.0",
          "Bytes at home that were brought into the page cache ahead of consumers."));

  /** A part of the status document, and of the beans. */
  public enum Area {
    APPENDS,
    MIGRATION,
    FILES
  }

  /**
   * Counts of one metric.
   *
   * @param attribute what JMX calls it
   * @param metric what Prometheus calls it, without {@code _total}; ends with {@code _bytes} if
   *     bytes are counted
   * @param label the label that tells its counts apart; empty if there is one only
   * @param since the first version that has it
   * @param description one sentence
   */
  public record Series(
      Area area, String attribute, String metric, String label, String since, String description) {

    Series(
        final Area area,
        final String attribute,
        final String metric,
        final String label,
        final String description) {
      this(area, attribute, metric, label, "0.1.0", description);
    }
  }

  /** The series of several counts. */
  private static final class Labelled {
    static final Series APPENDED =
        new Series(
            Area.APPENDS,
            "bytes",
            "headpond_appended_bytes",
            "durability",
            "Appended bytes, by their protection when the write returned: durable;"
                + " ephemeral (instance storage of a cloud, gone with the machine); unknown (nothing"
                + " shows what a force makes durable there); emulated (a device that imitates"
                + " persistent memory); volatile (memory); unforced (page cache).");

    static final Series SEGMENTS =
        new Series(
            Area.MIGRATION,
            "segments",
            "headpond_migrated_segments",
            "direction",
            "Segments moved to another place: down to a slower one, up to a faster one.");

    static final Series BYTES =
        new Series(
            Area.MIGRATION,
            "bytes",
            "headpond_migrated_bytes",
            "direction",
            "Bytes of those segments.");
  }

  private final String key;
  private final String jsonKey;

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts and a constant
  private final Series series;

  private final String labelValue;

  Count(final String key, final String jsonKey, final Series series) {
    this(key, jsonKey, series, "");
  }

  Count(final String key, final String jsonKey, final Series series, final String labelValue) {
    this.key = key;
    this.jsonKey = jsonKey;
    this.series = series;
    this.labelValue = labelValue;
  }

  /** Its key in the live file; with underscores, that of {@code headpond status --json}. */
  public String key() {
    return key;
  }

  /** Its key in its area's part of a broker's status document. */
  public String jsonKey() {
    return jsonKey;
  }

  /** The metric that it is a count of. */
  public Series series() {
    return series;
  }

  /** The value of the metric's label; empty if it has none. */
  public String labelValue() {
    return labelValue;
  }

  /** All bytes appended, whatever protects them. */
  public static long appendedBytes(final Map<Count, Long> counts) {
    long bytes = 0;
    for (final Count each : values()) {
      bytes += each.series.equals(Labelled.APPENDED) ? counts.get(each) : 0;
    }
    return bytes;
  }
}
