// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Events;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.CopyProgress;
import io.headpond.store.layout.DiskShare;
import io.headpond.store.migrate.Pace;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.SegmentCandidate;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Moves segments between tiers, as {@link MigrationChoice} says.
 *
 * <p>There is no queue: each thread asks for the best move there is now, and events (a tier that
 * passes its threshold, a segment that is sealed, the clock's tick) wake those that found none.
 */
final class Migrator implements AutoCloseable {
  /** Appends to a tier above its threshold don't wake threads more often than this. */
  private static final long PRESSURE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long RETRY_CHANGED_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_FAILED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Homes homes;
  private final Namespace names;
  private final Catalogue catalogue;
  private final MigrationChoice choice;

  /** Makes one move, to be done by the calling thread. */
  private final Function<CopyProgress, SegmentMigration> moves;

  private final MigrationSignal signal;
  private final Pace pace;
  private final Counters counters;
  private final TimeSource time;
  private final List<Thread> threads = new ArrayList<>();

  /** For each thread, the events that it had seen when it last found nothing to move. */
  private final AtomicLongArray quietSince;

  private final AtomicLong pressureNanos;
  private volatile boolean stopped;

  Migrator(
      final StoreContext context,
      final Namespace names,
      final Catalogue catalogue,
      final MigrationChoice choice,
      final Function<CopyProgress, SegmentMigration> moves,
      final MigrationSignal signal,
      final Background background) {
    homes = context.homes();
    this.names = names;
    this.catalogue = catalogue;
    this.choice = choice;
    this.moves = moves;
    this.signal = signal;
    pace = context.pace();
    counters = context.counters();
    time = context.time();
    pressureNanos = new AtomicLong(time.nanos());
    quietSince = new AtomicLongArray(context.config().migrateThreads());
    for (int i = 0; i < quietSince.length(); i++) {
      final int number = i;
      quietSince.set(i, -1);
      final Thread thread = background.loop("headpond-migrate-" + i, () -> next(number));
      threads.add(thread);
      signal.wakes(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Something happened that may call for a move. Never blocks. */
  void wake() {
    signal.give();
  }

  /** A tier directory is above its threshold. By the thread that appends. */
  void pressure() {
    final long now = time.nanos();
    final long last = pressureNanos.get();
    if (now - last >= PRESSURE_NANOS && pressureNanos.compareAndSet(last, now)) {
      wake();
    } // what this leaves out the clock's next tick makes up for
  }

  /** True if every thread has found nothing to move since the last event. */
  boolean quiet() {
    final long seen = signal.given();
    for (int i = 0; i < quietSince.length(); i++) {
      if (quietSince.get(i) != seen) {
        return false;
      }
    }
    return true;
  }

  /** Moves that are under way. */
  List<MigrationChoice.Move> running() {
    return choice.running();
  }

  /** The reason why a tier above its threshold isn't relieved; empty if there is none. */
  String blocked() {
    return choice.blocked();
  }

  /** As {@link MigrationChoice#waits}. */
  String waits(final List<TierDirectory> tier) {
    return choice.waits(tier);
  }

  /** As {@link MigrationChoice#lastDescentMs}. */
  long lastDescentMs(final String tier) {
    return choice.lastDescentMs(tier);
  }

  /** One move, or the wait for an event that may call for one. */
  private boolean next(final int number) throws IOException {
    final long seen = signal.given();
    final MigrationChoice.Move move = stopped ? null : choice.choose();
    if (move != null) {
      perform(move);
    } else {
      quietSince.set(number, seen);
      while (signal.given() == seen && !stopped) {
        signal.await(seen);
      }
    }
    return !stopped;
  }

  private void perform(final MigrationChoice.Move move) {
    final SegmentCandidate what = move.what();
    long retryNanos = RETRY_FAILED_NANOS;
    pace.begin(time.nanos());
    try {
      // Only home is the engine's, too.
      final DiskShare share =
          move.to() == null
              ? names.space(names.home(what.name())).copySteps().share()
              : new DiskShare();
      final SegmentMigration migration = moves.apply(bytes -> hold(move, share, bytes));
      final SegmentMigration.Outcome outcome =
          migration.move(what.name(), move.to(), what.active());
      switch (outcome) {
        case MOVED -> {
          counters.migrated(move.down(), migration.movedBytes());
          retryNanos = 0;
        }
        case GONE -> names.forget(what.name());
        case CHANGED -> retryNanos = RETRY_CHANGED_NANOS;
        case NO_ROOM -> {
          catalogue.stuck(what, "no room was left for it");
          retryNanos = RETRY_CHANGED_NANOS;
        }
        default -> throw new AssertionError(outcome);
      }
    } catch (final StoppedException e) {
      Events.LOG.debug("{}: its move was stopped", what.name());
      retryNanos = 0;
    } catch (final IOException | RuntimeException | Error e) {
      counters.increment(Count.MIGRATION_FAILURES);
      catalogue.stuck(what, PlainText.reason(e));
      BackgroundCodes.MIGRATION_FAILED.log(what.name(), move.to() == null ? "home" : move.to(), e);
      counters.incidents.count(Incident.MIGRATION_FAILED);
    } finally {
      pace.end();
      choice.ended(move);
      catalogue.end(what, retryNanos, time.nanos());
      homes.refresh(what.name().getParent().getParent());
      wake();
    }
  }

  private static final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Holds a copy up as the pace says, and as its share of the disk does; ends it when the store
   * closes, or it is overtaken.
   */
  private void hold(final MigrationChoice.Move move, final DiskShare share, final long bytes)
      throws IOException {
    final boolean urgent = choice.urgent();
    pace.urgent(urgent);
    final long now = time.nanos();
    final long until = now + Math.max(pace.copied(bytes, now), share.waitNanos(urgent, now));
    for (long rest = until - time.nanos(); rest > 0; rest = until - time.nanos()) {
      goesOn(move);
      LockSupport.parkNanos(this, rest);
    }
    goesOn(move);
  }

  private void goesOn(final MigrationChoice.Move move) throws StoppedException {
    if (stopped || choice.overtaken(move)) {
      throw new StoppedException();
    }
  }

  /** Ends what is under way, and begins no more. Doesn't wait. */
  void stop() {
    stopped = true;
    wake();
  }

  /** True when everything has ended after {@link #stop}. */
  boolean ended() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  /** Stops what is under way, and waits for it. */
  @Override
  public void close() {
    stop();
    boolean interrupted = false;
    for (final Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (final InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
