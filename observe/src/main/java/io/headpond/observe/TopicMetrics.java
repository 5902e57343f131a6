// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.observe.MetricGroup.Member;
import io.headpond.store.facts.StoreFacts;
import java.util.List;

/**
 * The metrics of the topics, of which there are as many as {@code headpond.metrics.topics} says.
 */
final class TopicMetrics {
  private static final String V1 = "0.1.0";

  private static final MetricGroup<StoreFacts, StoreFacts.TopicPlace> PLACES =
      new MetricGroup<>(
          Bean.TOPIC,
          List.of("topic", "tier"),
          V1,
          facts ->
              facts.topics().stream()
                  .flatMap(
                      topic ->
                          topic.places().stream()
                              .map(place -> new Member<>(place, topic.name(), place.tier()))));

  private TopicMetrics() {}

  static void addTo(final List<Metric<StoreFacts>> all) {
    all.add(
        PLACES.metric(
            "segments",
            "headpond_topic_segments",
            Kind.GAUGE,
            Unit.NONE,
            "Segments of the topic in the tier.",
            StoreFacts.TopicPlace::segments));
    all.add(
        PLACES.metric(
            "segment-bytes",
            "headpond_topic_segment_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Bytes of those segments, including space grown ahead of their ends.",
            StoreFacts.TopicPlace::bytes));
    all.add(
        PLACES.metric(
            "appended-bytes",
            "headpond_topic_appended_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes that the engine appended to the topic in the tier.",
            StoreFacts.TopicPlace::appendedBytes));
    all.add(
        PLACES.metric(
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
}
