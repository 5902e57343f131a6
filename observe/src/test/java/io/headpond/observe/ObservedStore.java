// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A store with real files: a tier {@code pmem} in memory where there is some, and a home on disk.
 */
final class ObservedStore implements AutoCloseable {
  static final int MIB = 1 << 20;
  private static final int PIECE = 64 << 10;

  final Path home;
  private final Path tier;
  private final Properties properties = new Properties();
  private TieredStore store;

  ObservedStore() throws IOException {
    final Path memory = Path.of("/dev/shm");
    home = Files.createTempDirectory("headpond-observe").toRealPath();
    tier =
        Files.isDirectory(memory)
            ? Files.createTempDirectory(memory, "headpond-observe")
            : Files.createTempDirectory("headpond-observe").toRealPath();
    with("headpond.tiers", "pmem");
    with("headpond.tier.pmem.paths", tier.toString());
    with("headpond.tier.pmem.capacity", "64MiB");
    with("headpond.tier.pmem.migrate.threshold", "-1");
    with("headpond.home.reserve", "0%"); // whatever disk the tests run on
    with("headpond.log.dirs", home.toString());
  }

  ObservedStore with(final String key, final String value) {
    properties.setProperty(key, value);
    return this;
  }

  TieredStore store() throws IOException {
    if (store == null) {
      try {
        store =
            new TieredStore(StoreConfig.parse(properties, "test.properties", home.getFileSystem()));
      } catch (final ConfigException e) {
        throw new AssertionError(e);
      }
      store.claim();
    }
    return store;
  }

  /** Opens a segment and appends so many bytes, in pieces of 64 KiB. */
  FileChannel append(final String partition, final long baseOffset, final long bytes)
      throws IOException {
    final Path directory = Files.createDirectories(home.resolve(partition));
    final FileChannel channel =
        store()
            .open(
                directory.resolve(String.format("%020d.log", baseOffset)),
                Set.of(
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    append(channel, bytes);
    return channel;
  }

  static void append(final FileChannel channel, final long bytes) throws IOException {
    for (long left = bytes; left > 0; ) {
      left -= channel.write(ByteBuffer.allocate((int) Math.min(left, PIECE)));
    }
  }

  @Override
  public void close() throws IOException {
    if (store != null) {
      store.close();
    }
    for (final Path directory : List.of(home, tier)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
