// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.Findings;
import java.util.EnumMap;
import java.util.Map;

/**
 * The deeds and findings of a soak so far. One thread.
 *
 * @param <E> the events that happen
 * @param <F> the findings of a comparison
 */
abstract class SoakTally<E extends Enum<E>, F extends Findings<F>> {
  /** Of a process that isn't restarted: {@link Growth#bytes}. */
  private static final long GROWTH_LIMIT = 64L << 20;

  private final Map<E, Integer> events;
  private final F nothing;
  private F lap;
  private F closed;
  private Footprint most = new Footprint(0, 0, 0);
  private String beyond = "";
  private long growthMax = Long.MIN_VALUE;
  int laps;
  int calmLaps;
  int killsInMoves;
  int starts;
  int vanillaStarts;
  int drains;
  int drainsKilled;
  long compared;

  /**
   * @param nothing the findings where nothing was read
   */
  SoakTally(Class<E> events, F nothing) {
    this.events = new EnumMap<>(events);
    this.nothing = nothing;
    lap = nothing;
    closed = nothing;
  }

  void happened(E event) {
    events.merge(event, 1, Integer::sum);
  }

  int count(E event) {
    return events.getOrDefault(event, 0);
  }

  /** Takes the comparison of all that was written in this lap. */
  void found(F findings) {
    lap = findings;
    compared += findings.verified();
  }

  /** Takes the comparison of something that is gone now, for good. */
  void foundForGood(F findings) {
    closed = closed.plus(findings);
    compared += findings.verified();
  }

  /** Closes the lap's tally: what it wrote will be gone. */
  void lapEnds() {
    closed = closed.plus(lap);
    lap = nothing;
  }

  /** Over all laps. */
  F all() {
    return closed.plus(lap);
  }

  /**
   * Takes the server's present footprint.
   *
   * @param limit of a server that has as much to hold
   * @param holder the server and what it has to hold, in words
   */
  void holds(Footprint now, Footprint limit, String holder) {
    most = most.max(now);
    if (!now.within(limit)) {
      beyond(holder + " held " + now + ", the limit is " + limit);
    }
  }

  /** Takes what the server's memory did in a lap that left it running. */
  void grew(Growth growth) {
    calmLaps++;
    if (growth.known()) {
      growthMax = Math.max(growthMax, growth.bytes());
      if (growth.bytes() > GROWTH_LIMIT) {
        beyond("a server that ran on grew by " + growth.bytes() + " bytes");
      }
    }
  }

  /** The largest growth that was seen, which may be negative; null if none could be seen. */
  Long growthMax() {
    return growthMax == Long.MIN_VALUE ? null : growthMax;
  }

  /** Takes that the server held more than is allowed. */
  private void beyond(String what) {
    if (beyond.isEmpty()) {
      beyond = what;
    }
  }

  Footprint most() {
    return most;
  }

  /** The first time that the server held more than its limit, in words; empty if it never did. */
  String beyond() {
    return beyond;
  }

  /** Nothing is gained by going on: what lies there is evidence. */
  boolean bad() {
    return !all().clean();
  }
}
