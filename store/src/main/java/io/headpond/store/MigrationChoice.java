// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Incident;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.migrate.Age;
import io.headpond.store.migrate.Candidates;
import io.headpond.store.migrate.Choice;
import io.headpond.store.migrate.Descent;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.MigrationRules;
import io.headpond.store.migrate.MoveReason;
import io.headpond.store.migrate.Situation;
import io.headpond.store.migrate.TierState;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.MovableSegments;
import io.headpond.store.tier.SegmentCandidate;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The migration of a store as it stands: gathers what {@link MigrationRules} choose from, and knows
 * what is moving.
 *
 * <p>Any thread; one chooses at a time, because what is on its way counts for the next choice. No
 * device is asked meanwhile: the tiers' room is looked at before, a home's room was looked at last
 * by the clock, and the age of a segment's data is read afterwards, by the thread that needs it.
 */
final class MigrationChoice {
  /** Segments whose data's age is looked up before one choice. */
  private static final int DATED_MAX = 64;

  /** One move that was chosen, of about so many bytes. */
  record Move(
      SegmentCandidate what, TierDirectory to, boolean down, MoveReason reason, long bytes) {}

  private final StoreContext context;
  private final Namespace names;
  private final Catalogue catalogue;
  private final Tiers tiers;

  /** Asks for another choice. */
  private final Runnable again;

  /** Held while a choice is made; {@link #running} comes under it. */
  private final Object choosing = new Object();

  /** Guarded by {@link #choosing}: is the age of some data being looked up? */
  private boolean lookingUp;

  /** Guarded by itself, never over a device: the moves under way, at most one for each thread. */
  private final List<Move> running = new ArrayList<>();

  /** Guarded by {@link #running}. */
  private final Descents descents;

  private volatile String blocked = "";

  MigrationChoice(
      final StoreContext context,
      final Tiers tiers,
      final Namespace names,
      final Catalogue catalogue,
      final Runnable again) {
    this.context = context;
    this.names = names;
    this.catalogue = catalogue;
    this.again = again;
    this.tiers = tiers;
    descents = new Descents(tiers, context.config().internals().upAfter().toNanos());
  }

  /** Moves that are under way. */
  List<Move> running() {
    synchronized (running) {
      return List.copyOf(running);
    }
  }

  /** A move has ended. */
  void ended(final Move move) {
    synchronized (running) {
      running.remove(move);
      descents.ended(move, context.time().nanos(), context.time().millis());
    }
  }

  /**
   * The time when the last segment had left a tier for want of room, milliseconds since 1970; 0:
   * none has.
   */
  long lastDescentMs(final String tier) {
    synchronized (running) {
      return descents.lastMs(tier);
    }
  }

  /**
   * True if a move that was begun must not go on: its target takes nothing any more, or it brings
   * up what would be the next to leave, and for want of room one leaves already.
   */
  boolean overtaken(final Move move) {
    if (move.to() != null && !move.to().takes()) {
      return true;
    }
    return move.reason() == MoveReason.ROOM_ABOVE
        && move.what().rank() != MigrationPolicy.ALWAYS_UP
        && catalogue.swapMargin() == Double.POSITIVE_INFINITY
        && running().stream()
            .anyMatch(other -> other.reason().wantOfRoom() && descents.collide(other, move));
  }

  /** The reason why a tier above its threshold isn't relieved; empty if there is none. */
  String blocked() {
    return blocked;
  }

  /** The best move there is now, which is under way from then on; null: nothing is to be moved. */
  Move choose() {
    for (int looked = 0; looked < DATED_MAX; looked++) {
      final Map<TierDirectory, Long> rooms = rooms();
      final SegmentCandidate undated;
      synchronized (choosing) {
        final Choice<TierDirectory, SegmentCandidate> choice = choice(rooms);
        if (choice.move() != null) {
          return started(choice.move());
        }
        undated = choice.undated();
        if (undated == null || lookingUp) {
          return null;
        }
        lookingUp = true;
      }
      lookUp(undated);
    }
    again.run(); // the rest after whatever else there is to do
    return null;
  }

  /**
   * A file found at the start tells when it was written, not how old its data were then: that is
   * looked up before something comes up. By one thread at a time, so that a home that hangs leaves
   * the others to what has to go down.
   */
  private void lookUp(final SegmentCandidate what) {
    try {
      catalogue.dated(what, context.dataAge().newestMs(what.name()));
    } finally {
      synchronized (choosing) {
        lookingUp = false;
      }
      again.run(); // others may have gone without
    }
  }

  /** The room of each tier directory: asks the devices. */
  private Map<TierDirectory, Long> rooms() {
    final Map<TierDirectory, Long> rooms = new HashMap<>();
    tiers.all().forEach(directory -> rooms.put(directory, directory.roomBytes()));
    return rooms;
  }

  /** Under {@link #choosing}. What it moves is in no order of the catalogue any more. */
  private Choice<TierDirectory, SegmentCandidate> choice(final Map<TierDirectory, Long> rooms) {
    final Situation<TierDirectory> now = situation(rooms);
    final Segments segments = new Segments(catalogue.movable(context.time().nanos()));
    while (true) {
      final Choice<TierDirectory, SegmentCandidate> choice = MigrationRules.next(now, segments);
      if (choice.move() == null || !choice.move().reason().leaving()) {
        block(choice.blocked());
      }
      if (choice.move() != null) {
        if (catalogue.begin(choice.move().segment())) {
          return choice;
        } // it was deleted meanwhile
      } else if (choice.undated() == null
          || catalogue.age(choice.undated(), now.oldBeforeMs()) == Age.UNKNOWN) {
        return choice;
      } // it may rank lower now
    }
  }

  private Situation<TierDirectory> situation(final Map<TierDirectory, Long> rooms) {
    final long nowMs = context.time().millis();
    final List<List<TierState<TierDirectory>>> states = new ArrayList<>();
    for (final List<TierDirectory> tier : tiers.list()) {
      states.add(tier.stream().map(directory -> state(directory, rooms.get(directory))).toList());
    }
    return new Situation<>(
        states,
        descents(),
        context.homes().states(),
        running(null, true),
        nowMs,
        catalogue.swapMargin(),
        context.config().deletedSoonBeforeMs(nowMs),
        context.dataAge().oldBeforeMs(nowMs));
  }

  /** A move of a home whose disk hangs holds nothing up: nobody knows when it ends. */
  private List<Descent> descents() {
    synchronized (running) {
      return descents.now(
          running.stream().filter(move -> !catalogue.passesOver(move.what().home())).toList(),
          context.time().nanos());
    }
  }

  private TierState<TierDirectory> state(final TierDirectory directory, final long roomBytes) {
    return new TierState<>(
        directory,
        directory.limits,
        directory.space.segmentBytes(),
        running(directory, false),
        running(directory, true),
        roomBytes,
        directory.failed(),
        directory.tier.draining());
  }

  private Move started(final Choice.Move<TierDirectory, SegmentCandidate> chosen) {
    final Move move =
        new Move(
            chosen.segment(),
            chosen.to(),
            chosen.down(),
            chosen.reason(),
            chosen.segment().bytes());
    synchronized (running) {
      running.add(move);
    }
    return move;
  }

  /**
   * What keeps segments in a tier, or in those of its directories, that they have to leave; empty:
   * nothing that is known, or none has to.
   */
  String waits(final List<TierDirectory> tier) {
    final String now = blocked;
    for (final TierDirectory each : tier) {
      final String why =
          each.takes() ? "" : now.startsWith(each + ": ") ? now : catalogue.stuckIn(each);
      if (!why.isEmpty()) {
        return why;
      }
    }
    return "";
  }

  private void block(final SegmentCandidate stuck) {
    final String reason = stuck == null ? "" : blocks(stuck);
    if (!reason.isEmpty()) {
      context
          .counters()
          .conditions
          .met("migration", BackgroundCodes.MIGRATION_BLOCKED.words(reason));
    }
    if (!reason.isEmpty() && blocked.isEmpty()) {
      context.counters().incidents.count(Incident.MIGRATION_BLOCKED);
    }
    blocked = reason;
  }

  /** Why a segment doesn't leave its tier. */
  private String blocks(final SegmentCandidate stuck) {
    final HomeSpace home = context.homes().around(stuck.name());
    return stuck.directory()
        + ": "
        + stuck.name()
        + (stuck.directory().takes()
            ? " should go down, but no room is below"
            : " should leave, but no room is anywhere")
        + (home == null ? "" : ": " + home.wanting());
  }

  /**
   * True if a directory with migration is so full, or fills so fast, that a new segment may soon
   * not find room.
   */
  boolean urgent() {
    final long nowNanos = context.time().nanos();
    boolean urgent = false;
    for (final TierDirectory directory : (Iterable<TierDirectory>) tiers.all()::iterator) {
      if (directory.thresholdBytes() >= 0) {
        final long bytes = directory.space.segmentBytes();
        directory.filling.looked(bytes, nowNanos);
        urgent |=
            bytes > directory.limits.urgentBytes()
                || directory.filling.soonFull(directory.limits.capacityBytes() - bytes);
      }
    }
    return urgent;
  }

  /** Bytes on their way into or out of a directory; null: home. */
  private long running(final TierDirectory directory, final boolean in) {
    long bytes = 0;
    for (final Move move : running()) {
      if ((in ? move.to() : move.what().directory()) == directory) {
        bytes += move.bytes();
      }
    }
    return bytes;
  }

  /** The catalogue's segments at one time, without I/O. */
  private final class Segments implements Candidates<TierDirectory, SegmentCandidate> {
    private final MovableSegments movable;

    Segments(final MovableSegments movable) {
      this.movable = movable;
    }

    @Override
    public Segments without(final Set<Path> homes) {
      return new Segments(movable.without(homes));
    }

    @Override
    public SegmentCandidate coldest(final TierDirectory directory, final long spareBeforeMs) {
      return known(movable.coldest(directory, spareBeforeMs));
    }

    @Override
    public SegmentCandidate coldestActive(final TierDirectory directory) {
      return known(movable.coldestActive(directory));
    }

    @Override
    public SegmentCandidate homeward(final TierDirectory directory) {
      return known(movable.homeward(directory));
    }

    @Override
    public SegmentCandidate any(final TierDirectory directory) {
      return known(movable.any(directory));
    }

    @Override
    public SegmentCandidate activeAtHome(final Predicate<Path> of) {
      return known(movable.anyActive(null, of));
    }

    @Override
    public SegmentCandidate hottest(
        final Collection<TierDirectory> directories, final long bytesMax) {
      return movable.hottest(directories, bytesMax);
    }

    private SegmentCandidate known(final SegmentCandidate what) {
      return what == null ? null : names.known(what);
    }
  }
}
