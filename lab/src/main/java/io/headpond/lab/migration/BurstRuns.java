// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.cli.measure.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The time that a burst lasts before it overflows, against what arithmetic says. */
record BurstRuns(MigrationBench.Options options) {
  private static final double THRESHOLD = 0.5;
  private static final long SEGMENT_BYTES = 2L << 20;
  private static final int APPEND_BYTES = 256 << 10;

  /** Both far below what any home writes, so that they are kept. */
  private static final long BURST_BYTES_PER_SECOND = 120_000_000;

  private static final long MIGRATED_BYTES_PER_SECOND = 60_000_000;

  MigrationReport.Bursts run() throws IOException {
    List<Double> seconds = new ArrayList<>();
    long capacity = Math.max(64 * SEGMENT_BYTES, options.bytes());
    double predicted =
        (1 - THRESHOLD) * capacity / (BURST_BYTES_PER_SECOND - (double) MIGRATED_BYTES_PER_SECOND);
    for (int round = 0; round < options.rounds(); round++) {
      double measured = burst(capacity);
      seconds.add(measured);
      options
          .log()
          .printf("burst: %.2f of the predicted %.1f s%n", measured / predicted, predicted);
    }
    return new MigrationReport.Bursts(
        capacity,
        THRESHOLD,
        BURST_BYTES_PER_SECOND,
        MIGRATED_BYTES_PER_SECOND,
        predicted,
        Spread.of(seconds),
        Spread.ofRatios(seconds, Collections.nCopies(seconds.size(), predicted)).orElse(null));
  }

  /** Seconds until the first segment is not created in the tier. */
  private double burst(long capacity) throws IOException {
    try (BenchStore store = new BenchStore(options, capacity)) {
      store
          .with("headpond.tier.fast.migrate.threshold", Double.toString(THRESHOLD))
          .with("headpond.migrate.bytes.per.second", MIGRATED_BYTES_PER_SECOND + "B");
      store.sealed("full-0", (int) (THRESHOLD * capacity / SEGMENT_BYTES), SEGMENT_BYTES);
      Path partition = store.partition("burst-0");
      ByteBuffer piece = BenchStore.noise(APPEND_BYTES);
      long started = System.nanoTime();
      long written = 0;
      for (int i = 0; ; i++) {
        Path name = BenchStore.segment(partition, i);
        try (FileChannel channel = store.open().open(name, BenchStore.CREATE)) {
          if (!Files.isSymbolicLink(name)) {
            return (System.nanoTime() - started) / 1e9;
          }
          for (long at = 0; at < SEGMENT_BYTES; at += APPEND_BYTES) {
            BenchStore.write(channel, piece, APPEND_BYTES);
            written += APPEND_BYTES;
            long due = started + (long) (written * 1e9 / BURST_BYTES_PER_SECOND);
            while (System.nanoTime() < due) {
              LockSupport.parkNanos(due - System.nanoTime());
            }
          }
        }
      }
    }
  }
}
