// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.cli.measure.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time that the switch of an active segment keeps its writer waiting. */
record SwitchRuns(MigrationBench.Options options) {
  private static final int APPEND_BYTES = 16 << 10;

  /** About 60 MiB/s. */
  private static final long INTERVAL_NANOS = 250_000;

  private static final long CAPACITY_BYTES = 256L << 20;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Appends whose time is looked at when the name is seen to have changed. */
  private static final int LOOKED_BACK = 64;

  MigrationReport.Switches run() throws IOException {
    List<Double> stallsMs = new ArrayList<>();
    for (int i = 0; i < options.switches(); i++) {
      stallsMs.add(once());
      options.log().printf("switch: %.1f ms%n", stallsMs.get(i));
    }
    return new MigrationReport.Switches(stallsMs.size(), Spread.of(stallsMs));
  }

  /** The longest append of those that the switch may have held up, milliseconds. */
  private double once() throws IOException {
    try (BenchStore store = new BenchStore(options, CAPACITY_BYTES)) {
      store.with("headpond.tier.fast.migrate.threshold", "0.2");
      Path name = BenchStore.segment(store.partition("growing-0"), 0);
      try (FileChannel channel = store.open().open(name, BenchStore.CREATE)) {
        return append(channel, name);
      }
    }
  }

  private static double append(FileChannel channel, Path name) throws IOException {
    ByteBuffer piece = BenchStore.noise(APPEND_BYTES);
    long[] recent = new long[LOOKED_BACK];
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long due = System.nanoTime();
    int after = 0;
    for (int i = 0; after < LOOKED_BACK / 2; i++) {
      due = Math.max(due + INTERVAL_NANOS, System.nanoTime());
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      long from = System.nanoTime();
      channel.write(piece.clear());
      recent[i % LOOKED_BACK] = System.nanoTime() - from;
      if (!Files.isSymbolicLink(name)) {
        after++;
      } else if (from > deadline) {
        throw new IOException(name + " wasn't migrated within 60 s");
      }
    }
    long longest = 0;
    for (long nanos : recent) {
      longest = Math.max(longest, nanos);
    }
    return longest / 1e6;
  }
}
