// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.Internals;
import io.headpond.store.facts.Count;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writers that append, roll, rename and delete, readers of the same channels and of channels of
 * their own, an idle sealer, interrupts: every byte that is read is the one of its position, nobody
 * waits for ever, and at the end all space is given back.
 */
final class StoreStressTest {
  private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int PARTITIONS = 3;
  private static final int SEGMENT_BYTES = 400_000;

  private StoreFixture fixture;
  private ExecutorService threads;
  private long deadline;

  /** Segments that are there, with the channel that the writer has. */
  private final ConcurrentHashMap<Path, FileChannel> live = new ConcurrentHashMap<>();

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
    threads = Executors.newCachedThreadPool();
  }

  @AfterEach
  void removeDirectories() throws Exception {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    fixture.close();
  }

  /** The byte at a position is known by the segment's base offset alone. */
  private static byte at(final long base, final long position) {
    final long mixed = (base * 31 + position) * 0x9E3779B97F4A7C15L;
    return (byte) (mixed >>> 56);
  }

  private static ByteBuffer expected(final long base, final long position, final int length) {
    final ByteBuffer buffer = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      buffer.put(at(base, position + i));
    }
    return buffer.flip();
  }

  private static long base(final Path name) {
    return Long.parseLong(name.getFileName().toString().substring(0, 20));
  }

  private boolean running() {
    return System.nanoTime() < deadline;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "both"})
  void everyByteIsRightNobodyWaitsForEverAndAllSpaceComesBack(final String kind) throws Exception {
    final long seed = Long.getLong("headpond.test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    fixture.with("headpond.tier.pmem.capacity", "2MiB").with(Internals.PREFIX + "idle", "1ms");
    final Path slow = Files.createDirectory(fixture.root.resolve("slow"));
    if (kind.equals("both")) {
      fixture
          .with("headpond.tiers", "pmem,nvme")
          .with("headpond.tier.nvme.paths", slow.toString())
          .with("headpond.tier.nvme.capacity", "2MiB");
    } else {
      fixture.mapped(kind.equals("pmem"));
    }
    fixture.store();
    deadline = System.nanoTime() + RUN_NANOS;
    final List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      final Path partition = fixture.partition("t-" + i);
      final Random random = new Random(seed + i);
      all.add(threads.submit(() -> write(partition, random)));
    }
    for (int i = 0; i < 3; i++) {
      final Random random = new Random(seed + 100 + i);
      all.add(threads.submit(() -> read(random)));
    }
    all.add(threads.submit(this::seal));
    for (final Future<?> each : all) {
      each.get(30, TimeUnit.SECONDS);
    }
    for (int i = 0; i < PARTITIONS; i++) {
      assertThat(fixture.home.resolve("t-" + i)).as("seed " + seed).isEmptyDirectory();
      fixture.store().delete(fixture.home.resolve("t-" + i)); // and with it its spare file
    }
    for (final TierDirectory directory :
        fixture.store().tiers().stream().flatMap(List::stream).toList()) {
      StoreFixture.await(
          directory + " is empty but for its pool, seed " + seed,
          () ->
              StoreFixture.tierFiles(directory.ref.path()).isEmpty()
                  && directory.space.usedBytes()
                      == (directory.space.pool() == null ? 0 : directory.space.pool().bytes()));
      assertThat(directory.active()).isEmpty();
      assertThat(directory.failed()).isFalse();
    }
    assertThat(fixture.store().counters().sum(Count.EVACUATED_SEGMENTS))
        .as("evacuations")
        .isPositive();
  }

  private Void write(final Path partition, final Random random) throws Exception {
    final List<Path> mine = new ArrayList<>();
    long base = partition.getFileName().toString().hashCode() & 0xffffL;
    while (running()) {
      base += 1_000_003;
      final Path name = StoreFixture.segment(partition, base);
      FileChannel channel = fixture.store().open(name, StoreFixture.CREATE);
      live.put(name, channel);
      mine.add(name);
      final int size = random.nextInt(SEGMENT_BYTES);
      while (channel.size() < size) {
        final long position = channel.size();
        final int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 60_000 : 3_000);
        if (random.nextInt(200) == 0) {
          channel = interrupted(name, channel, base, position, length);
        } else {
          StoreFixture.append(channel.position(position), expected(base, position, length).array());
        }
        if (random.nextInt(50) == 0) {
          channel.force(false);
        }
        if (random.nextInt(100) == 0) {
          channel.truncate(Math.max(1, channel.size() - random.nextInt(5_000)));
        }
      }
      if (random.nextInt(3) == 0) {
        replace(name, random);
      }
      while (mine.size() > 4) {
        delete(mine.remove(random.nextInt(mine.size() - 1)), random);
      }
    }
    for (final Path name : mine) {
      delete(name, random);
    }
    return null;
  }

  /** An interrupted write closes its channel; the engine opens another and goes on. */
  private FileChannel interrupted(
      final Path name,
      final FileChannel channel,
      final long base,
      final long position,
      final int length)
      throws IOException {
    Thread.currentThread().interrupt();
    try {
      channel.write(expected(base, position, length), position);
    } catch (final ClosedChannelException e) {
      // As it must be.
    } finally {
      Thread.interrupted();
    }
    final FileChannel again = fixture.store().open(name, StoreFixture.CREATE);
    live.put(name, again);
    channel.close();
    return again;
  }

  /** As a compaction does: the same bytes in another file, in place of the first. */
  private void replace(final Path name, final Random random) throws IOException {
    final FileChannel old = live.get(name);
    final int length = (int) old.size();
    final Path cleaned = name.resolveSibling(name.getFileName() + ".cleaned");
    final FileChannel channel = fixture.store().open(cleaned, StoreFixture.CREATE);
    StoreFixture.append(channel, expected(base(name), 0, length).array());
    final Path deleted = name.resolveSibling(name.getFileName() + ".deleted");
    final boolean aside = random.nextBoolean();
    if (aside) {
      fixture.store().move(name, deleted, StandardCopyOption.ATOMIC_MOVE);
    }
    fixture.store().move(cleaned, name, StandardCopyOption.ATOMIC_MOVE);
    live.put(name, channel);
    if (aside) {
      fixture.store().delete(deleted);
    }
    old.close();
  }

  private void delete(final Path name, final Random random) throws IOException {
    final FileChannel channel = live.remove(name);
    if (random.nextBoolean()) {
      channel.close();
    }
    fixture.store().delete(name);
    channel.close();
  }

  private Void read(final Random random) throws IOException {
    while (running()) {
      final List<Path> names = List.copyOf(live.keySet());
      if (names.isEmpty()) {
        continue;
      }
      final Path name = names.get(random.nextInt(names.size()));
      try {
        final FileChannel shared = live.get(name);
        if (shared != null && random.nextBoolean()) {
          readSome(name, shared, random);
        } else {
          try (FileChannel own = fixture.store().open(name, Set.of(StandardOpenOption.READ))) {
            for (int i = 0; i < 20; i++) {
              readSome(name, own, random);
            }
          }
        }
      } catch (final ClosedChannelException | NoSuchFileException goneMeanwhile) {
        continue;
      }
    }
    return null;
  }

  private static void readSome(final Path name, final FileChannel channel, final Random random)
      throws IOException {
    final long size = channel.size();
    if (size == 0) {
      return;
    }
    final long position = random.nextInt((int) size);
    final ByteBuffer read = ByteBuffer.allocate(1 + random.nextInt(5_000));
    if (random.nextBoolean()) {
      channel.read(read, position);
    } else {
      channel.transferTo(position, read.remaining(), into(read));
    }
    final ByteBuffer expected = expected(base(name), position, read.flip().remaining());
    if (!read.equals(expected)) {
      throw new AssertionError(
          name + ": wrong from " + (position + read.mismatch(expected)) + " of " + size);
    }
  }

  private static WritableByteChannel into(final ByteBuffer target) {
    return new WritableByteChannel() {
      @Override
      public int write(final ByteBuffer source) {
        final int length = Math.min(source.remaining(), target.remaining());
        target.put(source.slice().limit(length));
        source.position(source.position() + length);
        return length;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  private Void seal() throws IOException {
    while (running()) {
      for (final TierDirectory directory :
          fixture.store().tiers().stream().flatMap(List::stream).toList()) {
        directory.active().forEach(segment -> segment.sealIfIdle(0));
      }
      final long until = System.nanoTime() + ThreadLocalRandom.current().nextInt(2_000_000);
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
    }
    return null;
  }
}
