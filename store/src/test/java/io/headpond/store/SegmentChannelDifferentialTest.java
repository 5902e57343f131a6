// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations on a segment's channels and names, and on those of a plain file, must have the
 * same results, failures and contents, wherever the segment moves meanwhile.
 *
 * <p>{@code -Dheadpond.test.seconds} sets the time for each place; {@code -Dheadpond.test.seed}
 * runs the one round that a failure named.
 */
class SegmentChannelDifferentialTest {
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final int OPERATIONS_PER_ROUND = 1000;
  private static final int CHECK_ALL_EVERY = 100;
  private static final long SECONDS = Long.getLong("headpond.test.seconds", 1);

  /** Where segments lie. */
  enum Place {
    MAPPED(true, "64MiB", "engine"),
    WRITTEN(true, "64MiB", "engine"),
    DISK(false, "64MiB", "engine"),
    DURABLE(false, "64MiB", "append"),
    /** Too small for what a round writes: the segment goes elsewhere in the middle of it. */
    EVACUATED(true, "200KiB", "append"),
    HOME(false, "1B", "append");

    final boolean inMemory;
    final String capacity;
    final String durability;

    Place(final boolean inMemory, final String capacity, final String durability) {
      this.inMemory = inMemory;
      this.capacity = capacity;
      this.durability = durability;
    }
  }

  private Path folder;
  private Path partition;
  private TieredStore store;
  private volatile boolean ends;
  private final AtomicReference<Throwable> moverFailure = new AtomicReference<>();
  private final AtomicLong moves = new AtomicLong();

  @ParameterizedTest
  @CsvSource({
    "MAPPED,false",
    "WRITTEN,false",
    "DISK,false",
    "DURABLE,false",
    "EVACUATED,false",
    "HOME,false",
    "MAPPED,true",
    "WRITTEN,true",
    "DISK,true",
    "DURABLE,true",
    "EVACUATED,true"
  })
  void aSegmentsChannelDoesWhatAPlainFilesChannelDoes(
      final Place place, final boolean moved, final TestReporter report) throws Exception {
    folder =
        place.inMemory && Files.isDirectory(MEMORY)
            ? Files.createTempDirectory(MEMORY, "headpond-channel")
            : Files.createTempDirectory("headpond-channel");
    final Path home = Files.createDirectory(folder.resolve("home"));
    final Long only = Long.getLong("headpond.test.seed");
    final long first = only == null ? System.nanoTime() : only;
    long seeds = 0;
    try {
      store = new TieredStore(configuration(place, home));
      store.claim();
      partition = Files.createDirectory(home.resolve("t-0"));
      final Thread mover = new Thread(this::move, "mover");
      if (moved) {
        mover.start();
      }
      final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      try {
        do {
          round(place, first + seeds++);
          assertThat(moverFailure.get()).as("the mover's failure").isNull();
        } while (only == null && System.nanoTime() < deadline);
      } finally {
        ends = true;
        mover.join();
      }
      awaitForgottenClosed();
      final FileStore device = Files.getFileStore(folder);
      report.publishEntry(
          String.format(
              "%s%s from seed %d: %d seeds of %d operations, %d moves, on %s",
              place,
              moved ? " moved" : "",
              first,
              seeds,
              OPERATIONS_PER_ROUND,
              moves.get(),
              device.type()),
          "done");
    } finally {
      store.close();
      StoreFixture.remove(folder);
    }
  }

  private StoreConfig configuration(final Place place, final Path home)
      throws IOException, ConfigException {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast,slow");
    for (final String tier : List.of("fast", "slow")) {
      final String prefix = "headpond.tier." + tier;
      properties.setProperty(
          prefix + ".paths", Files.createDirectory(folder.resolve(tier)).toString());
      properties.setProperty(prefix + ".capacity", place.capacity);
      properties.setProperty(prefix + ".migrate.threshold", "-1");
    }
    properties.setProperty("headpond.durability", place.durability);
    properties.setProperty("headpond.home.reserve", "0%");
    properties.setProperty("headpond.read.ahead", "0"); // a transfer may move nothing else
    properties.setProperty("headpond.home.ballast", "0");
    properties.setProperty("headpond.log.dirs", home.toString());
    final Map<String, String> internals =
        Map.of(Internals.PREFIX + "maps.memory", String.valueOf(place != Place.WRITTEN));
    return StoreConfig.parse(
        properties, "test", folder.getFileSystem(), Internals.of(internals::get));
  }

  private Path name() {
    return StoreFixture.segment(partition, 0);
  }

  private Path otherName() {
    return StoreFixture.segment(partition, 1000);
  }

  /** Moves the segment from place to place, whatever is done to it. */
  private void move() {
    final Random random = new Random();
    while (!ends && moverFailure.get() == null) {
      final int level = random.nextInt(store.tiers().size() + 1);
      final TierDirectory to =
          level == store.tiers().size() ? null : store.tiers().get(level).get(0);
      try {
        final SegmentMigration.Outcome outcome =
            store
                .migration(bytes -> {})
                .move(random.nextInt(4) > 0 ? name() : otherName(), to, random.nextBoolean());
        if (outcome == SegmentMigration.Outcome.MOVED) {
          moves.incrementAndGet();
        }
      } catch (final Exception | Error e) {
        moverFailure.set(e);
      }
    }
  }

  private void round(final Place place, final long seed) throws Exception {
    // A segment without a name has no other place to go to when its tier is full.
    try (ChannelOperations draw = new ChannelOperations(seed, place != Place.EVACUATED);
        ChannelSide expected =
            new ChannelSide(
                folder.resolve("plain"),
                folder.resolve("plain2"),
                folder.resolve("link"),
                new PlainCalls(),
                scratch(folder.resolve("other-1")));
        ChannelSide actual =
            new ChannelSide(
                name(),
                otherName(),
                folder.resolve("link2"),
                new SegmentCalls(store),
                scratch(folder.resolve("other-2")))) {
      for (final ChannelSide side : new ChannelSide[] {expected, actual}) {
        side.open(0, ChannelOperations.MODES.get(0));
        side.open(1, ChannelOperations.MODES.get(1));
      }
      for (int i = 0; i < OPERATIONS_PER_ROUND; i++) {
        both(expected, actual, draw.draw(expected.size()), draw, seed, i);
        for (int c = 0; c < ChannelSide.CHANNELS; c++) {
          while (!expected.isOpen(c) || !actual.isOpen(c)) {
            both(expected, actual, draw.reopening(c), draw, seed, i);
          }
        }
        if (i % CHECK_ALL_EVERY == 0) {
          assertThat(actual.content()).as("seed %d, %d", seed, i).isEqualTo(expected.content());
        }
      }
      assertThat(actual.content()).as("seed %d, contents", seed).isEqualTo(expected.content());
      assertThat(actual.linked()).as("seed %d, link", seed).startsWith(expected.linked());
      actual.remove();
      expected.remove();
    }
  }

  private record PlainCalls() implements ChannelSide.FileCalls {
    @Override
    public FileChannel open(final Path file, final Set<OpenOption> options) throws IOException {
      return FileChannel.open(file, options);
    }

    @Override
    public void delete(final Path file) throws IOException {
      Files.delete(file);
    }

    @Override
    public void rename(final Path file, final Path to) throws IOException {
      Files.move(file, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private record SegmentCalls(TieredStore store) implements ChannelSide.FileCalls {
    @Override
    public FileChannel open(final Path file, final Set<OpenOption> options) throws IOException {
      return store.open(file, options);
    }

    @Override
    public void delete(final Path file) throws IOException {
      store.delete(file);
    }

    @Override
    public void rename(final Path file, final Path to) throws IOException {
      store.move(file, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private void awaitForgottenClosed() throws Exception {
    StoreFixture.await(
        "the close of every forgotten channel",
        () -> {
          System.gc();
          return store.partitions().allClosed();
        });
    assertThat(store.settle(Duration.ofSeconds(20))).isTrue();
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
