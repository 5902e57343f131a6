// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.cli.measure.Spread;
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
 * The latency of appends while sealed segments of another log are migrated, and just before: one
 * writer at a fixed rate. The segments are all due at a moment some seconds after the start.
 */
record AppendRuns(MigrationBench.Options options) {
  private static final long SEGMENT_BYTES = 16L << 20;
  private static final int APPEND_BYTES = 16 << 10;
  private static final long INTERVAL_NANOS = 250_000;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long DUE_MS = 12_000;

  /** Appends between two looks at what is home already. */
  private static final int LOOK_EVERY = 16;

  MigrationReport.Appends run() throws IOException {
    List<Double> otherwise = new ArrayList<>();
    List<Double> migrating = new ArrayList<>();
    for (int round = 0; round < options.rounds(); round++) {
      Histogram before = new Histogram(3);
      Histogram during = new Histogram(3);
      measure(before, during);
      double without = before.getValueAtPercentile(99) / 1e3;
      double with = during.getValueAtPercentile(99) / 1e3;
      otherwise.add(without);
      migrating.add(with);
      options
          .log()
          .printf(
              "appends: P99 %.2f times as long (%d appends while migrating)%n",
              with / without, during.getTotalCount());
    }
    return new MigrationReport.Appends(
        APPEND_BYTES,
        Spread.of(otherwise),
        Spread.of(migrating),
        Spread.ofRatios(migrating, otherwise).orElse(null));
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
        appendUntil(channel, before, dueNanos);
        appendUntilHome(channel, during, partition, segments);
      }
    }
  }

  private static void appendUntil(FileChannel channel, Histogram histogram, long untilNanos)
      throws IOException {
    ByteBuffer piece = BenchStore.noise(APPEND_BYTES);
    long counted = System.nanoTime() + WARM_UP_NANOS;
    for (long due = System.nanoTime(); due < untilNanos; due = next(due)) {
      long nanos = append(channel, piece, due);
      if (due > counted) {
        histogram.recordValue(nanos);
      }
    }
  }

  /** Appends until all segments are home; what counts begins when the first one is. */
  private static void appendUntilHome(
      FileChannel channel, Histogram histogram, Path partition, int segments) throws IOException {
    ByteBuffer piece = BenchStore.noise(APPEND_BYTES);
    int home = 0;
    long due = System.nanoTime();
    for (int i = 0; home < segments; i++) {
      long nanos = append(channel, piece, due);
      if (home > 0) {
        histogram.recordValue(nanos);
      }
      if (i % LOOK_EVERY == 0) {
        home = home(partition, segments);
      }
      due = next(due);
    }
  }

  private static int home(Path partition, int segments) {
    int home = 0;
    for (int i = 0; i < segments; i++) {
      home += Files.isSymbolicLink(BenchStore.segment(partition, i)) ? 0 : 1;
    }
    return home;
  }

  /** The next time due. What was missed is not made up for: it would be another rate. */
  private static long next(long due) {
    return Math.max(due + INTERVAL_NANOS, System.nanoTime());
  }

  /** Nanoseconds that one append took, made when it was due. */
  private static long append(FileChannel channel, ByteBuffer piece, long due) throws IOException {
    while (System.nanoTime() < due) {
      LockSupport.parkNanos(due - System.nanoTime());
    }
    long from = System.nanoTime();
    channel.write(piece.clear());
    return System.nanoTime() - from;
  }
}
