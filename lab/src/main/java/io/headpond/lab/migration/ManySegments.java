// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.cli.measure.Spread;
import io.headpond.store.tier.CatalogueChoices;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The cost of many segments: a choice among them, and the scan at the engine's start. */
record ManySegments(MigrationBench.Options options) {
  private static final int SEGMENTS_OF_A_LOG = 100;

  MigrationReport.Many run() throws IOException {
    Map<Integer, Double> choices = new TreeMap<>();
    CatalogueChoices.medianNanos(1_000); // compiled from here on
    for (int segments = 1_000; segments <= options.segments(); segments *= 10) {
      choices.put(segments, CatalogueChoices.medianNanos(segments));
      options.log().printf("choice among %d: %.0f ns%n", segments, choices.get(segments));
    }
    return new MigrationReport.Many(choices, options.segments(), scans());
  }

  /** Segments a second at the start of a store; every second one lies in the tier. */
  private Spread scans() throws IOException {
    try (BenchStore store = new BenchStore(options, 1L << 30)) {
      store.open();
      Path files = onlyFolder(store.tierSegments());
      store.stop();
      for (int i = 0; i < options.segments(); i++) {
        Path partition = store.home.resolve("topic-" + i / SEGMENTS_OF_A_LOG);
        if (i % SEGMENTS_OF_A_LOG == 0) {
          Files.createDirectory(partition);
        }
        Path name = BenchStore.segment(partition, i % SEGMENTS_OF_A_LOG);
        if (i % 2 == 0) {
          Files.createFile(name);
        } else {
          Path file = files.resolve("topic." + i);
          Files.createFile(file);
          Files.createSymbolicLink(name, file);
        }
      }
      List<Double> perSecond = new ArrayList<>();
      for (int round = 0; round < options.rounds(); round++) {
        long started = System.nanoTime();
        store.open();
        perSecond.add(options.segments() * 1e9 / (System.nanoTime() - started));
        store.stop();
        options.log().printf("scan: %.0f segments/s%n", perSecond.get(round));
      }
      return Spread.of(perSecond);
    }
  }

  private static Path onlyFolder(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
      return folders.iterator().next();
    }
  }
}
