// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.observe.MetricGroup.Member;
import io.headpond.pmem.Durability;
import io.headpond.store.facts.StoreFacts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The metrics of the tiers and the log directories, of which there are several each. */
final class TierMetrics {
  private static final String V1 = "0.1.0";
  private static final String V2 = "0.2.0";
  private static final String HOME = "home";

  private static final MetricGroup<StoreFacts, StoreFacts.Tier> TIERS =
      new MetricGroup<>(
          Bean.TIER,
          List.of("tier"),
          V1,
          facts -> facts.tiers().stream().map(tier -> new Member<>(tier, tier.name())));

  /** The contents of the tiers, and of home. */
  private static final MetricGroup<StoreFacts, StoreFacts.Contents> PLACES =
      new MetricGroup<>(
          Bean.TIER,
          List.of("tier"),
          V1,
          facts ->
              Stream.concat(
                  facts.tiers().stream().map(tier -> new Member<>(tier.contents(), tier.name())),
                  Stream.of(new Member<>(facts.home(), HOME))));

  private static final MetricGroup<StoreFacts, StoreFacts.Home> HOMES =
      new MetricGroup<>(
          Bean.HOME,
          List.of("log_dir"),
          V1,
          facts -> facts.homes().stream().map(home -> new Member<>(home, home.path().toString())));

  private TierMetrics() {}

  static void addTo(final List<Metric<StoreFacts>> all) {
    all.add(info());
    sizes(all);
    states(all);
    contents(all);
    homes(all);
  }

  private static Metric<StoreFacts> info() {
    return new Metric<>(
        Bean.TIER,
        "info",
        "headpond_tier_info",
        Kind.GAUGE,
        Unit.NONE,
        List.of("tier", "type", "back_end", "durability", "file_system"),
        V1,
        "Always 1. The labels name how the tier is written and whether its content survives a"
            + " power cut.",
        facts ->
            facts.tiers().stream()
                .map(
                    tier ->
                        Sample.of(
                            1,
                            tier.name(),
                            lower(tier.type()),
                            tier.backEnd(),
                            lower(tier.durability()),
                            tier.fileSystem()))
                .toList());
  }

  private static void sizes(final List<Metric<StoreFacts>> all) {
    all.add(
        TIERS.gauge(
            "capacity-bytes",
            "headpond_tier_capacity_bytes",
            Unit.BYTES,
            "Bytes that Headpond may use in the tier.",
            StoreFacts.Tier::capacityBytes));
    all.add(
        TIERS.gauge(
            "used-bytes",
            "headpond_tier_used_bytes",
            Unit.BYTES,
            "Bytes of all files in the tier, including the recycle pool.",
            StoreFacts.Tier::usedBytes));
    all.add(
        TIERS.gauge(
            "segment-bytes",
            "headpond_tier_segment_bytes",
            Unit.BYTES,
            "Bytes of segments in the tier, including space grown ahead of their ends. Migration"
                + " compares this with the threshold.",
            StoreFacts.Tier::segmentBytes));
    all.add(
        TIERS.gauge(
            "quarantined-bytes",
            "headpond_tier_quarantined_bytes",
            Unit.BYTES,
            "Bytes of files in quarantine: no name leads to them. They are deleted after 7 days.",
            StoreFacts.Tier::quarantinedBytes));
    all.add(
        TIERS.gauge(
            "threshold-bytes",
            "headpond_tier_threshold_bytes",
            Unit.BYTES,
            "Bytes of segments that migration aims at; -1: migration leaves the tier alone.",
            StoreFacts.Tier::thresholdBytes));
  }

  private static void states(final List<Metric<StoreFacts>> all) {
    all.add(
        TIERS.gauge(
            "volatile",
            "headpond_tier_volatile",
            Unit.NONE,
            "1 if a power cut empties the tier, else 0.",
            tier -> tier.durability() == Durability.VOLATILE ? 1 : 0));
    all.add(
        TIERS.gauge(
            "failed-directories",
            "headpond_tier_failed_directories",
            Unit.NONE,
            "Directories of the tier whose device failed. Nothing new is stored there.",
            StoreFacts.Tier::failedDirectories));
    all.add(
        TIERS
            .since(V2)
            .gauge(
                "leaving",
                "headpond_tier_leaving",
                Unit.NONE,
                "1 while an operator's removal empties the tier, else 0. Nothing new is stored there.",
                tier -> tier.standing() == StoreFacts.Standing.LEAVING ? 1 : 0));
    all.add(
        TIERS
            .since(V2)
            .gauge(
                "removed",
                "headpond_tier_removed",
                Unit.NONE,
                "1 if the tier was removed and isn't used until the next start, else 0.",
                tier -> tier.standing() == StoreFacts.Standing.REMOVED ? 1 : 0));
  }

  private static void contents(final List<Metric<StoreFacts>> all) {
    all.add(
        PLACES.metric(
            "sealed-segments",
            "headpond_tier_sealed_segments",
            Kind.GAUGE,
            Unit.NONE,
            "Segments that receive no more appends.",
            StoreFacts.Contents::sealedSegments));
    all.add(
        PLACES.metric(
            "active-segments",
            "headpond_tier_active_segments",
            Kind.GAUGE,
            Unit.NONE,
            "Segments that are the last of their log.",
            StoreFacts.Contents::activeSegments));
    all.add(
        PLACES.metric(
            "appended-bytes",
            "headpond_tier_appended_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes that the engine appended.",
            StoreFacts.Contents::appendedBytes));
    all.add(
        PLACES.metric(
            "read-bytes",
            "headpond_tier_read_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes that the engine read, or sent to a socket.",
            StoreFacts.Contents::readBytes));
  }

  private static void homes(final List<Metric<StoreFacts>> all) {
    all.add(
        HOMES.gauge(
            "size-bytes",
            "headpond_home_size_bytes",
            Unit.BYTES,
            "The size of the log directory's file system.",
            StoreFacts.Home::sizeBytes));
    all.add(
        HOMES.gauge(
            "free-bytes",
            "headpond_home_free_bytes",
            Unit.BYTES,
            "Free bytes on the log directory's file system, measured once a second.",
            StoreFacts.Home::freeBytes));
    all.add(
        HOMES.gauge(
            "reserve-bytes",
            "headpond_home_reserve_bytes",
            Unit.BYTES,
            "Bytes kept free for the engine's indexes and checkpoints (headpond.home.reserve).",
            StoreFacts.Home::reserveBytes));
    all.add(
        HOMES.gauge(
            "reserve-touched",
            "headpond_home_reserve_touched",
            Unit.NONE,
            "1 if free space is at or below the reserve, else 0.",
            home -> home.reserveTouched() ? 1 : 0));
    all.add(
        HOMES
            .since(V2)
            .gauge(
                "ballast-bytes",
                "headpond_home_ballast_bytes",
                Unit.BYTES,
                "Bytes that can be given back to the engine's own files when home is full.",
                StoreFacts.Home::ballastBytes));
    all.add(
        HOMES
            .since(V2)
            .gauge(
                "ballast-wanted-bytes",
                "headpond_home_ballast_wanted_bytes",
                Unit.BYTES,
                "The ballast when nothing was given back (headpond.home.ballast).",
                StoreFacts.Home::ballastWantedBytes));
    all.add(leftOut());
  }

  private static Metric<StoreFacts> leftOut() {
    return new Metric<>(
        Bean.HOME,
        "left-out",
        "headpond_home_left_out",
        Kind.GAUGE,
        Unit.NONE,
        List.of("log_dir"),
        V1,
        "1 if the log directory is offline until the next start (HP0117), else 0.",
        facts ->
            Stream.concat(
                    facts.homes().stream().map(home -> Sample.of(0, home.path().toString())),
                    facts.refusedHomes().stream().map(left -> Sample.of(1, left.path().toString())))
                .toList());
  }

  private static String lower(final Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
