// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.config.TierConfig;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.SegmentName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * The counters by topic, where {@code headpond.metrics.topics} asks for them. So many topics have
 * counts of their own; those that come after them share the counts of {@link
 * StoreFacts.Topic#OTHERS}. A topic none of whose segments is open any more gives its place up when
 * another one wants it, and leaves what it has counted to the others: no count is ever lost. Any
 * thread.
 */
public final class TopicCounters {
  /** As Kafka allows it; what isn't such a name is no topic. */
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** The counts of one tier, or of home. */
  private static final class Counts {
    private final LongAdder appendedBytes = new LongAdder();
    private final LongAdder readBytes = new LongAdder();

    private void add(final Counts other) {
      appendedBytes.add(other.appendedBytes.sum());
      readBytes.add(other.readBytes.sum());
    }
  }

  /** One topic's counts. */
  public static final class Topic {
    private final String name;

    /** The key null is home. Never changed, so that it is read without a lock. */
    private final Map<TierConfig, Counts> places = new IdentityHashMap<>();

    private final LongAdder overflowSegments = new LongAdder();

    /** Guarded by the topics' monitor. */
    private int openSegments;

    private Topic(final String name, final List<TierConfig> tiers) {
      this.name = name;
      tiers.forEach(tier -> places.put(tier, new Counts()));
      places.put(null, new Counts());
    }

    public String name() {
      return name;
    }

    /**
     * Counts an append.
     *
     * @param directory null is home
     */
    public void appended(final long bytes, final TierDirectory directory) {
      counts(directory).appendedBytes.add(bytes);
    }

    /** Counts a read; as {@link #appended}. */
    public void read(final long bytes, final TierDirectory directory) {
      counts(directory).readBytes.add(bytes);
    }

    private Counts counts(final TierDirectory directory) {
      return places.get(directory == null ? null : directory.tier);
    }

    public long appendedBytes(final TierConfig tier) {
      return places.get(tier).appendedBytes.sum();
    }

    public long readBytes(final TierConfig tier) {
      return places.get(tier).readBytes.sum();
    }

    public long overflowSegments() {
      return overflowSegments.sum();
    }

    private void takeOver(final Topic gone) {
      gone.places.forEach((tier, counts) -> places.get(tier).add(counts));
      overflowSegments.add(gone.overflowSegments.sum());
    }
  }

  private final int topicsMax;
  private final List<TierConfig> tiers;
  private final Topic others;
  private final Map<String, Topic> topics = new HashMap<>();

  /**
   * Counts nothing yet.
   *
   * @param topicsMax how many topics have counts of their own; zero: nothing is counted by topic
   */
  public TopicCounters(final int topicsMax, final List<TierConfig> tiers) {
    this.topicsMax = topicsMax;
    this.tiers = tiers;
    others = new Topic(StoreFacts.Topic.OTHERS, tiers);
  }

  /** True if anything is counted by topic. */
  public boolean counted() {
    return topicsMax > 0;
  }

  /**
   * A segment was opened; null if nothing is counted by topic.
   *
   * @param partition the partition directory's name
   */
  public synchronized Topic opened(final String partition) {
    if (topicsMax == 0) {
      return null;
    }
    final Topic topic = ofNew(partition);
    topic.openSegments++;
    return topic;
  }

  /** It was closed. */
  public synchronized void closed(final Topic topic) {
    topic.openSegments--;
  }

  /** A segment was created below the tier where it belongs. */
  public synchronized void overflowed(final String partition) {
    if (topicsMax > 0) {
      ofNew(partition).overflowSegments.increment();
    }
  }

  private Topic ofNew(final String partition) {
    final String name = SegmentName.topic(partition);
    Topic topic = topics.get(name);
    if (topic == null && LEGAL.matcher(name).matches() && hasPlace()) {
      topic = new Topic(name, tiers);
      topics.put(name, topic);
    }
    return topic == null ? others : topic;
  }

  /** The counts for a partition: those of its topic, or those of the others. */
  public synchronized Topic of(final String partition) {
    return topics.getOrDefault(SegmentName.topic(partition), others);
  }

  /** True if there is a place for one more topic, or one that its topic needs no longer. */
  private boolean hasPlace() {
    if (topics.size() < topicsMax) {
      return true;
    }
    for (final Topic topic : topics.values()) {
      if (topic.openSegments == 0) {
        topics.remove(topic.name);
        others.takeOver(topic);
        return true;
      }
    }
    return false;
  }

  /** All topics that have counts of their own, in no order, and the others. */
  public synchronized List<Topic> all() {
    final List<Topic> all = new ArrayList<>(topics.values());
    all.add(others);
    return all;
  }
}
