// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.TierConfig;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import io.headpond.store.tier.TopicCounters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the {@link StoreFacts.Topic}s: what the {@link TopicCounters} have counted, and what lies
 * where by the {@link Catalogue}. Looks at every segment that there is, a partition at a time. Any
 * thread.
 */
final class TopicSurvey {
  /** A topic's share of one place. */
  private static final class Use {
    private long segments;
    private long bytes;
  }

  private final TopicCounters topics;
  private final Catalogue catalogue;
  private final Namespace names;
  private final Tiers tiers;

  TopicSurvey(
      final TopicCounters topics,
      final Catalogue catalogue,
      final Namespace names,
      final Tiers tiers) {
    this.topics = topics;
    this.catalogue = catalogue;
    this.names = names;
    this.tiers = tiers;
  }

  /** By name, the others last; none if nothing is counted by topic. */
  List<StoreFacts.Topic> facts() {
    if (!topics.counted()) {
      return List.of();
    }
    final Map<TopicCounters.Topic, Map<String, Use>> uses = new HashMap<>();
    for (final Path partition : catalogue.partitions()) {
      final TopicCounters.Topic topic = topics.of(partition.getFileName().toString());
      look(partition, uses.computeIfAbsent(topic, any -> new HashMap<>()));
    }
    final List<StoreFacts.Topic> facts = new ArrayList<>();
    for (final TopicCounters.Topic topic : topics.all()) {
      facts.add(facts(topic, uses.getOrDefault(topic, Map.of())));
    }
    facts.sort(
        Comparator.comparing(
                (StoreFacts.Topic topic) -> topic.name().equals(StoreFacts.Topic.OTHERS))
            .thenComparing(StoreFacts.Topic::name));
    return List.copyOf(facts);
  }

  private void look(final Path partition, final Map<String, Use> uses) {
    final Map<String, Long> growing = new HashMap<>();
    final Map<String, Use> growingIn = new HashMap<>();
    catalogue.each(
        partition,
        (fileName, directory, bytes, active) -> {
          final Use use = uses.computeIfAbsent(TierDirectory.tierName(directory), any -> new Use());
          use.segments++;
          if (active) {
            growing.put(fileName, bytes);
            growingIn.put(fileName, use);
          } else {
            use.bytes += bytes;
          }
        });
    growing.forEach(
        (fileName, bytes) ->
            growingIn.get(fileName).bytes += bytes(partition.resolve(fileName), bytes));
  }

  /** The catalogue learns an active segment's length only when it is sealed or closed. */
  private long bytes(final Path name, final long knownBytes) {
    final long open = names.knownBytes(name);
    return open > 0 ? open : knownBytes;
  }

  private StoreFacts.Topic facts(final TopicCounters.Topic topic, final Map<String, Use> uses) {
    final List<StoreFacts.TopicPlace> places = new ArrayList<>();
    for (final TierConfig tier : tiers.configs()) {
      places.add(place(tier.name(), tier, topic, uses));
    }
    places.add(place(TierDirectory.tierName(null), null, topic, uses));
    return new StoreFacts.Topic(topic.name(), topic.overflowSegments(), List.copyOf(places));
  }

  private static StoreFacts.TopicPlace place(
      final String name,
      final TierConfig tier,
      final TopicCounters.Topic topic,
      final Map<String, Use> uses) {
    final Use use = uses.getOrDefault(name, new Use());
    return new StoreFacts.TopicPlace(
        name, use.segments, use.bytes, topic.appendedBytes(tier), topic.readBytes(tier));
  }
}
