// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.pmem.FilePool;
import io.headpond.pmem.RunAhead;
import io.headpond.store.claim.Claim;
import io.headpond.store.claim.TierCheck;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Events;
import io.headpond.store.event.StartCodes;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.CopyProgress;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.partition.NameForces;
import io.headpond.store.partition.PartitionDirectories;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.Reclaimer;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.ColdReads;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.Quarantine;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The tiers and log directories that this process owns, and what works on them. A claim makes it,
 * whole; {@link TieredStore} is its door. Immutable. Any thread.
 */
final class OpenStore {
  private static final int RUN_AHEAD_THREADS = 1;
  private static final int POOL_FILES_MAX = 64;

  /** The pool has this part of a directory's capacity, at most. */
  private static final int POOL_PARTS = 16;

  private static final long SETTLE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The process's ownership, with the locks. */
  private final Claim claim;

  private final Tiers tiers;
  private final Catalogue catalogue;
  private final Workers workers;
  private final PartitionDirectories partitions;
  private final NameChanges nameChanges;
  private final Namespace names;
  private final Placement placement;
  private final PageCache pageCache;
  private final Migrator migrator;
  private final Survey survey;
  private final TimeSource time;

  /** Starts nothing yet, but for the threads that are handed in. */
  private OpenStore(
      final StoreContext context,
      final Claim claim,
      final Tiers tiers,
      final Catalogue catalogue,
      final DirectoryForce directoryForce,
      final PartitionDirectories.HomeLookup homes,
      final Background background,
      final Workers workers) {
    this.claim = claim;
    time = context.time();
    this.tiers = tiers;
    this.catalogue = catalogue;
    this.workers = workers;
    final MigrationSignal signal = new MigrationSignal();
    partitions = new PartitionDirectories(context.homes(), homes);
    placement =
        new Placement(context, tiers, directoryForce, workers.runAhead, workers.spares, catalogue);
    nameChanges =
        new NameChanges(
            context,
            partitions,
            placement,
            workers.reclaimer,
            workers.spares,
            catalogue,
            directoryForce);
    names =
        new Namespace(
            context,
            partitions,
            nameChanges,
            placement,
            new Relocation(tiers, placement),
            workers.reclaimer,
            catalogue,
            workers.nameForces,
            workers.spares,
            signal);
    pageCache = pageCache(context.config(), tiers);
    migrator =
        new Migrator(
            context,
            names,
            catalogue,
            new MigrationChoice(context, tiers, names, catalogue, signal::give),
            this::migration,
            signal,
            background);
    survey =
        new Survey(
            context,
            tiers,
            workers.runAhead,
            migrator,
            catalogue,
            claim,
            background,
            new TopicSurvey(context.topics(), catalogue, names, tiers));
    workers.coldReads = context.coldReads();
    workers.live = new LiveCounters(context, tiers, survey);
    workers.clock = new StoreClock(context, tiers, catalogue, migrator, names, background);
  }

  /** The threads, as far as they have been started: null in part where a start failed. */
  private static final class Workers {
    private final Tiers tiers;
    private RunAhead runAhead;
    private NameForces nameForces;
    private SpareFiles spares;
    private Reclaimer reclaimer;
    private LiveCounters live;
    private StoreClock clock;
    private ColdReads coldReads;

    private Workers(final Tiers tiers) {
      this.tiers = tiers;
    }

    private void start(
        final StoreContext context,
        final DirectoryForce directoryForce,
        final Background background)
        throws IOException {
      runAhead = new RunAhead(background, "headpond-run-ahead", RUN_AHEAD_THREADS);
      nameForces = new NameForces(directoryForce, background);
      spares = new SpareFiles(directoryForce, background);
      reclaimer = new Reclaimer(directoryForce, context.counters(), background, context.time());
      reclaimer.start();
      for (final TierDirectory directory : tiers.all().toList()) {
        startPool(directory, background);
      }
    }

    /** One that fails keeps none of the others going. */
    private void stop() {
      stop(clock, StoreClock::close);
      stop(coldReads, ColdReads::close);
      stop(nameForces, NameForces::close);
      stop(spares, SpareFiles::close);
      stop(reclaimer, Reclaimer::close);
      stop(live, LiveCounters::publish);
      stop(runAhead, RunAhead::close);
      tiers.all().forEach(each -> stop(each.space.pool(), FilePool::close));
    }

    /**
     * Stops one of them.
     *
     * @param started null: it wasn't
     */
    private static <T> void stop(final T started, final Consumer<T> how) {
      if (started == null) {
        return;
      }
      try {
        how.accept(started);
      } catch (final RuntimeException | Error e) {
        BackgroundCodes.STOP_FAILED.log(e);
      }
    }
  }

  /**
   * Starts to work on what was claimed.
   *
   * @param homes finds, and claims, log directories that weren't there at the start
   * @throws IOException if it can't be started; nothing of it runs then
   */
  static OpenStore start(
      final StoreContext context,
      final Claim claim,
      final Tiers tiers,
      final Catalogue catalogue,
      final PartitionDirectories.HomeLookup homes,
      final Background background)
      throws IOException {
    final DirectoryForce directoryForce = claim.names();
    final Workers workers = new Workers(tiers);
    try {
      workers.start(context, directoryForce, background);
      final OpenStore made =
          new OpenStore(
              context, claim, tiers, catalogue, directoryForce, homes, background, workers);
      made.begin();
      return made;
    } catch (final IOException | RuntimeException | Error e) {
      workers.stop();
      throw e;
    }
  }

  private void begin() {
    tiers.all().forEach(this::begin);
    workers.clock.start(workers.live, new Quarantine(tiers, time));
    // Nothing fails from here on.
    if (!tiers.list().isEmpty()) {
      migrator.start();
    }
  }

  private void begin(final TierDirectory directory) {
    directory.space.pressure(migrator::pressure);
    Events.LOG.info(
        "{}: {}, {}, capacity {} B, used {} B, persist back end {}",
        directory,
        directory.device.fileSystemType(),
        directory.device.durability(),
        directory.capacityBytes,
        directory.space.usedBytes(),
        directory.backend.key());
    notDurable(directory);
  }

  private static void notDurable(final TierDirectory directory) {
    final Device device = directory.device;
    if (device.durability() != Durability.DURABLE) {
      StartCodes.TIER_NOT_DURABLE.log(
          "tier " + directory.tier.name(),
          device.directory(),
          device.durability(),
          device.explanation(),
          device.directory());
    }
  }

  private static PageCache pageCache(final StoreConfig config, final Tiers tiers) {
    final FileSystem fileSystem = config.logDirs().iterator().next().getFileSystem();
    return new PageCache(
        config.internals().cachesCopies(),
        tiers.all().mapToLong(each -> each.capacityBytes).sum(),
        () -> PageCache.bytes(fileSystem, Runtime.getRuntime().maxMemory()));
  }

  private static void startPool(final TierDirectory directory, final Background background)
      throws IOException {
    if (directory.backend.maps() && directory.takes()) {
      directory.space.pool(
          new FilePool(
              directory.ref.path().resolve(TierCheck.POOL),
              directory.capacityBytes / POOL_PARTS,
              POOL_FILES_MAX,
              directory.space.forPool(),
              background,
              "headpond-pool"));
    }
  }

  Claim claim() {
    return claim;
  }

  /** Tier by tier, fastest first. */
  List<List<TierDirectory>> tiers() {
    return tiers.list();
  }

  /** The segments that migration knows. */
  Catalogue catalogue() {
    return catalogue;
  }

  /** Chooses and makes moves. */
  Migrator migrator() {
    return migrator;
  }

  /** One move, to be made by the caller's thread. */
  SegmentMigration migration(final CopyProgress flow) {
    return new SegmentMigration(names, placement, pageCache, time, flow);
  }

  Namespace names() {
    return names;
  }

  PartitionDirectories partitions() {
    return partitions;
  }

  SpareFiles spares() {
    return workers.spares;
  }

  NameChanges nameChanges() {
    return nameChanges;
  }

  StoreFacts facts() {
    return survey.facts();
  }

  /**
   * True if this process has a channel on a segment of a partition directory, given by canonical
   * path.
   */
  boolean hasOpen(final Path canonical) {
    final PartitionDirectory partition = partitions.get(canonical);
    return partition != null && !partition.open.isEmpty();
  }

  /** As {@link TieredStore#settle}. */
  boolean settle(final Duration limit) {
    final long deadline = time.nanos() + limit.toNanos();
    migrator.stop();
    while (!migrator.ended() || !partitions.allClosed() || !workers.reclaimer.idle()) {
      if (time.nanos() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(SETTLE_POLL_NANOS);
    }
    workers.spares.discardAll();
    workers.live.publish();
    return true;
  }

  /** Stops all threads but the migrator's; {@link Claim#close} follows. */
  void stop() {
    workers.stop();
  }
}
