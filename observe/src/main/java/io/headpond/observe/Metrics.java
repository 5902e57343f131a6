// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.MetricGroup.Member;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The table of a store's metrics. Their number is bounded: by 8 tiers, by the log directories, by
 * the kinds that code knows, and by headpond.metrics.topics. Nothing is counted by segment.
 */
public final class Metrics {
  private static final List<String> TIER = List.of("tier");
  private static final List<String> LOG_DIR = List.of("log-dir");

  /** In the order of the reference page. */
  public static final List<MetricGroup<StoreFacts, ?>> ALL =
      List.of(
          tiers(),
          places(),
          homes(),
          offline(),
          topics(),
          appends(),
          appendedBytes(),
          migration(),
          migrated(),
          incidents(),
          BackgroundMetrics.of(StoreFacts::background));

  private Metrics() {}

  private static MetricGroup<StoreFacts, StoreFacts.Tier> tiers() {
    return MetricGroup.<StoreFacts, StoreFacts.Tier>of(
            "Tier", TIER, facts -> facts.tiers().stream().map(t -> new Member<>(t, t.name())))
        .text(
            "durability",
            "The tier's protection: durable; ephemeral (instance storage of a cloud, gone with the"
                + " machine); unknown (nothing shows what an fsync makes durable there); emulated"
                + " (a device that imitates persistent memory); volatile (memory).",
            tier -> tier.durability().name().toLowerCase(Locale.ROOT))
        .gauge(
            "capacity-bytes",
            "Bytes that Headpond may use in the tier.",
            StoreFacts.Tier::capacityBytes)
        .gauge(
            "segment-bytes",
            "Bytes of segments in the tier, including space grown ahead of their ends. Migration"
                + " compares this with the threshold.",
            StoreFacts.Tier::segmentBytes)
        .gauge(
            "held-bytes",
            "Bytes of dropped files that the device still keeps, because the engine reads or maps"
                + " them. Before Java 22 a mapping ends with a garbage collection, which Headpond"
                + " asks for when this is more than what is free.",
            StoreFacts.Tier::heldBytes)
        .gauge(
            "threshold-bytes",
            "Bytes of segments that migration aims at; -1: migration leaves the tier alone.",
            StoreFacts.Tier::thresholdBytes)
        .gauge(
            "failed-directories",
            "Directories of the tier whose device failed. Nothing new is stored there.",
            StoreFacts.Tier::failedDirectories)
        .gauge(
            "draining",
            "1 if headpond.tier.NAME.draining empties the tier, else 0. Nothing new is stored there.",
            tier -> tier.draining() ? 1 : 0);
  }

  /** The contents of the tiers, and of home. */
  private static MetricGroup<StoreFacts, StoreFacts.Contents> places() {
    return MetricGroup.<StoreFacts, StoreFacts.Contents>of(
            "Tier",
            TIER,
            facts ->
                Stream.concat(
                    facts.tiers().stream().map(t -> new Member<>(t.contents(), t.name())),
                    Stream.of(new Member<>(facts.home(), "home"))))
        .gauge(
            "segments",
            "Segments in the tier, or at home.",
            place -> place.sealedSegments() + place.activeSegments())
        .counter(
            "appended-bytes-total",
            "Bytes that the engine appended.",
            StoreFacts.Contents::appendedBytes)
        .counter(
            "read-bytes-total",
            "Bytes that the engine read, or sent to a socket.",
            StoreFacts.Contents::readBytes);
  }

  private static MetricGroup<StoreFacts, StoreFacts.Home> homes() {
    return MetricGroup.<StoreFacts, StoreFacts.Home>of(
            "Home",
            LOG_DIR,
            facts -> facts.homes().stream().map(h -> new Member<>(h, h.path().toString())))
        .gauge(
            "free-bytes",
            "Free bytes on the log directory's file system, measured once a second.",
            StoreFacts.Home::freeBytes)
        .gauge(
            "reserve-bytes",
            "Bytes kept free for the engine's indexes and checkpoints (headpond.home.reserve).",
            StoreFacts.Home::reserveBytes);
  }

  private static MetricGroup<StoreFacts, Boolean> offline() {
    return MetricGroup.<StoreFacts, Boolean>of(
            "Home",
            LOG_DIR,
            facts ->
                Stream.concat(
                    facts.homes().stream().map(h -> new Member<>(false, h.path().toString())),
                    facts.refusedHomes().stream().map(p -> new Member<>(true, p.toString()))))
        .gauge(
            "offline",
            "1 if the log directory is offline until the next start (HP0117), else 0.",
            offline -> offline ? 1 : 0);
  }

  private static MetricGroup<StoreFacts, StoreFacts.TopicPlace> topics() {
    return MetricGroup.<StoreFacts, StoreFacts.TopicPlace>of(
            "Topic",
            List.of("topic", "tier"),
            facts ->
                facts.topics().stream()
                    .flatMap(
                        topic ->
                            topic.places().stream()
                                .map(place -> new Member<>(place, topic.name(), place.tier()))))
        .gauge("segments", "Segments of the topic in the tier.", StoreFacts.TopicPlace::segments)
        .gauge(
            "segment-bytes",
            "Bytes of those segments, including space grown ahead of their ends.",
            StoreFacts.TopicPlace::bytes)
        .counter(
            "appended-bytes-total",
            "Bytes that the engine appended to the topic in the tier.",
            StoreFacts.TopicPlace::appendedBytes)
        .counter(
            "read-bytes-total",
            "Bytes of the topic that the engine read from the tier, or sent from it to a socket.",
            StoreFacts.TopicPlace::readBytes);
  }

  private static MetricGroup<StoreFacts, StoreFacts> appends() {
    return MetricGroup.<StoreFacts, StoreFacts>single("Append", facts -> facts)
        .counter(
            "writes-total",
            "Writes of the engine to segments.",
            facts -> facts.count(Count.APPENDS))
        .times(
            "time-ms",
            "Duration of writes to segments, including the wait for the segment's lock. One write"
                + " in "
                + StoreFacts.Appends.SAMPLE
                + " is timed.",
            facts -> new Times(facts.appends().sampledNanos(), facts.appends().sampledAllNanos()))
        .counter(
            "run-ahead-misses-total",
            "Appends that waited for their file to grow.",
            facts -> facts.count(Count.RUN_AHEAD_MISSES))
        .counter(
            "overflow-segments-total",
            "Segments created in a lower place because their tier had no room.",
            facts -> facts.count(Count.OVERFLOW_SEGMENTS))
        .counter(
            "evacuated-segments-total",
            "Segments moved during an append because their device was full or failed.",
            facts -> facts.count(Count.EVACUATED_SEGMENTS));
  }

  private static MetricGroup<StoreFacts, Long> appendedBytes() {
    return MetricGroup.<StoreFacts, Long>of(
            "Append",
            List.of("durability"),
            facts ->
                Count.APPENDED.stream()
                    .map(each -> new Member<>(facts.count(each), each.lastWord())))
        .counter(
            "bytes-total",
            "Appended bytes, by their protection when the write returned: as a tier's durability;"
                + " or unforced (page cache).",
            bytes -> bytes);
  }

  private static MetricGroup<StoreFacts, StoreFacts> migration() {
    return MetricGroup.<StoreFacts, StoreFacts>single("Migration", facts -> facts)
        .counter(
            "failures-total",
            "Moves that failed. The segment stayed in its place.",
            facts -> facts.count(Count.MIGRATION_FAILURES))
        .gauge("running", "Moves in progress.", facts -> facts.moves().running())
        .gauge(
            "yielding",
            "1 while migration slows down for the sake of appends, else 0.",
            facts -> facts.moves().yielding() ? 1 : 0)
        .gauge(
            "blocked",
            "1 while a tier is above its threshold and no lower place has room, else 0.",
            facts -> facts.moves().blocked().isEmpty() ? 0 : 1);
  }

  private static MetricGroup<StoreFacts, Long> migrated() {
    return MetricGroup.<StoreFacts, Long>of(
            "Migration",
            List.of("direction"),
            facts ->
                Stream.of(
                    new Member<>(facts.count(Count.DOWN_BYTES), "down"),
                    new Member<>(facts.count(Count.UP_BYTES), "up")))
        .counter(
            "bytes-total",
            "Bytes of segments moved down to a slower place, or up to a faster one.",
            bytes -> bytes);
  }

  private static MetricGroup<StoreFacts, Long> incidents() {
    return MetricGroup.<StoreFacts, Long>of(
            "Incident",
            List.of("kind"),
            facts ->
                facts.incidents().entrySet().stream()
                    .map(each -> new Member<>(each.getValue(), each.getKey().key())))
        .counter(
            "events-total",
            "Events that may need an operator, by kind. The engine's log has each.",
            events -> events);
  }
}
