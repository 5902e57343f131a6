// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.cli.measure.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rate at which sealed segments go home, against {@code dd} to the same device, in turns. */
final class RateRuns {
  private final MigrationBench.Options options;
  private final List<Double> migrated = new ArrayList<>();
  private final List<Double> bare = new ArrayList<>();

  RateRuns(MigrationBench.Options options) {
    this.options = options;
  }

  MigrationReport.Rate run() throws IOException {
    for (int round = 0; round < options.rounds(); round++) {
      double migration = migrate();
      double dd = dd();
      migrated.add(migration);
      bare.add(dd);
      options.log().printf("rate: %.2f of dd%n", migration / dd);
    }
    return new MigrationReport.Rate(
        Spread.of(migrated), Spread.of(bare), Spread.ofRatios(migrated, bare).orElse(null));
  }

  private int segments() {
    return (int) Math.max(2, options.bytes() / options.segmentBytes());
  }

  /** Bytes a second. */
  private double migrate() throws IOException {
    try (BenchStore store =
        new BenchStore(options, (2 * segments() + 1) * options.segmentBytes())) {
      Path partition = store.sealed("rate-0", segments(), options.segmentBytes());
      store.stop();
      store.with("headpond.tier.fast.migrate.threshold", "0");
      store.open();
      long started = System.nanoTime();
      BenchStore.awaitHome(partition, segments());
      return segments() * options.segmentBytes() * 1e9 / (System.nanoTime() - started);
    }
  }

  private double dd() throws IOException {
    Path file = Files.createTempFile(options.home(), "headpond-bench", ".dd");
    try {
      long mebibytes = segments() * options.segmentBytes() >> 20;
      long started = System.nanoTime();
      Process process =
          new ProcessBuilder(
                  "dd", "if=/dev/zero", "of=" + file, "oflag=direct", "bs=1M", "count=" + mebibytes)
              .redirectErrorStream(true)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException(
            "dd failed: " + said + " (--home must be on a device that knows direct I/O)");
      }
      return (mebibytes << 20) * 1e9 / (System.nanoTime() - started);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      Files.delete(file);
    }
  }
}
