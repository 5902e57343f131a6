// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.migrate.Descent;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The moves down out of each tier: those under way, and the last one for want of room. Not kept
 * over a restart. Not safe for threads.
 */
final class Descents {
  private final Tiers tiers;
  private final long afterNanos;

  /** By the tier's name. */
  private final Map<String, Last> last = new HashMap<>();

  /** The end of a tier's last descent: for the rules, and for people. */
  private record Last(long nanos, long ms) {}

  /**
   * None yet.
   *
   * @param afterNanos the time for which one holds up what would come up
   */
  Descents(final Tiers tiers, final long afterNanos) {
    this.tiers = tiers;
    this.afterNanos = afterNanos;
  }

  /** A move has ended, whatever came of it. */
  void ended(final MigrationChoice.Move move, final long nowNanos, final long nowMs) {
    for (final List<TierDirectory> tier : tiers.list()) {
      if (move.reason().wantOfRoom() && leaves(move, tier)) {
        last.put(name(tier), new Last(nowNanos, nowMs));
      }
    }
  }

  private static String name(final List<TierDirectory> tier) {
    return tier.get(0).tier.name();
  }

  /** True if a move leads down out of a tier. */
  private static boolean leaves(final MigrationChoice.Move move, final List<TierDirectory> tier) {
    return move.down() && tier.contains(move.what().directory());
  }

  /** True if one move leads down out of the tier that another one leads into. */
  boolean collide(final MigrationChoice.Move down, final MigrationChoice.Move up) {
    return tiers.list().stream().anyMatch(tier -> tier.contains(up.to()) && leaves(down, tier));
  }

  /**
   * The descents of all tiers, fastest first.
   *
   * @param running the moves under way that get on
   */
  List<Descent> now(final List<MigrationChoice.Move> running, final long nowNanos) {
    return tiers.list().stream().map(tier -> descent(tier, running, nowNanos)).toList();
  }

  private Descent descent(
      final List<TierDirectory> tier,
      final List<MigrationChoice.Move> running,
      final long nowNanos) {
    if (running.stream().anyMatch(move -> leaves(move, tier))) {
      return Descent.UNDER_WAY;
    }
    final Last ended = last.get(name(tier));
    return ended != null && nowNanos - ended.nanos() < afterNanos ? Descent.LATELY : Descent.NONE;
  }

  /** The end of a tier's last descent, milliseconds since 1970; 0: there was none. */
  long lastMs(final String tier) {
    final Last ended = last.get(tier);
    return ended == null ? 0 : ended.ms();
  }
}
