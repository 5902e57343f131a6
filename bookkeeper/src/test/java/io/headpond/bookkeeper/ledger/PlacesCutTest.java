// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Power cuts of the devices of entry logs, simulated: {@link PlacesRun}. */
class PlacesCutTest {
  private static final int SEEDS = Integer.getInteger("headpond.test.seeds", 60);

  @Test
  void everyLogThatCountsIsThereAfterEveryCut() throws Exception {
    final long first = Long.getLong("headpond.test.seed", System.nanoTime());
    long looks = 0;
    for (long seed = first; seed < first + SEEDS; seed++) {
      try (PlacesRun run = new PlacesRun(seed)) {
        run.play();
        looks += run.looks();
      } catch (final AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    System.out.printf("entry logs: %d power cuts from seed %d%n", looks, first);
    assertThat(looks).isPositive();
  }
}
