// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.migrate.MigrationPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chooses what moves next, and knows what is moving: down while a tier directory's used share is
 * above its threshold, up while it is clearly below: {@link TierLimits}.
 *
 * <p>Any thread; one chooses at a time, because what is on its way counts for the next choice. A
 * choice asks no device: of a home it takes the room that was looked at last. Only the age of a
 * segment's data is read, by the thread that chose the segment, while others may choose.
 */
final class MigrationChoice {
  /** From this share of the capacity on, migration doesn't yield to appends. */
  private static final double URGENT = 0.9;

  /** Segments whose data's age is looked up before one choice. */
  private static final int DATED_MAX = 64;

  /** One move that was chosen, of about so many bytes; how many of them are copied. */
  record Move(
      Catalogue.Candidate what, TierDirectory to, boolean down, long bytes, AtomicLong copied) {
    Move(
        final Catalogue.Candidate what,
        final TierDirectory to,
        final boolean down,
        final long bytes) {
      this(what, to, down, bytes, new AtomicLong());
    }
  }

  private final StoreContext context;
  private final Namespace names;
  private final Placement placement;
  private final Catalogue catalogue;
  private final List<List<TierDirectory>> tiers;

  /** Asks for another choice. */
  private final Runnable again;

  /** Held while a choice is made; {@link #running} comes under it. */
  private final Object choosing = new Object();

  /** Guarded by {@link #choosing}: is the age of some data being looked up? */
  private boolean lookingUp;

  /** Guarded by {@link #choosing}: what the last choice can't judge before its age is known. */
  private Catalogue.Candidate asked;

  /** Guarded by itself, never over a device: the moves under way, at most one for each thread. */
  private final List<Move> running = new ArrayList<>();

  private volatile String blocked = "";

  MigrationChoice(
      final StoreContext context,
      final List<List<TierDirectory>> tiers,
      final Namespace names,
      final Placement placement,
      final Catalogue catalogue,
      final Runnable again) {
    this.context = context;
    this.names = names;
    this.placement = placement;
    this.catalogue = catalogue;
    this.again = again;
    this.tiers = tiers;
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
    }
  }

  /** Why a tier that is above its threshold isn't relieved; empty if none is. */
  String blocked() {
    return blocked;
  }

  /** The best move there is now, which is under way from then on; null: nothing is to be moved. */
  Move choose() throws IOException {
    for (int looked = 0; looked < DATED_MAX; looked++) {
      final Catalogue.Candidate undated;
      synchronized (choosing) {
        final Move move = chooseNow();
        undated = asked;
        if (undated == null || lookingUp) {
          return move;
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
  private void lookUp(final Catalogue.Candidate what) {
    try {
      catalogue.dated(what, context.dataAge().newestMs(what.name()));
    } finally {
      synchronized (choosing) {
        lookingUp = false;
      }
      again.run(); // others may have gone without
    }
  }

  /** Under {@link #choosing}; leaves in {@link #asked} what has to be looked up first. */
  private Move chooseNow() throws IOException {
    asked = null;
    final long nowNanos = System.nanoTime();
    String reason = "";
    for (int level = 0; level < tiers.size(); level++) {
      for (final TierDirectory directory : tiers.get(level)) {
        final Move homeward = homeward(directory, nowNanos);
        if (homeward != null && catalogue.begin(homeward.what())) {
          return started(homeward);
        }
        final Catalogue.Candidate leaving = leaving(directory, nowNanos);
        if (leaving == null) {
          continue;
        }
        final Move move = down(leaving, level);
        if (move == null) {
          reason = directory + ": " + leaving.name() + " should go down, but no room is below";
        } else if (catalogue.begin(move.what())) {
          return started(move);
        }
      }
    }
    block(reason);
    Move move = outOfLowHome(nowNanos);
    for (int level = 0; move == null && asked == null && level < tiers.size(); level++) {
      move = up(level, nowNanos);
    }
    return move != null && catalogue.begin(move.what()) ? started(move) : null;
  }

  private Move started(final Move move) {
    synchronized (running) {
      running.add(move);
    }
    return move;
  }

  private void block(final String reason) {
    if (!reason.isEmpty() && blocked.isEmpty()) {
      StoreCodes.MIGRATION_BLOCKED.log(reason);
      context.counters().incidents.note(Incident.MIGRATION_BLOCKED, reason);
    }
    blocked = reason;
  }

  /** Is a directory with migration so full that a new segment may soon not find room? */
  boolean urgent() {
    for (final List<TierDirectory> tier : tiers) {
      for (final TierDirectory directory : tier) {
        if (directory.thresholdBytes() >= 0
            && directory.segmentBytes()
                > Math.min(directory.limits.pressureBytes(), URGENT * directory.capacityBytes)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What has to leave a directory now; null: nothing. */
  private Catalogue.Candidate leaving(final TierDirectory directory, final long nowNanos) {
    if (directory.failed()) {
      return catalogue.any(directory, nowNanos);
    }
    if (directory.thresholdBytes() < 0) {
      return null;
    }
    final long used = directory.segmentBytes() - running(directory, false);
    final Catalogue.Candidate coldest =
        used < directory.limits.pressureBytes()
            ? catalogue.coldest(
                directory,
                nowNanos,
                context.config().deletedSoonBeforeMs(System.currentTimeMillis()))
            : catalogue.coldest(directory, nowNanos);
    if (used > directory.thresholdBytes()) {
      return coldest != null || used < directory.limits.pressureBytes()
          ? coldest
          : catalogue.coldestActive(directory, nowNanos);
    }
    final boolean due =
        coldest != null
            && (catalogue.rank(coldest) == MigrationPolicy.NEVER_UP
                || catalogue.downAtMs(coldest) <= System.currentTimeMillis()
                || swapped(directory, coldest, nowNanos));
    return due ? coldest : null;
  }

  /** Must the coldest make room for something that is clearly hotter? */
  private boolean swapped(
      final TierDirectory directory, final Catalogue.Candidate coldest, final long nowNanos) {
    final double margin = context.config().migratePolicy().swapMargin();
    if (margin == Double.POSITIVE_INFINITY) {
      return false;
    }
    final int level = placement.level(directory);
    final Catalogue.Candidate hottest =
        catalogue.hottest(below(level), directory.thresholdBytes(), nowNanos);
    return hottest != null
        && catalogue.rank(hottest) > catalogue.rank(coldest) + margin
        && tiers.get(level).stream()
            .allMatch(any -> hottest.bytes() > roomBelowBand(any) + running(any, false));
  }

  /** What lies in a tier of a topic that stays home; null: nothing, or home has no room. */
  private Move homeward(final TierDirectory directory, final long nowNanos) throws IOException {
    final Catalogue.Candidate what = catalogue.homeward(directory, nowNanos);
    return what == null ? null : home(what, bytes(what));
  }

  /** Null if home has no room. */
  private Move home(final Catalogue.Candidate what, final long bytes) throws IOException {
    // What is appended to goes on growing there: home must not send it up again soon.
    final HomeSpace space = context.homes().space(names.home(what.name()));
    final long room = space.lastRoomBytes() - running(null, true);
    return room >= (what.active() ? 2 * bytes : bytes) ? new Move(what, null, true, bytes) : null;
  }

  private Move down(final Catalogue.Candidate what, final int level) throws IOException {
    final long bytes = bytes(what);
    final TierDirectory lower = placement.room(level + 1, bytes);
    if (lower != null) {
      return new Move(what, lower, true, bytes);
    }
    final Move home = home(what, bytes);
    if (home != null) {
      return home;
    }
    final TierDirectory any = what.directory().failed() ? placement.room(0, bytes) : null;
    return any == null ? null : new Move(what, any, placement.level(any) >= level, bytes);
  }

  /** An active segment of a home that is at its reserve goes on in a tier, if one has room. */
  private Move outOfLowHome(final long nowNanos) throws IOException {
    if (!context.homes().anyLow()) {
      return null;
    }
    final Catalogue.Candidate growing =
        catalogue.anyActive(
            null, nowNanos, partition -> context.homes().low(partition.getParent()));
    if (growing == null) {
      return null;
    }
    final long bytes = bytes(growing);
    final TierDirectory directory = placement.room(0, bytes);
    return directory == null ? null : new Move(growing, directory, false, bytes);
  }

  private Move up(final int level, final long nowNanos) {
    for (final TierDirectory directory : tiers.get(level)) {
      if (directory.thresholdBytes() < 0 || directory.failed()) {
        continue;
      }
      final long room = Math.min(roomBelowBand(directory), directory.roomBytes());
      final Catalogue.Candidate hottest = room <= 0 ? null : hottestBelow(level, room, nowNanos);
      if (asked != null) {
        return null;
      }
      if (hottest != null
          && catalogue.downAtMs(hottest) > System.currentTimeMillis()
          && !swappedSoon(directory, hottest, nowNanos)) {
        return new Move(hottest, directory, false, hottest.bytes());
      }
    }
    return null;
  }

  /** The hottest segment below a level, by the age of its data; null also if one is asked for. */
  private Catalogue.Candidate hottestBelow(
      final int level, final long bytesMax, final long nowNanos) {
    while (true) {
      final Catalogue.Candidate hottest = catalogue.hottest(below(level), bytesMax, nowNanos);
      if (hottest == null) {
        return null;
      }
      switch (catalogue.age(hottest, context.dataAge())) {
        case AS_APPENDED -> {
          return hottest;
        }
        case UNKNOWN -> {
          asked = hottest;
          return null;
        }
        case OLDER -> {} // it ranks lower now
        default -> throw new AssertionError();
      }
    }
  }

  /** Would it have to go again for something hotter that is too large for the room there is? */
  private boolean swappedSoon(
      final TierDirectory directory, final Catalogue.Candidate what, final long nowNanos) {
    final double margin = context.config().migratePolicy().swapMargin();
    final Catalogue.Candidate hottest =
        margin == Double.POSITIVE_INFINITY
            ? null
            : catalogue.hottest(
                below(placement.level(directory)), directory.thresholdBytes(), nowNanos);
    return hottest != null && catalogue.rank(hottest) > catalogue.rank(what) + margin;
  }

  private long roomBelowBand(final TierDirectory directory) {
    return directory.limits.bandBytes() - directory.segmentBytes() - running(directory, true);
  }

  /** All directories below a level; null stands for home. */
  private List<TierDirectory> below(final int level) {
    final List<TierDirectory> below = new ArrayList<>();
    for (int i = level + 1; i < tiers.size(); i++) {
      below.addAll(tiers.get(i));
    }
    below.add(null);
    return below;
  }

  private long bytes(final Catalogue.Candidate what) throws IOException {
    final long open = what.active() ? names.physicalBytes(what.name()) : 0;
    return open > 0 ? open : what.bytes();
  }

  /** Bytes on their way into or out of a directory. */
  private long running(final TierDirectory directory, final boolean in) {
    long bytes = 0;
    for (final Move move : running()) {
      if ((in ? move.to() : move.what().directory()) == directory) {
        bytes += move.bytes();
      }
    }
    return bytes;
  }
}
