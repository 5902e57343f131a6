// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.claim.StartCheck;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.partition.PartitionDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A log directory on disk and a tier in memory, with real files. */
public final class StoreFixture implements AutoCloseable {
  /** Between two looks at a condition: the threads that make it true need a processor. */
  private static final long LOOK_NANOS = 20_000;

  private static final long COLLECT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  static final Set<StandardOpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  final Path root;
  final Path tier;
  final Path home;
  final Properties properties = new Properties();
  private final Properties internals = new Properties();
  private TieredStore store;
  private NewestRecord newestRecord = NewestRecord.UNKNOWN;
  private TimeSource time = TimeSource.SYSTEM;

  StoreFixture() throws IOException {
    root = Files.createTempDirectory("headpond-store").toRealPath();
    final Path memory = Path.of("/dev/shm");
    tier =
        Files.isDirectory(memory)
            ? Files.createTempDirectory(memory, "headpond-tier")
            : Files.createDirectory(root.resolve("tier"));
    home = Files.createDirectory(root.resolve("home"));
    properties.setProperty("headpond.tiers", "pmem");
    properties.setProperty("headpond.tier.pmem.paths", tier.toString());
    properties.setProperty("headpond.tier.pmem.capacity", "64MiB");
    properties.setProperty("headpond.tier.pmem.migrate.threshold", "-1");
    mapped(true);
    with(Internals.PREFIX + "up.after", "0s");
    properties.setProperty("headpond.home.reserve", "0%"); // whatever disk the tests run on
    properties.setProperty("headpond.home.ballast", "0");
    properties.setProperty("headpond.log.dirs", home.toString());
  }

  /** One for a field that JUnit closes. */
  static StoreFixture made() {
    try {
      return new StoreFixture();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets a key, or an internal value. */
  StoreFixture with(final String key, final String value) {
    (key.startsWith(Internals.PREFIX) ? internals : properties).setProperty(key, value);
    return this;
  }

  /** Is a tier in memory mapped, as persistent memory is? If not, it is written, as a disk is. */
  StoreFixture mapped(final boolean is) {
    return with(Internals.PREFIX + "maps.memory", String.valueOf(is));
  }

  StoreFixture newestRecord(final NewestRecord record) {
    newestRecord = record;
    return this;
  }

  StoreFixture time(final TimeSource source) {
    time = source;
    return this;
  }

  StoreConfig config() {
    try {
      return StoreConfig.parse(
          properties,
          root.resolve("test.properties").toString(),
          root.getFileSystem(),
          Internals.of(internals::getProperty));
    } catch (final ConfigException e) {
      throw new AssertionError(e);
    }
  }

  /** What the read-only check says that a start will be refused for. */
  List<String> foreseen() {
    final StartCheck check = new StartCheck(config());
    config().logDirs().stream().filter(check::reachesLinks).forEach(check::links);
    return check.findings().stream()
        .filter(found -> found.effect() != StartCheck.Effect.WARNING)
        .map(found -> found.words().text())
        .toList();
  }

  TieredStore store() throws IOException {
    if (store == null) {
      store = new TieredStore(config(), newestRecord, time);
      store.claim();
    }
    return store;
  }

  TieredStore storeOrFail() {
    try {
      return store();
    } catch (final IOException e) {
      throw new AssertionError(e);
    }
  }

  /** As a new process would find it, after a clean stop. */
  TieredStore restart() throws IOException {
    stop();
    return store();
  }

  void stop() throws IOException {
    if (store != null) {
      store.close();
      store = null;
    }
  }

  Path partition(final String name) throws IOException {
    return Files.createDirectories(home.resolve(name));
  }

  static Path segment(final Path partition, final long baseOffset) {
    return partition.resolve(String.format("%020d.log", baseOffset));
  }

  static void append(final FileChannel channel, final byte[] bytes) throws IOException {
    final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  public static byte[] bytes(final int length, final long seed) {
    final byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /**
   * Waits, up to 20 s, until the condition holds. Before Java 22 a deleted file's bytes come back
   * when its mapping is collected.
   */
  public static void await(final String what, final Callable<Boolean> condition) throws Exception {
    final long begun = System.nanoTime();
    for (int collected = 0; !condition.call(); ) {
      final long waited = System.nanoTime() - begun;
      if (waited > TimeUnit.SECONDS.toNanos(20)) {
        throw new AssertionError("waited too long: " + what);
      }
      if (waited > (collected + 1) * COLLECT_NANOS) {
        collected++;
        System.gc();
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** The spare is a log's when the store knows it, and not when its file can be seen. */
  static void awaitSpare(final TieredStore store, final Path partition) throws Exception {
    final PartitionDirectory log = store.partitions().get(partition);
    await("a spare that is kept", () -> store.spares().isReady(log));
  }

  /** The bytes that the store counts as used in a directory of a tier. */
  static long usedBytes(final TieredStore store, final Path directory) {
    return store.tiers().stream()
        .flatMap(List::stream)
        .filter(tier -> tier.ref.path().equals(directory))
        .findFirst()
        .orElseThrow()
        .space
        .usedBytes();
  }

  List<Path> tierFiles() throws IOException {
    return tierFiles(tier);
  }

  static List<Path> tierFiles(final Path directory) throws IOException {
    // Names only: the reclaimer may delete a file between its listing and a look at it.
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(directory.resolve("segments"))) {
      for (final Path home : homes) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
          files.forEach(found::add);
        }
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    stop();
    for (final Path directory : List.of(root, tier)) {
      remove(directory);
    }
  }

  static void remove(final Path directory) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
