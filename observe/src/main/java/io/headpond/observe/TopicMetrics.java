// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.store.StoreFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of the topics, of which there are as many as {@code headpond.metrics.topics} says.
 */
final class TopicMetrics {
  private static final String V1 = "0.1.0";

  private TopicMetrics() {}

  static void addTo(final List<Metric<StoreFacts>> all) {
    all.add(
        place(
            "segments",
            "headpond_topic_segments",
            Kind.GAUGE,
            Unit.NONE,
            "Segments of the topic in the tier.",
            StoreFacts.TopicPlace::segments));
    all.add(
        place(
            "segment-bytes",
            "headpond_topic_segment_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Bytes of those segments, including space grown ahead of their ends.",
            StoreFacts.TopicPlace::bytes));
    all.add(
        place(
            "appended-bytes",
            "headpond_topic_appended_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes that the engine appended to the topic in the tier.",
            StoreFacts.TopicPlace::appendedBytes));
    all.add(
        place(
            "read-bytes",
            "headpond_topic_read_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes of the topic that the engine read from the tier, or sent from it to a socket.",
            StoreFacts.TopicPlace::readBytes));
    all.add(
        new Metric<>(
            Bean.TOPIC,
            "overflow-segments",
            "headpond_topic_overflow_segments",
            Kind.COUNTER,
            Unit.NONE,
            List.of("topic"),
            V1,
            "Segments of the topic created in a lower place because their tier had no room.",
            facts ->
                facts.topics().stream()
                    .map(topic -> Sample.of(topic.overflowSegments(), topic.name()))
                    .toList()));
  }

  private static Metric<StoreFacts> place(
      final String attribute,
      final String name,
      final Kind kind,
      final Unit unit,
      final String description,
      final ToDoubleFunction<StoreFacts.TopicPlace> value) {
    return new Metric<>(
        Bean.TOPIC,
        attribute,
        name,
        kind,
        unit,
        List.of("topic", "tier"),
        V1,
        description,
        facts -> {
          final List<Sample> samples = new ArrayList<>();
          for (final StoreFacts.Topic topic : facts.topics()) {
            for (final StoreFacts.TopicPlace place : topic.places()) {
              samples.add(Sample.of(value.applyAsDouble(place), topic.name(), place.tier()));
            }
          }
          return samples;
        });
  }
}
