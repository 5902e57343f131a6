// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.RoundFigures;
import io.headpond.lab.kafka.variant.Variant;
import org.HdrHistogram.Histogram;

/**
 * One chore of one variant's broker.
 *
 * @param load in words
 * @param round from 1 on
 * @param doneSeconds from the order to the end: the last file is gone, all is compacted, or the
 *     started broker serves clients
 * @param quiet publish latencies from when a message was due, nanoseconds, before the chore
 * @param beside the same from the order on; of a restart: from when the broker serves on
 * @param seconds of {@code beside}
 * @param io of home's device from the order on to the end of {@code beside}
 * @param firstReads of a restart: what a consumer of the cold topic got; null: there was none
 * @param cpu used in {@code beside}
 * @param othersShare share of the processors, 0 to 1, that something else used in it
 */
public record UpkeepTurn(
    String load,
    Chore chore,
    int round,
    Variant variant,
    double doneSeconds,
    @JsonIgnore Histogram quiet,
    @JsonIgnore Histogram beside,
    double seconds,
    DeviceIo io,
    @JsonInclude(JsonInclude.Include.NON_NULL) FirstReads firstReads,
    @JsonIgnore CpuTime cpu,
    double othersShare)
    implements RoundFigures<String, Variant> {

  /**
   * The reads of a cold topic from its beginning, by a broker that has just started.
   *
   * @param firstSeconds until the first record
   * @param bytesPerSecond from the beginning to the end of all, or of the measured time
   */
  public record FirstReads(double firstSeconds, double bytesPerSecond) {}
}
