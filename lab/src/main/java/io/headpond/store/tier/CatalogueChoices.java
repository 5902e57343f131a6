// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.migrate.Policies;
import io.headpond.store.migrate.PolicySettings;
import io.headpond.store.migrate.TopicPatterns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * The cost of a choice of the next segment to move. In the catalogue's package, because what it
 * measures is nobody else's business.
 */
public final class CatalogueChoices {
  private static final int SEGMENTS_OF_A_LOG = 100;
  private static final int ROUNDS = 21;
  private static final int CHOICES = 2_000;
  private static final long HALF_LIFE_MS = 600_000;

  private CatalogueChoices() {}

  /** Nanoseconds for taking the coldest of so many segments and putting it back: the median. */
  public static double medianNanos(final int segments) {
    final Catalogue catalogue = filled(segments);
    final double[] nanos = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      final long started = System.nanoTime();
      for (int i = 0; i < CHOICES; i++) {
        final SegmentCandidate coldest = catalogue.movable(started).coldest(null, Long.MIN_VALUE);
        if (!catalogue.begin(coldest)) {
          throw new IllegalStateException(coldest + " is moving already");
        }
        catalogue.end(coldest, 0, started);
      }
      nanos[round] = (double) (System.nanoTime() - started) / CHOICES;
    }
    Arrays.sort(nanos);
    return nanos[ROUNDS / 2];
  }

  private static Catalogue filled(final int segments) {
    final Catalogue catalogue =
        new Catalogue(
            Policies.of(
                "freshness",
                new PolicySettings(Duration.ofHours(1)),
                new TopicPatterns(List.of())),
            HALF_LIFE_MS);
    final Random random = new Random(segments);
    for (int i = 0; i < segments; i++) {
      catalogue.add(
          Path.of("/logs/topic-" + i / SEGMENTS_OF_A_LOG),
          String.format(Locale.ROOT, "%020d.log", i % SEGMENTS_OF_A_LOG),
          null,
          1,
          random.nextInt(1_000_000_000),
          false);
    }
    return catalogue;
  }
}
