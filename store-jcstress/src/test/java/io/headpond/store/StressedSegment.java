// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.segment.SegmentChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A segment of its own for two threads that are let loose on it, in a store that all of them share.
 * What is written is told from zeros and from any other position's bytes.
 */
final class StressedSegment {
  /** Bytes that it holds when the threads begin. */
  static final int BYTES = 6_000;

  /** More than any of those that are read whole. */
  private static final int READ_BYTES = 40_000;

  private static final Set<StandardOpenOption> OPTIONS =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  /** Of this JVM only: one that was killed may have left something. */
  private static final Path FOLDER =
      Path.of(
          System.getProperty("headpond.stress.folder"),
          String.valueOf(ProcessHandle.current().pid()));

  private static final long MEET_NANOS = 5_000_000;
  private static final int PAUSE_NANOS_MAX = 400_000;

  /** Before {@link #STORE}, which needs it. */
  private static final Map<String, String> MAPPED =
      Map.of(Internals.PREFIX + "maps.memory", "true");

  private static final TieredStore STORE = store();
  private static final AtomicLong MADE = new AtomicLong();

  final FileChannel channel;
  private final AtomicInteger arrived = new AtomicInteger();
  private volatile Path name;
  private volatile boolean over;

  /** Bytes that it holds when the threads have ended; at most one of them writes. */
  private int bytes;

  StressedSegment() {
    this(BYTES);
  }

  StressedSegment(final int length) {
    final Path partition = FOLDER.resolve("home").resolve("t" + MADE.incrementAndGet() + "-0");
    name = partition.resolve(String.format("%020d.log", 0));
    try {
      Files.createDirectory(partition);
      channel = STORE.open(name, OPTIONS);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    append(length);
  }

  /** Both threads go on at the same time, unless one keeps the other waiting. */
  void meet() {
    arrived.incrementAndGet();
    final long deadline = System.nanoTime() + MEET_NANOS;
    while (arrived.get() < 2 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  /** Spends as much time as a move may take. */
  void pause() {
    final long until = System.nanoTime() + ThreadLocalRandom.current().nextInt(PAUSE_NANOS_MAX);
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  /** Lets the other thread end. */
  void done() {
    over = true;
  }

  boolean over() {
    return over;
  }

  int bytes() {
    return bytes;
  }

  /** Mapped, as persistent memory is, and volatile: no time is lost by forces. */
  private static TieredStore store() {
    try {
      final Path home = Files.createDirectories(FOLDER.resolve("home")).toRealPath();
      final Path tier = Files.createDirectories(FOLDER.resolve("tier")).toRealPath();
      final Properties properties = new Properties();
      properties.setProperty("headpond.tiers", "fast");
      properties.setProperty("headpond.tier.fast.paths", tier.toString());
      properties.setProperty("headpond.tier.fast.capacity", "2GiB");
      properties.setProperty("headpond.tier.fast.migrate.threshold", "-1");
      properties.setProperty("headpond.home.reserve", "0%");
      properties.setProperty("headpond.log.dirs", home.toString());
      final TieredStore store =
          new TieredStore(
              StoreConfig.parse(
                  properties, "stress", home.getFileSystem(), Internals.of(MAPPED::get)));
      store.claim();
      return store;
    } catch (final ConfigException e) {
      throw new AssertionError(e);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The byte that belongs at a position; never zero. */
  private static byte at(final long position) {
    return (byte) (1 + (position ^ position >> 7) % 127);
  }

  private static ByteBuffer written(final int from, final int length) {
    final byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(from + i);
    }
    return ByteBuffer.wrap(bytes);
  }

  void append(final int length) {
    try {
      channel.position(bytes);
      final ByteBuffer source = written(bytes, length);
      while (source.hasRemaining()) {
        channel.write(source);
      }
      bytes += length;
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long size() {
    try {
      return channel.size();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void truncate(final int size) {
    try {
      channel.truncate(size);
      bytes = size;
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void close() {
    try {
      channel.close();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Moves it to the other tier, as migration does. */
  void move() {
    try {
      final boolean inTier = ((SegmentChannel) channel).segment().file().directory != null;
      STORE.migration(bytes -> {}).move(name, inTier ? null : STORE.tiers().get(0).get(0), true);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives back what was grown ahead, as when nothing was appended for a while. */
  void seal() {
    ((SegmentChannel) channel).segment().sealIfIdle(0);
  }

  void rename(final String ending) {
    try {
      final Path target = name.resolveSibling(name.getFileName() + ending);
      STORE.move(name, target, StandardCopyOption.ATOMIC_MOVE);
      name = target;
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Finding about some bytes of the segment.
   *
   * @param least as much must be there
   * @return null if nothing is
   */
  static String wrong(final byte[] found, final int least) {
    for (int i = 0; i < found.length; i++) {
      if (found[i] != at(i)) {
        return found[i] == 0 ? "zeros" : "other bytes";
      }
    }
    return found.length < least ? "too short" : null;
  }

  /** All of it through the channel, with more asked for than there is. */
  byte[] read() throws IOException {
    final ByteBuffer found = ByteBuffer.allocate(READ_BYTES);
    while (channel.read(found, found.position()) > 0) {}
    return Arrays.copyOf(found.array(), found.position());
  }

  /** Finding after the threads have ended, open and closed; null: nothing is wrong. */
  String end() {
    try {
      if (STORE.tiers().get(0).get(0).failed()) {
        return "the device counts as failed";
      }
      final String open = checked();
      channel.close();
      return open != null ? open : checked();
    } catch (final IOException e) {
      return e.toString();
    } finally {
      remove();
    }
  }

  private String checked() throws IOException {
    try (FileChannel other = STORE.open(name, Set.of(StandardOpenOption.READ))) {
      if (other.size() != bytes) {
        return "size " + (other.size() < bytes ? "too small" : "too large");
      }
    }
    final byte[] file = Files.readAllBytes(name);
    return file.length < bytes ? "file too short" : wrong(Arrays.copyOf(file, bytes), bytes);
  }

  private void remove() {
    try {
      channel.close();
      STORE.delete(name);
      STORE.delete(name.getParent());
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
