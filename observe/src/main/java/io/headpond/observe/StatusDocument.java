// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Count.Area;
import io.headpond.store.facts.StoreFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The data of the live page, as JSON at {@code /api/status}; docs/monitoring.md describes it. Names
 * end with their unit; bytes a second are of the last ten seconds. Any thread.
 */
final class StatusDocument implements StatusJson {
  private final History history;
  private final StoreConfig config;

  StatusDocument(final History history, final StoreConfig config) {
    this.history = history;
    this.config = config;
  }

  @Override
  public String json(final long sinceMs) {
    final StoreFacts facts = history.now();
    final List<Forecast> forecasts = new ArrayList<>();
    facts.tiers().forEach(tier -> forecasts.add(forecast(tier)));
    final Map<String, Object> all = new LinkedHashMap<>();
    all.put("at_ms", facts.atMs());
    all.put("started_ms", facts.startedMs());
    all.put("pid", ProcessHandle.current().pid());
    all.put("engine_id", config.engineId().orElse(null));
    final List<Object> tiers = new ArrayList<>();
    for (int i = 0; i < facts.tiers().size(); i++) {
      tiers.add(tier(facts.tiers().get(i), forecasts.get(i)));
    }
    all.put("tiers", tiers);
    all.put(
        "home",
        contents(
            facts.home(),
            Math.round(history.perSecond(looked -> looked.home().appendedBytes())),
            Math.round(history.perSecond(looked -> looked.home().readBytes()))));
    all.put("topics", new TopicDocument(history).all(facts));
    all.put("log_dirs", facts.homes().stream().map(StatusDocument::home).toList());
    all.put(
        "log_dirs_left_out",
        facts.refusedHomes().stream()
            .map(left -> Map.of("path", left.path(), "reason", left.reason()))
            .toList());
    all.put("appends", appends(facts));
    all.put("migration", migration(facts));
    final Map<String, Object> files = new LinkedHashMap<>();
    counts(Area.FILES, facts, files);
    all.put("files", files);
    all.put("recovery", recovery(facts.recovery()));
    final Map<String, Object> incidents = new LinkedHashMap<>();
    facts.incidents().forEach((kind, count) -> incidents.put(kind.key(), count));
    all.put("incidents", incidents);
    all.put("events", facts.events().stream().map(StatusDocument::event).toList());
    final List<Alert> alerts = Alert.of(facts, forecasts, config);
    all.put("alerts", alerts.stream().map(Alert::json).toList());
    all.put("configuration", configuration(alerts).stream().map(Setting::json).toList());
    all.put("history", history(facts, sinceMs));
    return JsonText.of(all);
  }

  private Forecast forecast(final StoreFacts.Tier tier) {
    return Forecast.of(
        tier.segmentBytes(),
        tier.capacityBytes(),
        tier.thresholdBytes(),
        growth(tier, StoreFacts.Tier::segmentBytes),
        Duration.ofMillis(history.rateMs()));
  }

  /** A second's growth; one that came lately counts from zero. */
  private long growth(final StoreFacts.Tier tier, final ToLongFunction<StoreFacts.Tier> value) {
    return Math.round(
        history.perSecond(
            facts ->
                facts.tiers().stream()
                    .filter(each -> each.name().equals(tier.name()))
                    .mapToLong(value)
                    .sum()));
  }

  private Map<String, Object> tier(final StoreFacts.Tier tier, final Forecast forecast) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", tier.name());
    map.put("type", lower(tier.type()));
    map.put("back_end", tier.backEnd());
    map.put("durability", lower(tier.durability()));
    map.put("durability_reason", tier.durabilityReason());
    map.put("file_system", tier.fileSystem());
    map.put("paths", tier.paths());
    map.put("capacity_bytes", tier.capacityBytes());
    map.put("used_bytes", tier.usedBytes());
    map.put("segment_bytes", tier.segmentBytes());
    map.put("quarantined_bytes", tier.quarantinedBytes());
    map.put("threshold_bytes", tier.thresholdBytes() < 0 ? null : tier.thresholdBytes());
    map.put("failed_directories", tier.failedDirectories());
    map.put("standing", tier.standing().key());
    map.put("waits", tier.waits().isEmpty() ? null : tier.waits());
    map.put("segment_bytes_per_second", growth(tier, StoreFacts.Tier::segmentBytes));
    map.put("forecast", forecast.kind().key());
    map.put("forecast_ms", forecast.inMs());
    map.putAll(
        contents(
            tier.contents(),
            growth(tier, each -> each.contents().appendedBytes()),
            growth(tier, each -> each.contents().readBytes())));
    return map;
  }

  private Map<String, Object> contents(
      final StoreFacts.Contents contents,
      final long appendedBytesPerSecond,
      final long readBytesPerSecond) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("sealed_segments", contents.sealedSegments());
    map.put("active_segments", contents.activeSegments());
    map.put("appended_bytes", contents.appendedBytes());
    map.put("read_bytes", contents.readBytes());
    map.put("appended_bytes_per_second", appendedBytesPerSecond);
    map.put("read_bytes_per_second", readBytesPerSecond);
    return map;
  }

  private static Map<String, Object> home(final StoreFacts.Home home) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("path", home.path());
    map.put("size_bytes", home.sizeBytes());
    map.put("free_bytes", home.freeBytes());
    map.put("reserve_bytes", home.reserveBytes());
    map.put("reserve_touched", home.reserveTouched());
    map.put("ballast_bytes", home.ballastBytes());
    map.put("ballast_wanted_bytes", home.ballastWantedBytes());
    return map;
  }

  private Map<String, Object> appends(final StoreFacts facts) {
    final LatencyFigures latency = LatencyFigures.between(history.minuteAgo(), facts);
    final Map<String, Object> map = new LinkedHashMap<>();
    counts(Area.APPENDS, facts, map);
    map.put("per_second", history.perSecond(looked -> looked.count(Count.APPENDS)));
    map.put("bytes", facts.appendedBytes());
    map.put("bytes_per_second", Math.round(history.perSecond(StoreFacts::appendedBytes)));
    map.put("timed", latency.count());
    map.put("avg_ms", latency.avgMs());
    map.put("p50_ms", latency.p50Ms());
    map.put("p99_ms", latency.p99Ms());
    map.put("p999_ms", latency.p999Ms());
    map.put("max_ms", latency.maxMs());
    map.put("evacuation_stall_max_ms", facts.appends().evacuationStallMsMax());
    return map;
  }

  private static void counts(
      final Area area, final StoreFacts facts, final Map<String, Object> map) {
    facts
        .counts()
        .forEach(
            (count, value) -> {
              if (count.series().area() == area) {
                map.put(count.jsonKey(), value);
              }
            });
  }

  private Map<String, Object> migration(final StoreFacts facts) {
    final StoreFacts.Moves moves = facts.moves();
    final Map<String, Object> map = new LinkedHashMap<>();
    counts(Area.MIGRATION, facts, map);
    map.put("down_bytes_per_second", Math.round(history.perSecond(f -> f.count(Count.DOWN_BYTES))));
    map.put("up_bytes_per_second", Math.round(history.perSecond(f -> f.count(Count.UP_BYTES))));
    map.put("yielding", moves.yielding());
    map.put("blocked", moves.blocked().isEmpty() ? null : moves.blocked());
    final List<Object> running = new ArrayList<>();
    for (final StoreFacts.Move move : moves.running()) {
      final Map<String, Object> one = new LinkedHashMap<>();
      one.put("segment", move.segment());
      one.put("from", move.from());
      one.put("to", move.to());
      one.put("bytes", move.bytes());
      one.put("copied_bytes", move.copiedBytes());
      running.add(one);
    }
    map.put("running", running);
    return map;
  }

  private static Map<String, Object> recovery(final StoreFacts.Recovery recovery) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("duration_ms", recovery.nanos() / 1e6);
    map.put("links_checked", recovery.linksChecked());
    map.put("orphans", recovery.orphans());
    map.put("unfinished_moves", recovery.unfinishedMoves());
    return map;
  }

  private static Map<String, Object> event(final StoreFacts.Event event) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("at_ms", event.atMs());
    map.put("kind", event.kind().key());
    map.put("text", event.what());
    return map;
  }

  /** Every key with what holds, whether the operator said so, and what is wrong with it. */
  private List<Setting> configuration(final List<Alert> alerts) {
    final List<Setting> settings = new ArrayList<>();
    for (final ConfigKey<?> key : ConfigKey.ALL) {
      if (key.name().contains("NAME")) {
        config
            .tiers()
            .forEach(
                tier ->
                    settings.add(setting(key, key.name().replace("NAME", tier.name()), alerts)));
      } else {
        settings.add(setting(key, key.name(), alerts));
      }
    }
    doubt(Alert.PREALLOCATE, alerts)
        .ifPresent(
            doubt ->
                settings.add(
                    new Setting(
                        Alert.PREALLOCATE,
                        "true",
                        true,
                        "The engine's own: segments are created at their full size.",
                        Optional.of(doubt))));
    return settings;
  }

  private Setting setting(final ConfigKey<?> key, final String name, final List<Alert> alerts) {
    return Setting.of(key, name, config.given().get(name), doubt(name, alerts));
  }

  private static Optional<Setting.Doubt> doubt(final String key, final List<Alert> alerts) {
    return alerts.stream()
        .filter(alert -> alert.key().equals(key))
        .findFirst()
        .map(
            alert ->
                new Setting.Doubt(
                    alert.level() != Alert.Level.ADVICE, alert.text(), alert.remedy()));
  }

  private Map<String, Object> history(final StoreFacts facts, final long sinceMs) {
    final List<History.Point> points = history.since(sinceMs);
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("at_ms", points.stream().map(History.Point::atMs).toList());
    map.put("appended_bytes_per_second", whole(points, History.Point::appended));
    map.put("home_appended_bytes_per_second", whole(points, History.Point::home));
    map.put("read_bytes_per_second", whole(points, History.Point::read));
    map.put("down_bytes_per_second", whole(points, History.Point::down));
    map.put("up_bytes_per_second", whole(points, History.Point::up));
    map.put("p50_ms", latencies(points, LatencyFigures::p50Ms));
    map.put("p99_ms", latencies(points, LatencyFigures::p99Ms));
    map.put("max_ms", latencies(points, LatencyFigures::maxMs));
    final Map<String, Object> tiers = new LinkedHashMap<>();
    for (final StoreFacts.Tier tier : facts.tiers()) {
      tiers.put(
          tier.name(),
          points.stream().map(point -> point.tierBytes().getOrDefault(tier.name(), 0L)).toList());
    }
    map.put("tier_segment_bytes", tiers);
    return map;
  }

  private static List<Long> whole(
      final List<History.Point> points, final Function<History.Point, Double> figure) {
    return points.stream().map(point -> Math.round(figure.apply(point))).toList();
  }

  /** Null where nothing was timed. */
  private static List<Double> latencies(
      final List<History.Point> points, final Function<LatencyFigures, Double> figure) {
    return points.stream().map(point -> point.latency().rounded(figure)).toList();
  }

  private static String lower(final Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
