// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.guest.Moment;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Waits for the moment of a cut, in a boot where a store is written to. One thread. */
final class Aim {
  /**
   * So many records more are waited for until what the cut is aimed at begins, if it was seldom
   * hit: a truncation comes once in 500.
   */
  private static final int RECORDS_MAX = 1_500;

  /** So many otherwise: another moment takes less time to come. */
  private static final int RECORDS_LATER_MAX = 300;

  /** Fewer hits are seldom. */
  private static final int HITS = 5;

  /**
   * The moments to aim at, which are rare otherwise; recovery and drain have rounds of their own.
   */
  private static final List<Moment> MOMENTS =
      List.of(
          Moment.ROLL,
          Moment.COMPACTION,
          Moment.SEGMENT_DELETION,
          Moment.TOPIC_DELETION,
          Moment.TRUNCATION,
          Moment.MIGRATION);

  private static final long AFTER_NANOS_MAX = 30_000_000;

  /** Number of halvings at most: moments differ by orders of magnitude in length. */
  private static final int AFTER_HALVED_MAX = 7;

  private final Boot boot;
  private final Setup setup;
  private final boolean small;
  private final Consumer<String> progress;

  /**
   * @param small whether the tier holds only a part of the segments: else none is moved
   */
  Aim(Boot boot, Setup setup, boolean small, Consumer<String> progress) {
    this.boot = boot;
    this.setup = setup;
    this.small = small;
    this.progress = progress;
  }

  /** True if a moment was hit so seldom that more effort is worth it. */
  static boolean seldom(Moment moment, Map<String, Integer> hits) {
    return hits.getOrDefault(moment.id(), 0) < HITS;
  }

  /** The time from a moment's beginning to the cut. */
  static long afterNanos(Random random) {
    return random.nextLong(AFTER_NANOS_MAX >> random.nextInt(AFTER_HALVED_MAX + 1));
  }

  /** Until Headpond is about to start. */
  void awaitStart() throws IOException, InterruptedException {
    boot.await(1, line -> line.startsWith("DEVICE"), n -> progress.accept("starting"));
  }

  /** Until so many more records are acknowledged. */
  void awaitRecords(int records) throws IOException, InterruptedException {
    if (setup.matures()) {
      boot.await(1, "MATURE"::equals, n -> progress.accept("writing until the JVM is mature"));
    }
    boot.awaitFromNow(
        lines -> {
          long n = Promises.records(lines);
          progress.accept(n == 0 ? "starting and checking" : n + " more records acknowledged");
          return n >= records;
        });
  }

  /**
   * Until something that is worth waiting for begins the next time; not for long: it may not
   * happen.
   *
   * @param hits cuts and instants of the campaign so far, by what they came into the middle of
   */
  void awaitRarest(Map<String, Integer> hits, Random random)
      throws IOException, InterruptedException {
    List<Moment> possible =
        MOMENTS.stream().filter(each -> small || each != Moment.MIGRATION).toList();
    Moment moment = Rarest.of(possible, Moment::id, hits, random);
    int most = seldom(moment, hits) ? RECORDS_MAX : RECORDS_LATER_MAX;
    progress.accept("waiting for " + moment.id());
    boot.awaitFromNow(lines -> lines.contains(moment.begins()) || Promises.records(lines) > most);
  }
}
