// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.Alert;
import io.headpond.observe.Forecast;
import io.headpond.observe.JsonText;
import io.headpond.observe.LatencyFigures;
import io.headpond.observe.Setting;
import io.headpond.observe.StatusJson;
import io.headpond.pmem.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The JSON at {@code /api/status} that a bookie's live page shows; docs/monitoring.md describes it.
 * Names end with their unit. Rates are of the last ten seconds, latencies of the last minute. Any
 * thread.
 */
final class BookieStatusDocument implements StatusJson {
  private final BookieHistory history;

  BookieStatusDocument(final BookieHistory history) {
    this.history = history;
  }

  @Override
  public String json(final long sinceMs) {
    final BookieFacts facts = history.now();
    final BookieFacts minuteAgo = history.minuteAgo();
    final Map<String, Object> all = new LinkedHashMap<>();
    all.put("at_ms", facts.atMs());
    all.put("started_ms", facts.startedMs());
    all.put("pid", ProcessHandle.current().pid());
    all.put("journals", facts.journals().stream().map(each -> journal(each, minuteAgo)).toList());
    final List<Forecast> forecasts = facts.entryLogs().stream().map(this::forecast).toList();
    final List<Object> entryLogs = new ArrayList<>();
    for (int i = 0; i < forecasts.size(); i++) {
      entryLogs.add(entryLogs(facts.entryLogs().get(i), forecasts.get(i)));
    }
    all.put("entry_logs", entryLogs);
    final Map<String, Object> appends = new LinkedHashMap<>();
    appends.put("bytes_per_second", Math.round(history.perSecond(BookieHistory::appendedBytes)));
    appends.put("per_second", history.perSecond(BookieHistory::appends));
    latency(
        appends,
        "",
        BookieHistory.latency(
            minuteAgo.journals(), facts.journals(), BookieFacts.Journal::appendTimes));
    latency(
        appends,
        "force_",
        BookieHistory.latency(
            minuteAgo.journals(), facts.journals(), BookieFacts.Journal::forceTimes));
    all.put("appends", appends);
    all.put("alerts", BookieAlerts.of(facts, minuteAgo).stream().map(Alert::json).toList());
    all.put("configuration", facts.configuration().stream().map(Setting::json).toList());
    all.put("history", history(facts, sinceMs));
    return JsonText.of(all);
  }

  private Map<String, Object> journal(
      final BookieFacts.Journal journal, final BookieFacts minuteAgo) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("path", journal.path());
    map.put("back_end", journal.backEnd());
    map.put("durability", lower(journal.durability()));
    map.put("file_system", journal.fileSystem());
    map.put("size_bytes", journal.sizeBytes());
    map.put("free_bytes", journal.freeBytes());
    map.put("appends", journal.appends());
    map.put("appended_bytes", journal.appendedBytes());
    map.put(
        "appended_bytes_per_second", perSecond(journal.path(), BookieFacts.Journal::appendedBytes));
    final List<BookieFacts.Journal> before =
        minuteAgo.journals().stream().filter(j -> j.path().equals(journal.path())).toList();
    latency(
        map, "", BookieHistory.latency(before, List.of(journal), BookieFacts.Journal::appendTimes));
    latency(
        map,
        "force_",
        BookieHistory.latency(before, List.of(journal), BookieFacts.Journal::forceTimes));
    map.put("run_ahead_misses", journal.runAheadMisses());
    map.put("files", journal.files());
    map.put("reused_files", journal.reusedFiles());
    map.put("zeroed_bytes", journal.zeroedBytes());
    map.put("zeroed_ahead_bytes", journal.zeroedAheadBytes());
    map.put("failures", journal.failures());
    return map;
  }

  private long perSecond(final String path, final ToDoubleFunction<BookieFacts.Journal> value) {
    return Math.round(
        history.perSecond(
            facts ->
                facts.journals().stream()
                    .filter(journal -> journal.path().equals(path))
                    .mapToDouble(value)
                    .sum()));
  }

  private static void latency(
      final Map<String, Object> map, final String prefix, final LatencyFigures figures) {
    map.put(prefix + "timed", figures.count());
    map.put(prefix + "avg_ms", figures.avgMs());
    map.put(prefix + "p50_ms", figures.p50Ms());
    map.put(prefix + "p99_ms", figures.p99Ms());
    map.put(prefix + "p999_ms", figures.p999Ms());
    map.put(prefix + "max_ms", figures.maxMs());
  }

  private Forecast forecast(final BookieFacts.EntryLogs logs) {
    return logs.usedBytes() < 0
        ? new Forecast(Forecast.Kind.STEADY, null)
        : Forecast.of(
            logs.usedBytes(),
            logs.capacityBytes(),
            logs.thresholdBytes(),
            growth(logs),
            Duration.ofMillis(history.rateMs()));
  }

  private long growth(final BookieFacts.EntryLogs logs) {
    return perSecondOf(logs.path(), BookieFacts.EntryLogs::usedBytes);
  }

  private long perSecondOf(final String path, final ToDoubleFunction<BookieFacts.EntryLogs> value) {
    return Math.round(
        history.perSecond(
            facts ->
                facts.entryLogs().stream()
                    .filter(logs -> logs.path().equals(path))
                    .mapToDouble(value)
                    .sum()));
  }

  private Map<String, Object> entryLogs(final BookieFacts.EntryLogs logs, final Forecast forecast) {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("path", logs.path());
    map.put("fast_path", logs.fast());
    map.put("durability", lower(logs.durability()));
    map.put("file_system", logs.fileSystem());
    map.put("capacity_bytes", logs.capacityBytes());
    map.put("threshold_bytes", logs.thresholdBytes() < 0 ? null : logs.thresholdBytes());
    map.put("used_bytes", logs.usedBytes());
    map.put("used_bytes_per_second", growth(logs));
    map.put("forecast", forecast.kind().key());
    map.put("forecast_ms", forecast.inMs());
    map.put("fast_logs", logs.fastLogs());
    map.put("moved_logs", logs.movedLogs());
    map.put("moved_bytes", logs.movedBytes());
    map.put("moved_bytes_per_second", perSecondOf(logs.path(), BookieFacts.EntryLogs::movedBytes));
    map.put("overflow_logs", logs.overflowLogs());
    map.put("migration_blocked", logs.migrationBlocked());
    map.put("home_size_bytes", logs.home().sizeBytes());
    map.put("home_free_bytes", logs.home().freeBytes());
    map.put("home_ballast_bytes", logs.home().ballastBytes());
    map.put("home_spent", logs.home().spent());
    map.put("writes_failed", logs.writesFailed());
    return map;
  }

  private Map<String, Object> history(final BookieFacts facts, final long sinceMs) {
    final List<BookieHistory.Point> points = history.since(sinceMs);
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("at_ms", points.stream().map(BookieHistory.Point::atMs).toList());
    map.put(
        "appended_bytes_per_second",
        points.stream().map(point -> Math.round(point.appended())).toList());
    map.put(
        "moved_bytes_per_second", points.stream().map(point -> Math.round(point.moved())).toList());
    map.put("p50_ms", latencies(points, BookieHistory.Point::appends, LatencyFigures::p50Ms));
    map.put("p99_ms", latencies(points, BookieHistory.Point::appends, LatencyFigures::p99Ms));
    map.put("max_ms", latencies(points, BookieHistory.Point::appends, LatencyFigures::maxMs));
    map.put("force_p99_ms", latencies(points, BookieHistory.Point::forces, LatencyFigures::p99Ms));
    final Map<String, Object> used = new LinkedHashMap<>();
    for (int i = 0; i < facts.entryLogs().size(); i++) {
      final int index = i;
      used.put(
          facts.entryLogs().get(i).path(),
          points.stream()
              .map(point -> index < point.usedBytes().length ? point.usedBytes()[index] : null)
              .toList());
    }
    map.put("fast_used_bytes", used);
    return map;
  }

  private static List<Double> latencies(
      final List<BookieHistory.Point> points,
      final Function<BookieHistory.Point, LatencyFigures> which,
      final Function<LatencyFigures, Double> figure) {
    return points.stream().map(point -> which.apply(point).rounded(figure)).toList();
  }

  private static String lower(final Durability durability) {
    return durability.name().toLowerCase(Locale.ROOT);
  }
}
