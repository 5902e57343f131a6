// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.pmem.Durability;
import io.headpond.pmem.RunAhead;
import io.headpond.store.claim.Claim;
import io.headpond.store.config.TierConfig;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.migrate.Pace;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Takes the {@link StoreFacts}: sums and copies, no I/O, no lock of a segment. Any thread. */
final class Survey {
  private final Tiers tiers;
  private final Counters counters;
  private final RunAhead runAhead;
  private final Migrator migrator;
  private final Pace pace;
  private final Catalogue catalogue;
  private final Homes homes;
  private final Claim claim;
  private final Background background;
  private final TopicSurvey topics;
  private final TimeSource time;
  private final long startedMs;

  Survey(
      final StoreContext context,
      final Tiers tiers,
      final RunAhead runAhead,
      final Migrator migrator,
      final Catalogue catalogue,
      final Claim claim,
      final Background background,
      final TopicSurvey topics) {
    time = context.time();
    startedMs = time.millis();
    this.tiers = tiers;
    counters = context.counters();
    this.runAhead = runAhead;
    this.migrator = migrator;
    pace = context.pace();
    this.catalogue = catalogue;
    homes = context.homes();
    this.claim = claim;
    this.background = background;
    this.topics = topics;
  }

  StoreFacts facts() {
    final List<StoreFacts.Home> homeFacts = new ArrayList<>();
    homes.spaces().forEach(home -> homeFacts.add(home.facts()));
    homeFacts.sort(Comparator.comparing(StoreFacts.Home::path));
    final List<MigrationChoice.Move> running = migrator.running();
    return new StoreFacts(
        time.millis(),
        startedMs,
        tiers.list().stream().map(tier -> tier(tier, running)).toList(),
        List.copyOf(homeFacts),
        homes.refused(),
        home(running),
        appends(),
        moves(running),
        claim.recovery(),
        new StoreFacts.Background(background.failures(), background.deadThreads()),
        counts(),
        counters.incidents.counts(),
        topics.facts());
  }

  private StoreFacts.Tier tier(
      final List<TierDirectory> tier, final List<MigrationChoice.Move> running) {
    long used = 0;
    long segments = 0;
    long held = 0;
    long capacity = 0;
    long threshold = 0;
    int failed = 0;
    TierDirectory weakest = tier.get(0);
    for (final TierDirectory directory : tier) {
      used += directory.space.usedBytes();
      segments += directory.space.segmentBytes();
      held += directory.space.droppedBytes();
      capacity += directory.capacityBytes;
      threshold += directory.thresholdBytes();
      failed += directory.failed() ? 1 : 0;
      final Durability its = directory.device.durability();
      weakest = its.compareTo(weakest.device.durability()) > 0 ? directory : weakest;
    }
    final TierDirectory first = tier.get(0);
    final TierConfig config = first.tier;
    return new StoreFacts.Tier(
        config.name(),
        first.backend.key(),
        weakest.device.durability(),
        config.paths(),
        used,
        segments,
        held,
        capacity,
        config.threshold(),
        config.threshold() < 0 ? -1 : threshold,
        failed,
        config.draining(),
        migrator.waits(tier),
        migrator.lastDescentMs(config.name()),
        contents(tier, running));
  }

  private StoreFacts.Contents contents(
      final List<TierDirectory> tier, final List<MigrationChoice.Move> running) {
    long sealed = 0;
    long active = 0;
    long appended = 0;
    long read = 0;
    for (final TierDirectory directory : tier) {
      sealed += segments(directory, false, running);
      active += segments(directory, true, running);
      appended += directory.appendedBytes.sum();
      read += directory.readBytes.sum();
    }
    return new StoreFacts.Contents(sealed, active, appended, read);
  }

  private StoreFacts.Contents home(final List<MigrationChoice.Move> running) {
    return new StoreFacts.Contents(
        segments(null, false, running),
        segments(null, true, running),
        counters.homeAppendedBytes.sum(),
        counters.homeReadBytes.sum());
  }

  /** Those that move are in no order of the catalogue, but still where they were. */
  private long segments(
      final TierDirectory directory,
      final boolean active,
      final List<MigrationChoice.Move> running) {
    return catalogue.segments(directory, active)
        + running.stream()
            .filter(move -> move.what().directory() == directory && move.what().active() == active)
            .count();
  }

  private Map<Count, Long> counts() {
    final Map<Count, Long> counts = counters.counts();
    counts.put(Count.RUN_AHEAD_MISSES, runAhead.misses()); // which counts for itself
    return Collections.unmodifiableMap(counts);
  }

  private StoreFacts.Appends appends() {
    return new StoreFacts.Appends(
        counters.appendNanos.counts(),
        counters.appendNanos.allNanos(),
        counters.evacuationStallMsMax.get());
  }

  private StoreFacts.Moves moves(final List<MigrationChoice.Move> running) {
    return new StoreFacts.Moves(pace.yielding(), migrator.blocked(), running.size());
  }
}
