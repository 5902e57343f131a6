// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.migrate.Descent;
import java.util.ArrayList;
import java.util.List;

/**
 * The moves down out of each tier: those under way, and the last one for want of room. Not kept
 * over a restart. Not safe for threads.
 */
final class Descents {
  private final List<List<TierDirectory>> tiers;
  private final long afterNanos;

  /** For each tier. */
  private final Last[] last;

  /** The end of a tier's last descent: for the rules, and for people. */
  private record Last(long nanos, long ms) {}

  /**
   * None yet.
   *
   * @param afterNanos the time for which one holds up what would come up
   */
  Descents(final List<List<TierDirectory>> tiers, final long afterNanos) {
    this.tiers = tiers;
    this.afterNanos = afterNanos;
    last = new Last[tiers.size()];
  }

  /** A move has ended, whatever came of it. */
  void ended(final MigrationChoice.Move move, final long nowNanos, final long nowMs) {
    for (int level = 0; level < last.length; level++) {
      if (move.reason().wantOfRoom() && leaves(move, level)) {
        last[level] = new Last(nowNanos, nowMs);
      }
    }
  }

  /** True if a move leads down out of a tier. */
  private boolean leaves(final MigrationChoice.Move move, final int level) {
    return move.down() && tiers.get(level).contains(move.what().directory());
  }

  /** True if one move leads down out of the tier that another one leads into. */
  boolean collide(final MigrationChoice.Move down, final MigrationChoice.Move up) {
    for (int level = 0; level < last.length; level++) {
      if (tiers.get(level).contains(up.to()) && leaves(down, level)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The descents of all tiers.
   *
   * @param running the moves under way that get on
   */
  List<Descent> now(final List<MigrationChoice.Move> running, final long nowNanos) {
    final List<Descent> now = new ArrayList<>();
    for (int level = 0; level < last.length; level++) {
      now.add(now(running, level, nowNanos));
    }
    return now;
  }

  private Descent now(
      final List<MigrationChoice.Move> running, final int level, final long nowNanos) {
    if (running.stream().anyMatch(move -> leaves(move, level))) {
      return Descent.UNDER_WAY;
    }
    final boolean lately = last[level] != null && nowNanos - last[level].nanos() < afterNanos;
    return lately ? Descent.LATELY : Descent.NONE;
  }

  /** The end of a tier's last descent, milliseconds since 1970; 0: there was none. */
  long lastMs(final int level) {
    return last[level] == null ? 0 : last[level].ms();
  }
}
