// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.nio.KafkaTimeIndex;
import io.headpond.store.DataAge;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.migrate.Candidates;
import io.headpond.store.migrate.Choice;
import io.headpond.store.migrate.MigrationRules;
import io.headpond.store.migrate.Situation;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The moves up that the store's {@link MigrationRules} choose of some segments, whenever these were
 * written: the hottest first, as far as the tiers take segments up.
 */
final class Ascent {
  /** Nothing but what may come up: the rules find nothing that has to go down for it. */
  private record OnlyUp(MovedSegments all) implements Candidates<Path, OutlookSegment> {
    @Override
    public OnlyUp without(Set<Path> homes) {
      return this; // nothing that goes down
    }

    @Override
    public OutlookSegment coldest(Path directory, long spareBeforeMs) {
      return null;
    }

    @Override
    public OutlookSegment coldestActive(Path directory) {
      return null;
    }

    @Override
    public OutlookSegment homeward(Path directory) {
      return null;
    }

    @Override
    public OutlookSegment any(Path directory) {
      return null;
    }

    @Override
    public OutlookSegment activeAtHome(Predicate<Path> of) {
      return null;
    }

    @Override
    public OutlookSegment hottest(Collection<Path> directories, long bytesMax) {
      return all.hottest(directories, bytesMax);
    }
  }

  private Ascent() {}

  /**
   * The tier directory of each segment that comes up.
   *
   * @param snapshot a broker that doesn't run; what was there before Headpond isn't told from the
   *     rest
   */
  static Map<OutlookSegment, Path> of(
      StoreConfig config, BrokerSnapshot snapshot, Predicate<OutlookSegment> movable, long nowMs) {
    MovedSegments moved = new MovedSegments(snapshot, movable);
    OnlyUp candidates = new OnlyUp(moved);
    DataAge dataAge = new DataAge(KafkaTimeIndex::newestMs, config.placementMaxAge().toMillis());
    Map<OutlookSegment, Path> up = new LinkedHashMap<>();
    while (true) {
      Situation<Path> now = moved.situation(config, dataAge, nowMs);
      Choice<Path, OutlookSegment> choice = MigrationRules.next(now, candidates);
      Optional<OutlookSegment> undated = Optional.ofNullable(choice.undated());
      if (choice.move() != null) {
        moved.move(choice.move().segment(), choice.move().to());
        up.put(choice.move().segment(), choice.move().to());
      } else if (undated.isPresent()) {
        long newestMs = dataAge.newestMs(undated.get().entry().name());
        moved.date(undated.get(), newestMs, now.oldBeforeMs());
      } else {
        return up;
      }
    }
  }
}
