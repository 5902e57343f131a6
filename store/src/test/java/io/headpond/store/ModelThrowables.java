// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The calls by which the product leaves its own code: of devices, for threads, for memory. They are
 * counted, and one of them throws what nobody declares when told to. A call is known by what it is
 * for, by the methods that make it, and by how many the same methods have made before. Any thread.
 */
final class ModelThrowables {
  /** What is thrown. */
  enum Kind {
    OUT_OF_MEMORY(OutOfMemoryError::new),
    STACK_OVERFLOW(StackOverflowError::new),
    RUNTIME(IllegalStateException::new),
    /** What the JVM makes of a fault in a mapping. */
    INTERNAL(InternalError::new);

    private final Function<String, Throwable> made;

    Kind(final Function<String, Throwable> made) {
      this.made = made;
    }
  }

  /**
   * One call that throws.
   *
   * @param site what is called, and by whom
   * @param number of the calls of the same site, from 1 on
   */
  record Throw(String site, int number, Kind kind) {
    @Override
    public String toString() {
      return kind + " at " + site + ", the " + number + ". time";
    }
  }

  private final Map<String, Integer> counts = new TreeMap<>();
  private boolean counting;
  private Throw planned;
  private Throwable thrown;

  /** Counts from now on; the call will throw, if there is one. */
  synchronized void begin(final Throw call) {
    counting = true;
    planned = call;
  }

  /** Neither counts nor throws any more. */
  synchronized void end() {
    counting = false;
    planned = null;
  }

  /** From now on nothing is thrown. */
  synchronized void heal() {
    planned = null;
  }

  /** Did the call throw? */
  synchronized boolean struck() {
    return thrown != null;
  }

  /** The calls so far. */
  synchronized Map<String, Integer> counts() {
    return new TreeMap<>(counts);
  }

  /**
   * Comes before each call.
   *
   * @param caller the innermost methods of the product; empty: a test looks at something
   */
  void before(final String what, final String caller) {
    final Throwable due = due(what + " by " + caller, caller.isEmpty());
    if (due instanceof RuntimeException e) {
      throw e;
    } else if (due instanceof Error e) {
      throw e;
    }
  }

  private synchronized Throwable due(final String site, final boolean test) {
    if (!counting || test) {
      return null;
    }
    final int number = counts.merge(site, 1, Integer::sum);
    if (planned == null || number != planned.number || !site.equals(planned.site)) {
      return null;
    }
    thrown = planned.kind.made.apply("thrown by a test: " + planned);
    planned = null;
    return thrown;
  }

  boolean counting() {
    return counting;
  }

  /** Is it what was thrown, or was it caused by that? */
  synchronized boolean explains(final Throwable e) {
    if (e == null || thrown == null) {
      return false;
    }
    if (e == thrown || explains(e.getCause())) {
      return true;
    }
    for (final Throwable further : e.getSuppressed()) {
      if (explains(further)) {
        return true;
      }
    }
    return false;
  }
}
