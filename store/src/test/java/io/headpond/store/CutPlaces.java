// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what power cuts came into the middle of: the steps of the threads that they stopped. */
final class CutPlaces {
  /** All there are: before each of these calls the power may go. */
  private final SortedSet<String> changing;

  private final SortedMap<String, Integer> calls = new TreeMap<>();
  private final SortedMap<Transition, Integer> transitions = new TreeMap<>();

  /**
   * None yet.
   *
   * @param changing the methods that change devices, as {@link ProductCalls#changing}
   */
  CutPlaces(final SortedSet<String> changing) {
    this.changing = changing;
    changing.forEach(place -> calls.put(place, 0));
    for (final Transition transition : Transition.values()) {
      transitions.put(transition, 0);
    }
  }

  /** The power goes in the calling thread, before what it was about to do. */
  synchronized void cut() {
    final Set<Transition> within = EnumSet.noneOf(Transition.class);
    final var steps =
        StackWalker.getInstance()
            .walk(frames -> frames.map(ProductCalls::place).collect(Collectors.toList()));
    steps.stream()
        .filter(changing::contains)
        .findFirst()
        .ifPresent(place -> calls.merge(place, 1, Integer::sum));
    for (final String step : steps) {
      for (final Transition transition : Transition.values()) {
        if (transition.has(step)) {
          within.add(transition);
        }
      }
    }
    within.forEach(transition -> transitions.merge(transition, 1, Integer::sum));
  }

  /** Cuts by what they came into the middle of. */
  synchronized SortedMap<Transition, Integer> transitions() {
    return new TreeMap<>(transitions);
  }

  /** The same by the call that wasn't made any more. */
  synchronized SortedMap<String, Integer> calls() {
    return new TreeMap<>(calls);
  }
}
