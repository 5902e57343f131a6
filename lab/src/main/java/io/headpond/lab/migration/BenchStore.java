// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A tier and a home in folders of their own, and the store on them; the folders go at the end, also
 * if the JVM is told to end before.
 */
final class BenchStore implements AutoCloseable {
  static final Set<StandardOpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

  private static final String PREFIX = "headpond-bench";
  private static final long PATIENCE_NANOS = 300_000_000_000L;
  private static final long POLL_NANOS = 200_000;
  private static final long CLEANUP_NANOS = 10_000_000_000L;

  final Path home;
  private final Path tier;
  private final Properties properties = new Properties();
  private final Thread cleanup = new Thread(this::interrupted, "headpond-bench-cleanup");
  private TieredStore store;

  BenchStore(MigrationBench.Options options, long capacityBytes) throws IOException {
    tier = Files.createTempDirectory(options.fast(), PREFIX).toRealPath();
    home = home(options, tier);
    with("headpond.tiers", "fast");
    with("headpond.tier.fast.paths", tier.toString());
    with("headpond.tier.fast.capacity", capacityBytes + "B");
    with("headpond.tier.fast.migrate.threshold", "-1");
    with("headpond.home.reserve", "0");
    with("headpond.log.dirs", home.toString());
    try {
      Runtime.getRuntime().addShutdownHook(cleanup);
    } catch (IllegalStateException endsAlready) {
      remove();
      throw new IOException("this JVM ends", endsAlready);
    }
  }

  /** Makes the home's folder; if that fails, the tier's goes. */
  private static Path home(MigrationBench.Options options, Path tier) throws IOException {
    try {
      return Files.createTempDirectory(options.home(), PREFIX).toRealPath();
    } catch (IOException e) {
      FolderRemoval.remove(tier, true);
      throw e;
    }
  }

  /** Removes the folders; what is measured goes on beside it until it finds them gone. */
  private void interrupted() {
    long deadline = System.nanoTime() + CLEANUP_NANOS;
    while (System.nanoTime() < deadline) {
      try {
        remove();
        return;
      } catch (IOException filledMeanwhile) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
    System.err.println("not removed: " + tier + " and " + home);
  }

  private void remove() throws IOException {
    FolderRemoval.remove(tier, true);
    FolderRemoval.remove(home, true);
  }

  BenchStore with(String key, String value) {
    properties.setProperty(key, value);
    return this;
  }

  /** The store, started with what is configured now. */
  TieredStore open() throws IOException {
    if (store == null) {
      try {
        store =
            new TieredStore(
                StoreConfig.parse(properties, "headpond-lab", FileSystems.getDefault()));
      } catch (ConfigException e) {
        throw new IOException(e.getMessage(), e);
      }
      store.claim();
    }
    return store;
  }

  void stop() throws IOException {
    if (store != null) {
      store.close();
      store = null;
    }
  }

  Path partition(String name) throws IOException {
    return Files.createDirectories(home.resolve(name));
  }

  static Path segment(Path partition, long baseOffset) {
    return partition.resolve(String.format(Locale.ROOT, "%020d.log", baseOffset));
  }

  /** Bytes that no file system can leave out. */
  static ByteBuffer noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return ByteBuffer.allocateDirect(length).put(bytes).flip();
  }

  static void write(FileChannel channel, ByteBuffer piece, long length) throws IOException {
    for (long at = 0; at < length; ) {
      piece.clear().limit((int) Math.min(piece.capacity(), length - at));
      at += channel.write(piece);
    }
  }

  /** Writes a log of sealed segments into the tier, and a last one that stays empty. */
  Path sealed(String partitionName, int count, long segmentBytes) throws IOException {
    Path partition = partition(partitionName);
    ByteBuffer piece = noise(1 << 20);
    for (int i = 0; i <= count; i++) {
      try (FileChannel channel = open().open(segment(partition, i), CREATE)) {
        write(channel, piece, i < count ? segmentBytes : 0);
      }
    }
    for (int i = 0; i < count; i++) {
      if (!Files.isSymbolicLink(segment(partition, i))) {
        throw new IOException(tier + ": has no room for " + count * segmentBytes + " B");
      }
    }
    return partition;
  }

  /** Waits until so many segments, counted from the first, are files at home. */
  static void awaitHome(Path partition, int count) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (int i = 0; i < count; i++) {
      while (Files.isSymbolicLink(segment(partition, i))) {
        if (System.nanoTime() > deadline) {
          throw new IOException(segment(partition, i) + " wasn't migrated within 5 minutes");
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } finally {
      remove();
      try {
        Runtime.getRuntime().removeShutdownHook(cleanup);
      } catch (IllegalStateException endsAlready) {
        // It finds nothing to do.
      }
    }
  }
}
