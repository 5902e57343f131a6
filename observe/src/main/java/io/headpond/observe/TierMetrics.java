// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.pmem.Durability;
import io.headpond.store.StoreFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The metrics of the tiers and the log directories, of which there are several each. */
final class TierMetrics {
  private static final String V1 = "0.1.0";
  private static final String HOME = "home";

  private TierMetrics() {}

  static void addTo(final List<Metric<StoreFacts>> all) {
    all.add(
        new Metric<>(
            Bean.TIER,
            "info",
            "headpond_tier_info",
            Kind.GAUGE,
            Unit.NONE,
            List.of("tier", "type", "back_end", "durability", "file_system"),
            V1,
            "Always 1; its labels say how the tier is written to, and what a power cut does to it.",
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
                    .toList()));
    all.add(
        tier(
            "capacity-bytes",
            "headpond_tier_capacity_bytes",
            Unit.BYTES,
            "What Headpond may use in the tier.",
            StoreFacts.Tier::capacityBytes));
    all.add(
        tier(
            "used-bytes",
            "headpond_tier_used_bytes",
            Unit.BYTES,
            "What all files in the tier take, those of the recycle pool too.",
            StoreFacts.Tier::usedBytes));
    all.add(
        tier(
            "segment-bytes",
            "headpond_tier_segment_bytes",
            Unit.BYTES,
            "What segments take in the tier, with what is grown ahead of their ends; migration"
                + " compares it with the threshold.",
            StoreFacts.Tier::segmentBytes));
    all.add(
        tier(
            "quarantined-bytes",
            "headpond_tier_quarantined_bytes",
            Unit.BYTES,
            "What files take in the tier that no name leads to, until headpond.quarantine.grace is"
                + " over.",
            StoreFacts.Tier::quarantinedBytes));
    all.add(
        tier(
            "threshold-bytes",
            "headpond_tier_threshold_bytes",
            Unit.BYTES,
            "What migration steers the tier's segments to; -1: it leaves the tier alone.",
            StoreFacts.Tier::thresholdBytes));
    all.add(
        tier(
            "volatile",
            "headpond_tier_volatile",
            Unit.NONE,
            "1 if a power cut empties the tier, else 0.",
            tier -> tier.durability() == Durability.VOLATILE ? 1 : 0));
    all.add(
        tier(
            "failed-directories",
            "headpond_tier_failed_directories",
            Unit.NONE,
            "Directories of the tier whose device failed: nothing new is put there.",
            StoreFacts.Tier::failedDirectories));
    all.add(
        place(
            "sealed-segments",
            "headpond_tier_sealed_segments",
            Kind.GAUGE,
            Unit.NONE,
            "Segments there that aren't appended to any more.",
            StoreFacts.Contents::sealedSegments));
    all.add(
        place(
            "active-segments",
            "headpond_tier_active_segments",
            Kind.GAUGE,
            Unit.NONE,
            "Segments there that are the last of their log.",
            StoreFacts.Contents::activeSegments));
    all.add(
        place(
            "appended-bytes",
            "headpond_tier_appended_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "What the engine appended there.",
            StoreFacts.Contents::appendedBytes));
    all.add(
        place(
            "read-bytes",
            "headpond_tier_read_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "What the engine read there, or sent from there to a socket.",
            StoreFacts.Contents::readBytes));
    homes(all);
  }

  private static void homes(final List<Metric<StoreFacts>> all) {
    all.add(
        home(
            "size-bytes",
            "headpond_home_size_bytes",
            Unit.BYTES,
            "The size of the log directory's file system.",
            StoreFacts.Home::sizeBytes));
    all.add(
        home(
            "free-bytes",
            "headpond_home_free_bytes",
            Unit.BYTES,
            "What is free on the log directory's file system, as it was looked at last.",
            StoreFacts.Home::freeBytes));
    all.add(
        home(
            "reserve-bytes",
            "headpond_home_reserve_bytes",
            Unit.BYTES,
            "What is left to the engine's indexes and checkpoints (headpond.home.reserve).",
            StoreFacts.Home::reserveBytes));
    all.add(
        home(
            "reserve-touched",
            "headpond_home_reserve_touched",
            Unit.NONE,
            "1 if no more than the reserve is free, else 0.",
            home -> home.reserveTouched() ? 1 : 0));
    all.add(
        new Metric<>(
            Bean.HOME,
            "left-out",
            "headpond_home_left_out",
            Kind.GAUGE,
            Unit.NONE,
            List.of("log_dir"),
            V1,
            "1 if the log directory is left out until the next start (HP0117), else 0.",
            facts ->
                Stream.concat(
                        facts.homes().stream().map(home -> Sample.of(0, home.path().toString())),
                        facts.refusedHomes().stream()
                            .map(left -> Sample.of(1, left.path().toString())))
                    .toList()));
  }

  private static Metric<StoreFacts> tier(
      final String attribute,
      final String name,
      final Unit unit,
      final String description,
      final ToDoubleFunction<StoreFacts.Tier> value) {
    return new Metric<>(
        Bean.TIER,
        attribute,
        name,
        Kind.GAUGE,
        unit,
        List.of("tier"),
        V1,
        description,
        facts ->
            facts.tiers().stream()
                .map(tier -> Sample.of(value.applyAsDouble(tier), tier.name()))
                .toList());
  }

  /** Of the tiers, and of home. */
  private static Metric<StoreFacts> place(
      final String attribute,
      final String name,
      final Kind kind,
      final Unit unit,
      final String description,
      final ToDoubleFunction<StoreFacts.Contents> value) {
    return new Metric<>(
        Bean.TIER,
        attribute,
        name,
        kind,
        unit,
        List.of("tier"),
        V1,
        description,
        facts -> {
          final List<Sample> samples = new ArrayList<>();
          for (final StoreFacts.Tier tier : facts.tiers()) {
            samples.add(Sample.of(value.applyAsDouble(tier.contents()), tier.name()));
          }
          samples.add(Sample.of(value.applyAsDouble(facts.home()), HOME));
          return samples;
        });
  }

  private static Metric<StoreFacts> home(
      final String attribute,
      final String name,
      final Unit unit,
      final String description,
      final ToDoubleFunction<StoreFacts.Home> value) {
    return new Metric<>(
        Bean.HOME,
        attribute,
        name,
        Kind.GAUGE,
        unit,
        List.of("log_dir"),
        V1,
        description,
        facts ->
            facts.homes().stream()
                .map(home -> Sample.of(value.applyAsDouble(home), home.path().toString()))
                .toList());
  }

  private static String lower(final Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
