// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.ModelFaults.Call;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The rule by which a seed chooses who goes on. Each seed draws one of several, because each makes
 * other rare orders likely.
 */
final class ChoiceOfTurn {
  /** The weight of a slow thread. */
  private static final double SLOW = 0.02;

  /** The share of steps after which another thread may go on. */
  private static final double SWITCHES = 0.15;

  private static final int CHANGES_MAX = 5;
  private static final int CHANGES_WITHIN_STEPS = 80;

  /** A late force is made at one step in so many after a name has changed. */
  private static final int LATE_ONE_IN = 2;

  /** As long as a name counts as just changed. */
  private static final int LATE_STEPS = 3;

  /** As long as a force may be of the rename before it. */
  private static final int LATE_BEGIN_STEPS = 40;

  /** Calls that change nothing on a device. */
  private static final Set<Call> LOOKS =
      EnumSet.of(Call.READ, Call.SIZE, Call.READ_LINK, Call.LIST, Call.ATTRIBUTES, Call.SPACE);

  /**
   * A thread that might go on.
   *
   * @param made does the call return?
   * @param name is it about a name in a log directory: does it change, or become durable?
   */
  record Candidate(String player, Call call, boolean made, boolean name) {}

  enum Rule {
    /** All are equally likely. */
    EVEN,
    /** The last one goes on, mostly. */
    STAYS,
    /** The first by random priorities, of which a few change on the way (PCT). */
    PRIORITIES,
    /** One thread in three is slow. */
    SLOW_THREADS,
    /** A force ends when nothing else is left to do, or just after a name has changed. */
    LATE_FORCES,
    /** The same of forces of names in log directories alone. */
    LATE_NAMES
  }

  /** Each alike. */
  static final List<Rule> EACH = List.of(Rule.values());

  /** The one by which a name is forced late. */
  static final List<Rule> LATE = List.of(Rule.LATE_NAMES);

  /** What waits for a name is what differs most from plain files: it comes more often. */
  static final List<Rule> MOSTLY_LATE =
      List.of(
          Rule.EVEN,
          Rule.STAYS,
          Rule.PRIORITIES,
          Rule.SLOW_THREADS,
          Rule.LATE_FORCES,
          Rule.LATE_NAMES,
          Rule.LATE_NAMES,
          Rule.LATE_NAMES,
          Rule.LATE_NAMES);

  private final Random random;
  private final Rule rule;
  private final boolean stopsAtLooks;

  /** Do forces begin late that may be of a rename, and the others at once? */
  private final boolean lateAfterRenames;

  private final Map<String, Double> weights = new HashMap<>();

  /** Is the force late to begin that this player is about to make? */
  private final Map<String, Boolean> begins = new HashMap<>();

  private final Set<Integer> changes = new HashSet<>();
  private Candidate last;
  private int step;
  private int renamedAt = -LATE_BEGIN_STEPS;

  ChoiceOfTurn(final Random random, final List<Rule> rules) {
    this.random = random;
    rule = rules.get(random.nextInt(rules.size()));
    stopsAtLooks = random.nextInt(4) == 0;
    lateAfterRenames = random.nextInt(3) > 0;
    for (int i = random.nextInt(CHANGES_MAX); i >= 0; i--) {
      changes.add(random.nextInt(CHANGES_WITHIN_STEPS));
    }
  }

  /** Does such a call change nothing on a device? */
  static boolean looks(final Call call) {
    return call == null || LOOKS.contains(call);
  }

  /** Does a thread stop at such a call? Any thread. */
  boolean stops(final Call call) {
    return stopsAtLooks || !looks(call);
  }

  /** The index of the one that goes on. */
  int next(final List<Candidate> candidates) {
    final int chosen =
        switch (rule) {
          case EVEN -> random.nextInt(candidates.size());
          case STAYS -> stays(candidates);
          case PRIORITIES -> first(candidates);
          case SLOW_THREADS -> weighted(candidates);
          case LATE_FORCES, LATE_NAMES -> lateForces(candidates);
        };
    last = candidates.get(chosen);
    begins.remove(last.player());
    step++;
    if (last.call() == Call.RENAME && last.made() && last.name()) {
      renamedAt = step;
    }
    return chosen;
  }

  private int stays(final List<Candidate> candidates) {
    for (int i = 0; i < candidates.size() && last != null; i++) {
      if (candidates.get(i).player().equals(last.player()) && random.nextDouble() > SWITCHES) {
        return i;
      }
    }
    return random.nextInt(candidates.size());
  }

  private int first(final List<Candidate> candidates) {
    int first = 0;
    for (int i = 0; i < candidates.size(); i++) {
      if (weight(candidates.get(i)) > weight(candidates.get(first))) {
        first = i;
      }
    }
    if (changes.contains(step)) {
      weights.put(candidates.get(first).player(), -1.0 - step);
    }
    return first;
  }

  private double weight(final Candidate candidate) {
    return weights.computeIfAbsent(candidate.player(), absent -> random.nextDouble());
  }

  private int weighted(final List<Candidate> candidates) {
    final double[] each = new double[candidates.size()];
    double all = 0;
    for (int i = 0; i < each.length; i++) {
      each[i] = weight(candidates.get(i)) < 1.0 / 3 ? SLOW : 1;
      all += each[i];
    }
    double at = random.nextDouble() * all;
    for (int i = 0; i < each.length; i++) {
      at -= each[i];
      if (at < 0) {
        return i;
      }
    }
    return each.length - 1;
  }

  private int lateForces(final List<Candidate> candidates) {
    final List<Integer> late = new ArrayList<>();
    final List<Integer> others = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      (late(candidates.get(i)) ? late : others).add(i);
    }
    final boolean renamed = step - renamedAt < LATE_STEPS;
    List<Integer> from = others;
    if (others.isEmpty() || !late.isEmpty() && renamed && random.nextInt(LATE_ONE_IN) == 0) {
      from = late.stream().filter(i -> candidates.get(i).made()).toList();
      from = from.isEmpty() ? late : from;
    }
    return from.get(random.nextInt(from.size()));
  }

  /**
   * A force is late to return, and may be late to begin: what waits for an earlier force than its
   * own is told too early then.
   */
  private boolean late(final Candidate candidate) {
    return candidate.call() == Call.FORCE
        && (rule == Rule.LATE_FORCES || candidate.name())
        && (candidate.made() || beginsLate(candidate));
  }

  private boolean beginsLate(final Candidate candidate) {
    return lateAfterRenames
        ? step - renamedAt < LATE_BEGIN_STEPS
        : begins.computeIfAbsent(candidate.player(), absent -> random.nextBoolean());
  }

  @Override
  public String toString() {
    return rule + (stopsAtLooks ? ", also at calls that only look" : "");
  }
}
