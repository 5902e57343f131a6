// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.migration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * What appends take while sealed segments of another log are migrated, and just before: one writer
 * at a fixed rate. The segments are all due at a moment some seconds after the start.
 */
final class AppendRuns {
  private static final long SEGMENT_BYTES = 64L << 20;
  private static final int APPEND_BYTES = 16 << 10;
  private static final long INTERVAL_NANOS = 250_000;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long DUE_MS = 6_000;

  private final MigrationBench.Options options;

  AppendRuns(MigrationBench.Options options) {
    this.options = options;
  }

  MigrationReport.Appends run() throws IOException {
    List<Double> otherwise = new ArrayList<>();
    List<Double> migrating = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < options.rounds(); round++) {
      Histogram before = new Histogram(3);
      Histogram during = new Histogram(3);
      measure(before, during);
      double without = before.getValueAtPercentile(99) / 1e3;
      double with = during.getValueAtPercentile(99) / 1e3;
      otherwise.add(without);
      migrating.add(with);
      ratios.add(with / without);
      options
          .log()
          .printf(
              "appends: P99 %.2f times as long (%d appends while migrating)%n",
              with / without, during.getTotalCount());
    }
    return new MigrationReport.Appends(
        APPEND_BYTES, Spread.of(otherwise), Spread.of(migrating), Spread.of(ratios));
  }

  private void measure(Histogram before, Histogram during) throws IOException {
    int segments = (int) Math.max(2, options.bytes() / SEGMENT_BYTES);
    try (BenchStore store = new BenchStore(options, 3 * options.bytes() + (1L << 30))) {
      store
          .with("headpond.migrate.policy", "age")
          .with("headpond.migrate.age", DUE_MS + "ms")
          .with("headpond.tier.fast.migrate.threshold", "0.99");
      Path partition = store.sealed("old-0", segments, SEGMENT_BYTES);
      store.stop();
      FileTime now = FileTime.fromMillis(System.currentTimeMillis());
      for (int i = 0; i < segments; i++) {
        Files.setLastModifiedTime(BenchStore.segment(partition, i), now);
      }
      Path growing = BenchStore.segment(store.partition("new-0"), 0);
      try (FileChannel channel = store.open().open(growing, BenchStore.CREATE)) {
        long dueNanos =
            System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(now.toMillis() + DUE_MS)
                - TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        append(channel, before, dueNanos, partition, 0);
        append(channel, during, Long.MAX_VALUE, partition, segments);
      }
    }
  }

  /** Appends until a moment, or until so many segments are home. */
  private static void append(
      FileChannel channel, Histogram histogram, long untilNanos, Path partition, int homeCount)
      throws IOException {
    ByteBuffer piece = BenchStore.noise(APPEND_BYTES);
    long started = System.nanoTime();
    long due = started;
    int home = 0;
    boolean begun = homeCount == 0;
    while (untilNanos == Long.MAX_VALUE ? home < homeCount : System.nanoTime() < untilNanos) {
      due += INTERVAL_NANOS;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      long from = System.nanoTime();
      channel.write(piece.clear());
      long nanos = System.nanoTime() - from;
      if (begun && (homeCount > 0 || from - started > WARM_UP_NANOS)) {
        histogram.recordValue(nanos);
      }
      if (homeCount > 0) {
        while (home < homeCount && !Files.isSymbolicLink(BenchStore.segment(partition, home))) {
          home++;
        }
        begun |= home > 0;
      }
      due = Math.max(due, System.nanoTime() - 10 * INTERVAL_NANOS);
    }
  }
}
