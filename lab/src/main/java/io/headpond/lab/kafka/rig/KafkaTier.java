// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.store.config.DurabilityMode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The size of a broker's fast tier, and the fate of data that gets old.
 *
 * @param capacityBytes of the tier; 0: more than loads fill
 * @param segmentBytes of the topics of all variants; 0: Kafka's default
 * @param growingBytes room of a tier that isn't filled beside what loads send: for segments that
 *     may still grow, and the broker's
 * @param settings Headpond's
 */
public record KafkaTier(
    long capacityBytes, long segmentBytes, long growingBytes, Map<String, String> settings) {

  private static final String THRESHOLD = "headpond.tier.fast.migrate.threshold";
  private static final long ROOMY_SEGMENT_BYTES = 128 << 20;
  private static final long ROOMY_GROWING_BYTES = 4L << 30;
  private static final long DEFAULT_SEGMENT_BYTES = 1L << 30;
  private static final long TIGHT_BYTES_MIN = 64 << 20;

  /** Kafka takes no smaller ones, and larger ones aren't told apart in a chart. */
  private static final long TIGHT_SEGMENT_BYTES_MIN = 1 << 20;

  private static final long TIGHT_SEGMENT_BYTES_MAX = 64 << 20;

  /** Topics that Headpond counts apart. */
  private static final String TOPICS = "100";

  /** It keeps all of it: what is measured is the append path. */
  public static final KafkaTier KEEPS =
      new KafkaTier(0, ROOMY_SEGMENT_BYTES, ROOMY_GROWING_BYTES, Map.of(THRESHOLD, "-1"));

  /**
   * Segments that weren't written to for ten seconds go home, so that a backlog lies there; the
   * turns of a few seconds that are measured beside it see no migration.
   */
  public static final KafkaTier AGES =
      new KafkaTier(
          0,
          ROOMY_SEGMENT_BYTES,
          ROOMY_GROWING_BYTES,
          Map.of(THRESHOLD, "1", "headpond.migrate.policy", "age", "headpond.migrate.age", "10s"));

  public KafkaTier {
    settings = Map.copyOf(settings);
  }

  /** The same with segments of Kafka's default size, in so many partitions at a time. */
  public static KafkaTier keeps(int partitions) {
    return new KafkaTier(
        0, 0, ROOMY_GROWING_BYTES + partitions * DEFAULT_SEGMENT_BYTES, KEEPS.settings());
  }

  /**
   * One that loads fill.
   *
   * @param threshold share of it that migration steers to
   * @param home the rate at which it takes what migrates
   * @param segments that it holds, of 1 to 64 MiB: with many its fill is known finely, with few
   *     logs roll as seldom as real ones
   */
  public static KafkaTier tight(long capacityBytes, double threshold, HomeRate home, int segments) {
    if (capacityBytes < TIGHT_BYTES_MIN) {
      throw new IllegalArgumentException("a tier of at least 64 MiB is needed");
    }
    if (!(threshold >= 0.05 && threshold <= 0.95)) {
      throw new IllegalArgumentException("a threshold goes from 0.05 to 0.95, not " + threshold);
    }
    return new KafkaTier(
        capacityBytes,
        Math.max(
            TIGHT_SEGMENT_BYTES_MIN, Math.min(TIGHT_SEGMENT_BYTES_MAX, capacityBytes / segments)),
        0,
        Map.of(
            THRESHOLD,
            Double.toString(threshold),
            "headpond.migrate.bytes.per.second",
            home.setting(),
            "headpond.metrics.topics",
            TOPICS));
  }

  /** The same with each append durable before it is acknowledged, or as the engine forces. */
  public KafkaTier durability(DurabilityMode mode) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("headpond.durability", mode.name().toLowerCase(Locale.ROOT));
    return new KafkaTier(capacityBytes, segmentBytes, growingBytes, all);
  }

  /** True if each append is durable before it is acknowledged. */
  boolean durableAppends() {
    return "append".equals(settings.get("headpond.durability"));
  }

  /** True if loads fill it. */
  public boolean isTight() {
    return capacityBytes > 0;
  }

  /** Sets a broker up that doesn't run yet. */
  void configure(VariantBroker broker) {
    KafkaNode node = broker.node();
    if (segmentBytes > 0) {
      node.set("log.segment.bytes", Long.toString(segmentBytes));
    }
    if (isTight()) {
      node.set("log.retention.check.interval.ms", SteadyLoad.RETENTION_CHECK_MS);
    }
    if (broker.headpond()) {
      settings.forEach(node::set);
    }
  }
}
