// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.lab.kafka.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much one turn may write. Nothing is deleted while it is measured, so the phase at full speed
 * ends early where its share is used up.
 *
 * @param warmUpBytes of the warm-up, on the log
 * @param produceBytes of the phase at full speed, of keys and values
 * @param tierBytes the fast tier's capacity, enough for all phases and for what placement holds
 *     back for segments that are still growing
 */
record SpaceBudget(long warmUpBytes, long produceBytes, long tierBytes) {

  private static final long WARM_UP_BYTES_MAX = 512 << 20;
  private static final long PRODUCE_BYTES_MAX = 3L << 30;
  private static final long PRODUCE_BYTES_MIN = 64 << 20;

  /** Kafka's {@code log.segment.bytes}: what a new segment is expected to become. */
  private static final long SEGMENT_BYTES = 1L << 30;

  /** Grown ahead, in flight, indexes, the logs of the broker itself. */
  private static final long MARGIN_BYTES = 512 << 20;

  /** What {@code folders} have room for, with as much again left free. */
  static SpaceBudget of(KafkaBenchSettings settings, Load load) throws IOException {
    double phases =
        (settings.measures().contains(Measure.LATENCY) ? 1 : 0)
            + (settings.measures().contains(Measure.ROLL) ? 1 : 0);
    double rateBytes = settings.rate(load) * (load.recordBytes() + 100);
    long fixed =
        MARGIN_BYTES
            + WARM_UP_BYTES_MAX
            + (long) (phases * rateBytes * (OpenLoop.rampSeconds(settings) + settings.seconds()));
    long free = Long.MAX_VALUE;
    for (Path folder : new Path[] {settings.fast(), settings.home()}) {
      free = Math.min(free, Files.getFileStore(folder).getUsableSpace());
    }
    long produce = Math.min(PRODUCE_BYTES_MAX, free / 2 - fixed);
    if (produce < PRODUCE_BYTES_MIN) {
      throw new IOException(
          "the benchmark needs "
              + ((2 * (fixed + PRODUCE_BYTES_MIN)) >> 20)
              + " MiB free in each of "
              + settings.fast()
              + " and "
              + settings.home()
              + ", and there are "
              + (free >> 20)
              + " MiB; name other folders, or take fewer seconds or a lower rate");
    }
    return new SpaceBudget(
        WARM_UP_BYTES_MAX,
        produce,
        fixed + produce + produce / 8 + settings.partitions() * SEGMENT_BYTES);
  }
}
