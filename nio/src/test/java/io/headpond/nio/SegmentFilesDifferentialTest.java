// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.Mover;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.Comparator;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations of {@link Files} on segments that a mover carries to and fro, and on plain
 * files, must have the same results, failures and contents.
 *
 * <p>{@code -Dheadpond.test.seconds} sets the time for each place; {@code -Dheadpond.test.seed}
 * runs the one round that a failure named.
 */
class SegmentFilesDifferentialTest {
  private static final FileSystemProvider BUILT_IN = FileSystems.getDefault().provider();
  private static final int OPERATIONS_PER_ROUND = 60;
  private static final long SECONDS = Long.getLong("headpond.test.seconds", 1);

  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final AtomicInteger moves = new AtomicInteger();
  private volatile boolean stop;
  private long rounds;

  @ParameterizedTest
  @CsvSource({"/dev/shm,engine", "/dev/shm,append", "/tmp,engine", "/tmp,append"})
  void aSegmentIsUsedAsAPlainFile(
      final Path place, final String durability, final TestReporter report) throws Exception {
    final Path folder = Files.createTempDirectory(place, "headpond-files");
    final Path plain = Files.createDirectory(folder.resolve("plain"));
    final Router router = router(folder, durability);
    try {
      final Path ours =
          new HeadpondFileSystemProvider(BUILT_IN, router)
              .getPath(Files.createDirectory(folder.resolve("ours")).toUri());
      Files.createDirectory(plain.resolve("log"));
      Files.createDirectory(ours.resolve("log"));
      FileChannel.open(
              ours.resolve("log/.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
          .close();
      final Thread mover = new Thread(() -> move(router, folder.resolve("ours/log")));
      mover.start();
      try {
        run(plain, ours);
      } finally {
        stop = true;
        mover.join();
      }
    } finally {
      router.store().close();
      delete(folder);
    }
    assertThat(broken.get()).isNull();
    report.publishEntry(place + " " + durability, rounds + " seeds, " + moves + " moves");
  }

  private static Router router(final Path folder, final String durability) throws Exception {
    final FileSystem files = folder.getFileSystem();
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.durability", durability);
    properties.setProperty(
        "headpond.tier.fast.paths", Files.createDirectory(folder.resolve("tier")).toString());
    properties.setProperty("headpond.tier.fast.capacity", "64MiB");
    properties.setProperty("log.dirs", folder.resolve("ours/log").toString());
    return new Router(StoreConfig.parse(properties, "test", files), files, refusal -> {});
  }

  private void run(final Path plain, final Path ours) throws Exception {
    final Long only = Long.getLong("headpond.test.seed");
    long seed = only == null ? System.nanoTime() : only;
    final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    do {
      round(seed++, plain, ours);
      rounds++;
    } while (only == null && System.nanoTime() < deadline && broken.get() == null);
  }

  private static void round(final long seed, final Path plain, final Path ours) throws Exception {
    try (SegmentFiles expected = new SegmentFiles(plain);
        SegmentFiles actual = new SegmentFiles(ours)) {
      final Random random = new Random(seed);
      for (int i = 0; i < OPERATIONS_PER_ROUND; i++) {
        final long drawn = random.nextLong();
        final String there = expected.outcome(new Random(drawn));
        assertThat(actual.outcome(new Random(drawn)))
            .as("seed %d, operation %d: %s", seed, i, expected.description())
            .isEqualTo(there);
      }
      assertThat(actual.everything()).as("seed %d", seed).isEqualTo(expected.everything());
    }
  }

  /** Carries segments home and back. */
  private void move(final Router router, final Path logDir) {
    final Random random = new Random();
    try {
      while (!stop) {
        for (final Path name : SegmentFiles.segments(logDir)) {
          LockSupport.parkNanos(50_000); // others have to come to the segments' locks, too
          try {
            if (Mover.move(router.store(), name, random.nextBoolean())) {
              moves.incrementAndGet();
            }
          } catch (final IOException goneMeanwhile) {
            continue;
          }
        }
      }
    } catch (final Throwable e) {
      broken.set(e);
    }
  }

  private static void delete(final Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
