// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.StoreFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The topics in the {@link StatusDocument}: none unless they are counted. Any thread. */
final class TopicDocument {
  private final History history;
  private final Map<String, StoreFacts.TopicPlace> first;
  private final Map<String, StoreFacts.TopicPlace> last;

  TopicDocument(final History history) {
    this.history = history;
    first = places(history.tenSecondsAgo());
    last = places(history.last());
  }

  private static Map<String, StoreFacts.TopicPlace> places(final StoreFacts facts) {
    final Map<String, StoreFacts.TopicPlace> places = new HashMap<>();
    if (facts != null) {
      for (final StoreFacts.Topic topic : facts.topics()) {
        topic.places().forEach(place -> places.put(key(topic, place), place));
      }
    }
    return places;
  }

  /** No topic's name has a slash. */
  private static String key(final StoreFacts.Topic topic, final StoreFacts.TopicPlace place) {
    return topic.name() + "/" + place.tier();
  }

  List<Object> all(final StoreFacts facts) {
    final List<Object> topics = new ArrayList<>();
    for (final StoreFacts.Topic topic : facts.topics()) {
      final Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", topic.name());
      map.put("overflow_segments", topic.overflowSegments());
      final List<Object> places = new ArrayList<>();
      topic.places().forEach(place -> places.add(place(place, key(topic, place))));
      map.put("places", places);
      topics.add(map);
    }
    return topics;
  }

  private Map<String, Object> place(final StoreFacts.TopicPlace place, final String key) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("tier", place.tier());
    map.put("segments", place.segments());
    map.put("bytes", place.bytes());
    map.put("appended_bytes", place.appendedBytes());
    map.put("read_bytes", place.readBytes());
    map.put("appended_bytes_per_second", perSecond(key, StoreFacts.TopicPlace::appendedBytes));
    map.put("read_bytes_per_second", perSecond(key, StoreFacts.TopicPlace::readBytes));
    return map;
  }

  /** A topic that wasn't counted before counts from zero; one that gave its place up, again. */
  private long perSecond(final String key, final ToLongFunction<StoreFacts.TopicPlace> counter) {
    final StoreFacts.TopicPlace from = first.get(key);
    final StoreFacts.TopicPlace to = last.get(key);
    final long ms = history.rateMs();
    if (to == null || ms <= 0) {
      return 0;
    }
    final long grown = counter.applyAsLong(to) - (from == null ? 0 : counter.applyAsLong(from));
    return Math.round(Math.max(0, grown) * 1e3 / ms);
  }
}
