// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.claim.TierCheck;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.facts.Conditions;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.home.Homes;
import io.headpond.store.migrate.Pace;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentAccess;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.DeviceThreads;
import io.headpond.store.tier.Quarantine;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The store's periodic work: it gives back what idle segments hold, lets reads cool down, wakes
 * migration, looks at each home's room, writes the live counters, empties the quarantine and says
 * when a tier is drained. The clock's own thread asks no device; each device has a thread of its
 * own for that.
 */
final class StoreClock implements AutoCloseable {
  /** A tier of whose capacity this share is taken is full. */
  private static final double FULL = 0.95;

  private final Tiers tiers;
  private final Homes homes;
  private final Catalogue catalogue;
  private final Migrator migrator;
  private final Pace pace;
  private final Conditions conditions;
  private final TimeSource time;
  private final long idleNanos;

  private final Namespace names;

  /** The names of the draining tiers that were said to be empty. */
  private final Set<String> drained = ConcurrentHashMap.newKeySet();

  private final Background.Clock thread;

  private final DeviceThreads<HomeSpace> homeThreads;
  private final DeviceThreads<TierDirectory> tierThreads;

  /** For what concerns several tier directories. */
  private final DeviceThreads<String> otherThreads;

  StoreClock(
      final StoreContext context,
      final Tiers tiers,
      final Catalogue catalogue,
      final Migrator migrator,
      final Namespace names,
      final Background background) {
    time = context.time();
    this.tiers = tiers;
    homes = context.homes();
    this.catalogue = catalogue;
    this.migrator = migrator;
    pace = context.pace();
    conditions = context.counters().conditions;
    this.names = names;
    idleNanos = context.config().internals().idle().toNanos();
    homeThreads = new DeviceThreads<>(background, "headpond-home", 1, 1);
    tierThreads = new DeviceThreads<>(background, "headpond-idle", 1, 1);
    otherThreads = new DeviceThreads<>(background, "headpond-files", 1, Integer.MAX_VALUE);
    thread = background.clock("headpond-clock");
  }

  void start(final LiveCounters live, final Quarantine quarantine) {
    thread.every(this::sealIdle, 1, 1, TimeUnit.SECONDS);
    thread.every(this::tick, 1, 1, TimeUnit.SECONDS);
    thread.every(() -> otherThreads.executeIfIdle("live", live::publish), 0, 1, TimeUnit.SECONDS);
    thread.every(
        () -> otherThreads.executeIfIdle("quarantine", quarantine::purge), 0, 1, TimeUnit.HOURS);
  }

  /** Follows what changes by itself: reads cool down, homes fill up, segments grow old. */
  private void tick() {
    homes.spaces().forEach(this::look);
    catalogue.passOver(homes.hung(time.nanos()));
    pace.tick();
    final long nowMs = time.millis();
    for (Segment segment = names.read.poll(); segment != null; segment = names.read.poll()) {
      final Path name = segment.name();
      catalogue.read(
          name.getParent(), name.getFileName().toString(), segment.takeReadBytes(), nowMs);
    }
    final ReferenceQueue<FileChannel> forgotten = names.forgotten();
    for (Object each = forgotten.poll(); each != null; each = forgotten.poll()) {
      close((SegmentAccess) each);
    }
    migrator.wake();
    tiers.list().forEach(this::condition);
    conditions.tick();
    tiers.list().stream().filter(tier -> tier.get(0).tier.draining()).forEach(this::drains);
  }

  /** Beside the clock, which asks no device. */
  private void close(final SegmentAccess forgotten) {
    final SegmentFile file = forgotten.segment().file();
    final Path folder = file.path().getParent();
    otherThreads
        .of("forgotten in " + (file.atHome() ? folder.getParent() : folder))
        .execute(
            () -> {
              try {
                forgotten.close();
              } catch (final IOException e) {
                Events.LOG.info("{}: closing a forgotten channel failed", file.path(), e);
              }
            });
  }

  /** Looks whether a draining tier has become empty, until it has. */
  private void drains(final List<TierDirectory> tier) {
    final String name = tier.get(0).tier.name();
    if (!drained.contains(name)
        && tier.stream().allMatch(directory -> directory.space.usedBytes() == 0)) {
      otherThreads.executeIfIdle(
          "drained " + name, // no other has a blank
          () -> {
            if (tier.stream().allMatch(StoreClock::isEmpty) && drained.add(name)) {
              Events.LOG.info(
                  "tier {}: is empty. Before the next start, remove it from {} and remove its keys"
                      + " headpond.tier.{}.*",
                  name,
                  ConfigKey.TIERS.name(),
                  name);
            }
          });
    }
  }

  /** Asks its device: a file may have no byte. */
  private static boolean isEmpty(final TierDirectory directory) {
    try {
      return TierCheck.files(directory.ref.path()).isEmpty();
    } catch (final IOException e) {
      return false; // it is asked again
    }
  }

  /** Asks no device. */
  private void condition(final List<TierDirectory> tier) {
    final String name = tier.get(0).tier.name();
    long bytes = 0;
    long capacity = 0;
    for (final TierDirectory directory : tier) {
      if (directory.failed()) {
        conditions.met(
            directory.toString(),
            PlaceCodes.TIER_FAILED.words(name, directory.ref.path(), directory.failure()));
      } else if (directory.takes()) {
        bytes += directory.space.segmentBytes();
        capacity += directory.capacityBytes;
      }
    }
    if (capacity > 0 && bytes >= FULL * capacity) {
      final boolean homeLow = homes.all().stream().anyMatch(home -> homes.low(home.path()));
      final String remedy = tier.get(0).remedy(homeLow);
      conditions.met("tier " + name, PlaceCodes.TIER_FULL.words(name, bytes, capacity, remedy));
    }
  }

  /** Looks at a home's room, unless the last look hasn't returned; often while there is little. */
  private void look(final HomeSpace home) {
    homeThreads.executeIfIdle(
        home,
        () -> {
          do {
            if (home.refresh()) {
              migrator.wake();
            }
            home.report(() -> catalogue.bytesAtHome(home.path()));
          } while (home.awaitNextLook());
        });
  }

  private void sealIdle() {
    tiers
        .all()
        .forEach(
            directory ->
                tierThreads.executeIfIdle(
                    directory,
                    () -> directory.active().forEach(segment -> segment.sealIfIdle(idleNanos))));
  }

  /** Waits for what is under way, a minute at most for each tier directory; not for homes. */
  @Override
  public void close() {
    thread.close();
    homes.close();
    homeThreads.shutdown();
    tierThreads.close();
    otherThreads.close();
  }
}
