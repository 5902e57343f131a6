// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.measure.Spread;
import java.util.List;

/**
 * What durable records cost with Headpond and without, with both log directories on one disk.
 *
 * @param fileSystem of the user's disk, which has the tier
 * @param recordBytes size of a record; each waits for the one before
 * @param limitedHome the slow disk of the log directories, in words; null: they are on the user's
 * @param limitFault why that disk wasn't as slow as it is said to be; null: it was
 * @param headpondRecordsPerS with {@code headpond.durability=append}; the median of its turns
 * @param headpondP99Ms from a record's send to its acknowledgement, over all turns
 * @param forcedRecordsPerS of unmodified Kafka with {@code flush.messages=1}
 * @param forcedP99Ms its latency
 * @param ratios Headpond's records per second divided by unmodified Kafka's, turn by turn
 */
record DurableResult(
    String fileSystem,
    int recordBytes,
    String limitedHome,
    String limitFault,
    double headpondRecordsPerS,
    double headpondP99Ms,
    double forcedRecordsPerS,
    double forcedP99Ms,
    List<Double> ratios) {

  private static final double NOISY_FROM = 2;

  static DurableResult of(
      String fileSystem,
      int recordBytes,
      ComparisonHome home,
      DurableSide headpond,
      DurableSide forced) {
    return new DurableResult(
        fileSystem,
        recordBytes,
        home.text().orElse(null),
        home.fault().orElse(null),
        Spread.of(headpond.rates()).median(),
        headpond.p99Ms(),
        Spread.of(forced.rates()).median(),
        forced.p99Ms(),
        ratios(headpond.rates(), forced.rates()));
  }

  static List<Double> ratios(List<Double> ours, List<Double> theirs) {
    return Spread.ofRatios(ours, theirs).orElseThrow().values();
  }

  /** The ratios' median, smallest and largest. */
  Spread ratio() {
    return Spread.of(ratios);
  }

  /** True if the turns differ so much that their median says little. */
  boolean noisy() {
    return ratio().max() > NOISY_FROM * ratio().min();
  }
}
