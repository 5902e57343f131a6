// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.claim.Claim;
import io.headpond.store.claim.Home;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.NameLook;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * The process's ownership of the tiers and of log directories. It has none until the first claim,
 * which takes the tiers too; later ones add log directories. A claim of the tiers that was refused
 * is refused for ever. Any thread; one claims at a time.
 */
final class Ownership {
  private final StoreConfig config;
  private final Homes homes;
  private final Counters counters;
  private final Function<Claim, StoreContext> context;
  private final Background background;
  private final TimeSource time;

  private volatile boolean holds;
  private volatile boolean closed;
  private volatile StoreRefusedException refused;

  /** Null before the claim. */
  private volatile OpenStore open;

  /**
   * Touches nothing on disk.
   *
   * @param context of a store that a claim opens
   */
  Ownership(
      final StoreConfig config,
      final Homes homes,
      final Counters counters,
      final Function<Claim, StoreContext> context,
      final Background background,
      final TimeSource time) {
    this.config = config;
    this.homes = homes;
    this.counters = counters;
    this.context = context;
    this.background = background;
    this.time = time;
  }

  /** True if this process owns the tiers. */
  boolean holds() {
    return holds;
  }

  /** What is owned, or was before {@link #close}; null before the claim. */
  OpenStore open() {
    return open;
  }

  /** As {@link TieredStore#claim()}. */
  synchronized void claim() throws IOException {
    final List<Path> there = config.logDirs().stream().filter(logDir -> !isAbsent(logDir)).toList();
    if (holds) {
      takeAll(there, open.claim(), open.catalogue(), false);
    } else {
      own(there, false);
    }
  }

  /** As {@link TieredStore#claim(Path, boolean)}. */
  synchronized void claim(final Path logDir, final boolean needed) throws IOException {
    if (!holds) {
      own(List.of(logDir), needed);
      homes.admit(logDir);
      return;
    }
    take(logDir, open.claim(), open.catalogue(), needed);
  }

  private static boolean isAbsent(final Path logDir) {
    try {
      return !NameLook.isDirectory(logDir);
    } catch (final IOException e) {
      return false; // it can't be read, and its claim will say so
    }
  }

  /** Takes the tiers over, and some log directories. */
  private void own(final List<Path> logDirs, final boolean needed) throws IOException {
    if (refused != null) {
      throw refused;
    }
    if (closed) {
      throw new IOException("the store is closed");
    }
    final long begunNanos = time.nanos();
    final Claim started = new Claim(config, time);
    try {
      final Catalogue catalogue =
          new Catalogue(
              config.migratePolicy(),
              config.internals().heatHalfLife().toMillis(),
              config.homeOnly());
      final Tiers tiers = started.tiers();
      started.took(time.nanos() - begunNanos);
      takeAll(logDirs, started, catalogue, needed);
      started.reportAbsentHomes();
      open =
          OpenStore.start(
              context.apply(started), started, tiers, catalogue, this::home, background);
    } catch (final StoreRefusedException e) {
      refused = e;
      abandon(started);
      throw e;
    } catch (final IOException | RuntimeException | Error e) {
      abandon(started);
      throw e;
    }
    holds = true;
  }

  /** Takes log directories over; those that fail are left out. */
  private void takeAll(
      final List<Path> logDirs,
      final Claim claim,
      final Catalogue catalogue,
      final boolean needed) {
    for (final Path logDir : logDirs) {
      try {
        take(logDir, claim, catalogue, needed);
      } catch (final IOException leftOut) {
        continue; // which was said
      }
    }
  }

  /**
   * Takes a log directory over.
   *
   * @throws StoreRefusedException if it can't be, and is needed or no other one is left
   * @throws IOException if it is left out
   */
  private Home take(
      final Path logDir, final Claim claim, final Catalogue catalogue, final boolean needed)
      throws IOException {
    final boolean known = homes.refusal(logDir) != null;
    final long begunNanos = time.nanos();
    try {
      final Home home = homes.claim(logDir, claim, catalogue);
      claim.took(time.nanos() - begunNanos);
      counters.quarantinedFiles.set(claim.recovery().orphans());
      return home;
    } catch (final StoreRefusedException reason) {
      if (needed
          || config.logDirs().stream()
              .allMatch(other -> homes.refusal(other) != null || isAbsent(other))) {
        throw reason;
      }
      if (!known) {
        homes.tellRefused(logDir, reason);
      }
      throw Homes.alone(logDir, reason);
    }
  }

  private void abandon(final Claim started) throws IOException {
    homes.abandon();
    started.close();
  }

  /**
   * The home that a partition directory lies in; claims it if it wasn't there at the start.
   *
   * @param partition canonical or as configured
   */
  private Home home(final Path partition) throws IOException {
    final Path given = partition.getParent();
    final Home home = homes.get(given);
    if (home != null) {
      return home;
    }
    synchronized (this) {
      try {
        return take(given, open.claim(), open.catalogue(), false);
      } catch (final StoreRefusedException e) {
        throw new IOException(partition + ": " + PlainText.reason(e), e);
      }
    }
  }

  /** As {@link TieredStore#close}. */
  synchronized void close() throws IOException {
    closed = true;
    if (!holds) {
      return;
    }
    // First: until it has stopped, the engine's operations must go on taking the segments' locks.
    open.migrator().close();
    holds = false;
    try {
      open.stop();
    } finally {
      open.claim().close();
    }
  }
}
