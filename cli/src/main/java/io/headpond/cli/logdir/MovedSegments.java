// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.DataAge;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.migrate.Age;
import io.headpond.store.migrate.Candidates;
import io.headpond.store.migrate.Descent;
import io.headpond.store.migrate.RankOrder;
import io.headpond.store.migrate.Situation;
import io.headpond.store.migrate.Situation.HomeState;
import io.headpond.store.migrate.TierState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A broker's segments, tiers and homes after moves that are only thought of. */
final class MovedSegments implements Candidates<Path, OutlookSegment> {
  private final BrokerSnapshot snapshot;
  private final RankOrder<Path, OutlookSegment> ranks;
  private final RankOrder.Movable<OutlookSegment> now;
  private final Map<Path, TierState<Path>> tiers;
  private final Map<Path, HomeState> homes;

  /** Before the first move. */
  MovedSegments(BrokerSnapshot snapshot) {
    this(snapshot, segment -> true);
  }

  /** Before the first move of some segments; the others stay. */
  MovedSegments(BrokerSnapshot snapshot, Predicate<OutlookSegment> movable) {
    this.snapshot = snapshot;
    ranks = new RankOrder<>(OutlookSegment::homeOnly);
    now = segment -> true;
    tiers = new HashMap<>();
    snapshot.segments().values().stream().filter(movable).forEach(ranks::add);
    for (BrokerSnapshot.Place place : snapshot.places()) {
      if (!place.atHome()) {
        tiers.put(place.path(), place.state());
      }
    }
    homes = new HashMap<>(snapshot.homes());
  }

  private MovedSegments(MovedSegments all, Set<Path> without) {
    snapshot = all.snapshot;
    ranks = all.ranks;
    now = segment -> !without.contains(segment.home());
    tiers = all.tiers;
    homes = all.homes;
  }

  @Override
  public MovedSegments without(Set<Path> leftOut) {
    return new MovedSegments(this, leftOut);
  }

  /** The values that a choice is made from now. A descent ends, and only delays moves. */
  Situation<Path> situation(StoreConfig config, DataAge dataAge, long nowMs) {
    List<List<TierState<Path>>> levels = new ArrayList<>();
    config.tiers().forEach(tier -> levels.add(new ArrayList<>()));
    for (BrokerSnapshot.Place place : snapshot.places()) {
      if (!place.atHome()) {
        levels.get(place.level()).add(tiers.get(place.path()));
      }
    }
    levels.removeIf(List::isEmpty);
    return new Situation<>(
        levels,
        Collections.nCopies(levels.size(), Descent.NONE),
        homes,
        0,
        nowMs,
        snapshot.swapMargin(),
        config.deletedSoonBeforeMs(nowMs),
        dataAge.oldBeforeMs(nowMs));
  }

  /** Puts a segment elsewhere; null: home. */
  void move(OutlookSegment segment, Path to) {
    ranks.remove(segment);
    taken(segment.directory(), segment, -segment.bytes());
    taken(to, segment, segment.bytes());
    segment.moved(to);
    if (to != null || !segment.homeOnly()) {
      ranks.add(segment);
    }
  }

  private void taken(Path place, OutlookSegment segment, long bytes) {
    if (place == null) {
      homes.computeIfPresent(
          segment.home(),
          (home, state) ->
              new HomeState(state.roomBytes() - bytes, state.roomBytes() - bytes <= 0));
    } else {
      tiers.computeIfPresent(
          place,
          (path, tier) ->
              new TierState<>(
                  path,
                  tier.limits(),
                  tier.segmentBytes() + bytes,
                  0,
                  0,
                  tier.takes() ? tier.roomBytes() - bytes : 0,
                  tier.failed(),
                  tier.draining()));
    }
  }

  /** The time of a segment's newest record was looked up; it may rank lower now. */
  void date(OutlookSegment segment, long newestMs, long oldBeforeMs) {
    segment.dated(newestMs);
    if (Age.of(segment.lastAppendMs(), segment.newestMs(), oldBeforeMs) == Age.OLDER) {
      ranks.remove(segment);
      segment.appended(newestMs);
      ranks.add(segment);
    }
  }

  @Override
  public OutlookSegment coldest(Path directory, long spareBeforeMs) {
    return ranks.coldest(directory, spareBeforeMs, now);
  }

  @Override
  public OutlookSegment coldestActive(Path directory) {
    return ranks.coldestActive(directory, now);
  }

  @Override
  public OutlookSegment homeward(Path directory) {
    return ranks.homeward(directory, now);
  }

  @Override
  public OutlookSegment any(Path directory) {
    return ranks.any(directory, now);
  }

  @Override
  public OutlookSegment activeAtHome(Predicate<Path> of) {
    return ranks.anyActive(null, of, now);
  }

  @Override
  public OutlookSegment hottest(Collection<Path> directories, long bytesMax) {
    return ranks.hottest(directories, bytesMax, now);
  }
}
