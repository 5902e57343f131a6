// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Count.Area;
import io.headpond.store.facts.StoreFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The table of a store's metrics. Their number is bounded: by 8 tiers, by the log directories, by
 * the kinds that code knows, and by as many topics as were asked for; nothing is counted by
 * segment.
 */
public final class Metrics {
  private static final String V1 = "0.1.0";
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  /** In the order of the reference page. */
  public static final List<Metric<StoreFacts>> ALL = all();

  private Metrics() {}

  private static List<Metric<StoreFacts>> all() {
    final List<Metric<StoreFacts>> all = new ArrayList<>();
    TierMetrics.addTo(all);
    TopicMetrics.addTo(all);
    appends(all);
    migration(all);
    recovery(all);
    rest(all);
    return List.copyOf(all);
  }

  /** One for each series, in the order of their declaration. */
  private static void counts(final Area area, final Bean bean, final List<Metric<StoreFacts>> all) {
    final Map<Count.Series, List<Count>> counts = new LinkedHashMap<>();
    for (final Count each : Count.values()) {
      if (each.series().area() == area) {
        counts.computeIfAbsent(each.series(), series -> new ArrayList<>()).add(each);
      }
    }
    counts.forEach((series, of) -> all.add(counter(bean, series, of)));
  }

  private static Metric<StoreFacts> counter(
      final Bean bean, final Count.Series series, final List<Count> counts) {
    return new Metric<>(
        bean,
        series.attribute(),
        series.metric(),
        Kind.COUNTER,
        series.metric().endsWith("_bytes") ? Unit.BYTES : Unit.NONE,
        series.label().isEmpty() ? List.of() : List.of(series.label()),
        series.since(),
        series.description(),
        facts -> counts.stream().map(count -> sample(count, facts)).toList());
  }

  private static Sample sample(final Count count, final StoreFacts facts) {
    final String label = count.labelValue();
    return label.isEmpty() ? Sample.of(facts.count(count)) : Sample.of(facts.count(count), label);
  }

  private static void appends(final List<Metric<StoreFacts>> all) {
    counts(Area.APPENDS, Bean.APPEND, all);
    all.add(
        new Metric<>(
            Bean.APPEND,
            "time-ms",
            "headpond_append_duration_seconds",
            Kind.HISTOGRAM,
            Unit.SECONDS,
            List.of(),
            V1,
            "Duration of writes to segments, including the wait for the segment's lock. Only one"
                + " write in "
                + StoreFacts.Appends.SAMPLE
                + " is timed, so the count is lower than that of all appends.",
            facts ->
                List.of(
                    new Sample(
                        List.of(),
                        facts.appends().sampledAllNanos() / NANOS,
                        facts.appends().sampledNanos()))));
    all.add(
        gauge(
            Bean.APPEND,
            "evacuation-stall-max-seconds",
            "headpond_evacuation_stall_max_seconds",
            Unit.SECONDS,
            "Longest wait of an append for such a move since the start.",
            facts -> facts.appends().evacuationStallMsMax() / MILLIS));
  }

  private static void migration(final List<Metric<StoreFacts>> all) {
    counts(Area.MIGRATION, Bean.MIGRATION, all);
    all.add(
        gauge(
            Bean.MIGRATION,
            "running",
            "headpond_migrations_running",
            Unit.NONE,
            "Moves in progress.",
            facts -> facts.moves().running().size()));
    all.add(
        gauge(
            Bean.MIGRATION,
            "yielding",
            "headpond_migration_yielding",
            Unit.NONE,
            "1 while migration slows down for the sake of appends, else 0.",
            facts -> facts.moves().yielding() ? 1 : 0));
    all.add(
        gauge(
            Bean.MIGRATION,
            "blocked",
            "headpond_migration_blocked",
            Unit.NONE,
            "1 while a tier is above its threshold and no lower place has room, else 0.",
            facts -> facts.moves().blocked().isEmpty() ? 0 : 1));
  }

  private static void recovery(final List<Metric<StoreFacts>> all) {
    all.add(
        gauge(
            Bean.RECOVERY,
            "duration-seconds",
            "headpond_recovery_duration_seconds",
            Unit.SECONDS,
            "Duration of the check of tiers and log directories at the start.",
            facts -> facts.recovery().nanos() / NANOS));
    all.add(
        gauge(
            Bean.RECOVERY,
            "links-checked",
            "headpond_recovery_links_checked",
            Unit.NONE,
            "Segments found in a tier at the start.",
            facts -> facts.recovery().linksChecked()));
    all.add(
        gauge(
            Bean.RECOVERY,
            "orphans",
            "headpond_recovery_orphans",
            Unit.NONE,
            "Tier files without a name, moved to quarantine at the start.",
            facts -> facts.recovery().orphans()));
    all.add(
        gauge(
            Bean.RECOVERY,
            "unfinished-moves",
            "headpond_recovery_unfinished_moves",
            Unit.NONE,
            "Incomplete copies of interrupted moves, removed at the start.",
            facts -> facts.recovery().unfinishedMoves()));
  }

  private static void rest(final List<Metric<StoreFacts>> all) {
    all.add(
        new Metric<>(
            Bean.INCIDENTS,
            "incidents",
            "headpond_incidents",
            Kind.COUNTER,
            Unit.NONE,
            List.of("kind"),
            V1,
            "Incidents that may need an operator, by kind. The live page shows the latest ones.",
            facts ->
                facts.incidents().entrySet().stream()
                    .map(entry -> Sample.of(entry.getValue(), entry.getKey().key()))
                    .toList()));
    counts(Area.FILES, Bean.PLUGIN, all);
    BackgroundMetrics.addTo(all, StoreFacts::background);
    all.add(
        gauge(
            Bean.PLUGIN,
            "start-time-seconds",
            "headpond_start_time_seconds",
            Unit.SECONDS,
            "Time of the start, seconds since 1970. Counters begin at 0 at this time.",
            facts -> facts.startedMs() / MILLIS));
  }

  private static Metric<StoreFacts> gauge(
      final Bean bean,
      final String attribute,
      final String name,
      final Unit unit,
      final String description,
      final ToDoubleFunction<StoreFacts> value) {
    return single(bean, attribute, name, Kind.GAUGE, unit, description, value);
  }

  private static Metric<StoreFacts> single(
      final Bean bean,
      final String attribute,
      final String name,
      final Kind kind,
      final Unit unit,
      final String description,
      final ToDoubleFunction<StoreFacts> value) {
    final Function<StoreFacts, List<Sample>> reader =
        facts -> List.of(Sample.of(value.applyAsDouble(facts)));
    return new Metric<>(bean, attribute, name, kind, unit, List.of(), V1, description, reader);
  }
}
