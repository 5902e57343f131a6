// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on a segment's channel and on a plain file of the same file system must have
 * the same results, failures and contents.
 *
 * <p>{@code -Dheadpond.test.seconds} sets the time for each place; {@code -Dheadpond.test.seed}
 * runs the one round that a failure named.
 */
class SegmentChannelDifferentialTest {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Map<String, String> MAPPED =
      Map.of(Internals.PREFIX + "maps.memory", "true");

  private static final int OPERATIONS_PER_ROUND = 4000;
  private static final int CHECK_ALL_EVERY = 500;
  private static final long TRIM_SECONDS_MAX = 20;
  private static final long SECONDS = Long.getLong("headpond.test.seconds", 1);

  /** Where segments lie. */
  enum Place {
    MAPPED(true, "64MiB"),
    WRITTEN(false, "64MiB"),
    /** Too small for what a round writes: the segment goes home in the middle of it. */
    EVACUATED(true, "200KiB"),
    HOME(false, "1B");

    final boolean inMemory;
    final String capacity;

    Place(final boolean inMemory, final String capacity) {
      this.inMemory = inMemory;
      this.capacity = capacity;
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aSegmentsChannelDoesWhatAPlainFilesChannelDoes(final Place place, final TestReporter report)
      throws Exception {
    final Path folder =
        place.inMemory && Files.isDirectory(MEMORY)
            ? Files.createTempDirectory(MEMORY, "headpond-channel")
            : Files.createTempDirectory("headpond-channel");
    final Path home = Files.createDirectory(folder.resolve("home"));
    try (TieredStore store = new TieredStore(configuration(place, folder, home))) {
      store.claim();
      Files.createDirectory(home.resolve("t-0"));
      final Long only = Long.getLong("headpond.test.seed");
      long seed = only == null ? System.nanoTime() : only;
      final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      long operations = 0;
      do {
        operations += round(store, place, folder, seed++);
      } while (only == null && System.nanoTime() < deadline);
      final FileStore device = Files.getFileStore(folder);
      report.publishEntry(place.name(), operations + " operations on " + device.type());
      assertThat(operations).isPositive();
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static StoreConfig configuration(final Place place, final Path folder, final Path home)
      throws IOException, ConfigException {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty(
        "headpond.tier.fast.paths", Files.createDirectory(folder.resolve("tier")).toString());
    properties.setProperty("headpond.tier.fast.capacity", place.capacity);
    properties.setProperty("headpond.log.dirs", home.toString());
    return StoreConfig.parse(properties, "test", folder.getFileSystem(), Internals.of(MAPPED::get));
  }

  private static long round(
      final TieredStore store, final Place place, final Path folder, final long seed)
      throws IOException {
    final Path plain = folder.resolve("plain");
    final Path segment = StoreFixture.segment(folder.resolve("home/t-0"), 0);
    // A file lock is on one file: it ends when the segment moves to another.
    try (ChannelOperations draw = new ChannelOperations(seed, place != Place.EVACUATED);
        ChannelSide expected =
            new ChannelSide(plain, FileChannel::open, scratch(folder.resolve("other-1")));
        ChannelSide actual =
            new ChannelSide(segment, store::open, scratch(folder.resolve("other-2")))) {
      for (final ChannelSide side : new ChannelSide[] {expected, actual}) {
        side.open(0, ChannelOperations.MODES.get(0));
        side.open(1, ChannelOperations.MODES.get(1));
      }
      for (int i = 0; i < OPERATIONS_PER_ROUND; i++) {
        both(expected, actual, draw.draw(Files.size(plain)), draw, seed, i);
        for (int c = 0; c < ChannelSide.CHANNELS; c++) {
          while (!expected.channels[c].isOpen() || !actual.channels[c].isOpen()) {
            both(expected, actual, draw.reopening(c), draw, seed, i);
          }
        }
        if (i % CHECK_ALL_EVERY == 0) {
          assertThat(size(store, segment)).as("seed %d, %d", seed, i).isEqualTo(Files.size(plain));
        }
      }
    }
    awaitTrim(plain, segment);
    assertThat(Files.mismatch(plain, segment)).as("seed %d, contents", seed).isEqualTo(-1);
    store.delete(segment);
    Files.delete(plain);
    return OPERATIONS_PER_ROUND;
  }

  /** A channel that an interrupt closed in the middle of a write is given up a little later. */
  private static void awaitTrim(final Path plain, final Path segment) throws IOException {
    final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRIM_SECONDS_MAX);
    while (Files.size(segment) != Files.size(plain) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  private static long size(final TieredStore store, final Path segment) throws IOException {
    return store.logicalSize(segment).orElse(Files.size(segment));
  }

  private static void both(
      final ChannelSide expected,
      final ChannelSide actual,
      final ChannelSide.Operation operation,
      final ChannelOperations draw,
      final long seed,
      final int i) {
    expected.run(operation);
    actual.run(operation);
    if (!expected.sameAs(actual)) {
      fail(
          "seed "
              + seed
              + ", operation "
              + i
              + ": "
              + draw.description()
              + ": plain file: "
              + expected.outcome()
              + ", segment: "
              + actual.outcome(),
          actual.lastFailure());
    }
  }

  private static FileChannel scratch(final Path file) throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }
}
