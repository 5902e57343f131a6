// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import io.headpond.harness.load.Pace;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.Point;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The chores, and the topic that they are about.
 *
 * @param baselines what Headpond is compared with, in the order of their turns after it
 * @param fast folder on the fast device
 * @param home folder on disk
 * @param chores each of them
 * @param homeRate the rate at which home takes what migrates
 * @param topicBytes of the topic that is deleted, compacted, or there at a restart
 * @param segments of that topic: a deletion's work is by the segment, so a small topic stands for a
 *     large one with as many
 * @param messageBytes size of the published messages
 * @param perSecond messages published a second
 * @param seconds that are measured before a chore, and from its beginning on at least
 * @param rounds turns of each variant
 * @param warmUpSeconds of each variant before its first turn
 */
public record UpkeepSettings(
    List<Variant> baselines,
    Path fast,
    Path home,
    JavaHome java,
    List<Chore> chores,
    HomeRate homeRate,
    long topicBytes,
    int segments,
    int messageBytes,
    double perSecond,
    double seconds,
    int rounds,
    double warmUpSeconds) {

  static final int PARTITIONS = 4;

  /** Size of the topic's messages: a ring of them has 4,096 keys, each of which comes again. */
  static final int TOPIC_MESSAGE_BYTES = 16 << 10;

  /** The tier has half of the topic: the older half is at home, as in a real log. */
  private static final int TIER_PART = 2;

  /** Room above the threshold for what is published beside chores. */
  private static final double THRESHOLD = 0.8;

  private static final long TOPIC_BYTES_MIN = 128 << 20;
  private static final int SEGMENTS_MAX = 10_000;

  /** Refuses what would show nothing. */
  public UpkeepSettings {
    baselines = List.copyOf(baselines);
    chores = List.copyOf(chores);
    check(
        !chores.isEmpty() && chores.stream().distinct().count() == chores.size(),
        "at least one chore is needed, each named once");
    check(topicBytes >= TOPIC_BYTES_MIN, "the topic has 128MiB at least");
    check(
        segments >= PARTITIONS && segments <= SEGMENTS_MAX && topicBytes / segments >= 1 << 20,
        "the topic has 4 to 10,000 segments of 1 MiB at least, not " + segments);
    check(rounds >= 1 && rounds <= 100, "there are 1 to 100 rounds, not " + rounds);
    check(
        seconds >= 1 && seconds <= 600 && warmUpSeconds >= 0.5 && warmUpSeconds <= 600,
        "seconds go from 1 to 600, those of the warm-up from 0.5");
    check(
        perSecond >= 1 && perSecond * messageBytes < homeRate.bytesPerSecond(),
        "what is published in a second must be less than what home takes");
    check(
        !baselines.contains(Variant.HEADPOND)
            && baselines.stream().distinct().count() == baselines.size(),
        "Headpond is compared with other variants, not with " + baselines);
  }

  private static void check(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Headpond and its baselines. */
  public List<Variant> variants() {
    return ComparedVariant.withBaselines(Variant.HEADPOND, baselines);
  }

  /** Capacity of the fast tier. */
  public long tierBytes() {
    return topicBytes / TIER_PART;
  }

  /** The fast tier. */
  KafkaTier tier() {
    return KafkaTier.tight(tierBytes(), THRESHOLD, homeRate, Math.max(1, segments / TIER_PART));
  }

  /** Most that a settled tier has: segments that are written to don't move. */
  double settledBytes() {
    return tierBytes() * THRESHOLD + 2.0 * PARTITIONS * tier().segmentBytes();
  }

  /** The load beside a chore. */
  Point publishing() {
    return Point.of(messageBytes, seconds).at(Pace.constant(perSecond)).on(1, PARTITIONS);
  }

  /** The topic's content, at full speed. */
  Point topic() {
    return Point.of(TOPIC_MESSAGE_BYTES, seconds).on(1, PARTITIONS).beside(topicBytes);
  }

  /** The bytes that each variant needs room for. */
  public long bytes() {
    double published = perSecond * messageBytes * 4 * seconds;
    return (long) (2 * topicBytes + published);
  }

  /** The load in words, alike for alike loads. */
  public String text(Chore chore) {
    return String.format(
        Locale.ROOT,
        "%s: %d MiB in about %d segments, tier of %d MiB, %,.0f messages of %s a second beside it",
        chore.text(),
        topicBytes >> 20,
        segments,
        tierBytes() >> 20,
        perSecond,
        messageBytes % 1024 == 0 ? messageBytes / 1024 + " KiB" : messageBytes + " B");
  }

  /** The loads of all chores. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    chores.forEach(chore -> texts.add(text(chore)));
    return texts;
  }
}
