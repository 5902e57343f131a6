// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.Findings;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The deeds and findings of a soak so far. One thread.
 *
 * @param <E> the events that happen
 * @param <F> the findings of a comparison
 */
final class SoakTally<E extends Enum<E>, F extends Findings<F>> {
  /** Of a process that isn't restarted: {@link Growth#bytes}. */
  private static final long GROWTH_LIMIT = 64L << 20;

  private final Map<E, Integer> events;
  private final F nothing;
  private final Footprint limit;
  private final int perFile;
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
   * @param limit of what the server may hold
   * @param perFile descriptors and mappings that it may hold for each of its files besides
   */
  SoakTally(Class<E> events, F nothing, Footprint limit, int perFile) {
    this.limit = limit;
    this.perFile = perFile;
    this.events = new EnumMap<>(events);
    this.nothing = nothing;
    lap = nothing;
    closed = nothing;
  }

  void happened(E event) {
    events.merge(event, 1, Integer::sum);
  }

  /** Counts of the events, by their names in lower case. */
  Map<String, Integer> events() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    events.forEach((event, count) -> counts.put(event.name().toLowerCase(Locale.ROOT), count));
    return counts;
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
   * @param files segments or entry logs, which it may hold open
   */
  void holds(Footprint now, long files) {
    most = most.max(now);
    Footprint allowed = limit.plusFiles(perFile * files);
    if (!now.within(allowed)) {
      beyond("with " + files + " files the server held " + now + ", the limit is " + allowed);
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
