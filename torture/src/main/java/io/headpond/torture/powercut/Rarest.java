// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/** The choice of what a cut is aimed at. */
final class Rarest {
  /** One choice of so many is by chance: what is rarest may not happen at all. */
  private static final int BY_CHANCE = 4;

  private Rarest() {}

  /**
   * One of those that cuts came into the middle of least so far.
   *
   * @param id as the counts name it
   * @param hits cuts and instants of the campaign so far; what isn't there was never hit
   */
  static <T> T of(List<T> all, Function<T, String> id, Map<String, Integer> hits, Random random) {
    if (random.nextInt(BY_CHANCE) == 0) {
      return all.get(random.nextInt(all.size()));
    }
    int fewest =
        all.stream().mapToInt(each -> hits.getOrDefault(id.apply(each), 0)).min().orElseThrow();
    List<T> rarest =
        all.stream().filter(each -> hits.getOrDefault(id.apply(each), 0) == fewest).toList();
    return rarest.get(random.nextInt(rarest.size()));
  }
}
