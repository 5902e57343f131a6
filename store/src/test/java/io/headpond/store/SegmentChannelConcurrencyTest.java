// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.tier.TierDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One writer, several readers: byte {@code i} of the segment is always {@link #at}{@code (i)}. */
class SegmentChannelConcurrencyTest {
  private static final int READERS = 3;
  private static final int READ_BYTES_MAX = 20_000;
  private static final int FILE_BYTES_MAX = 8 << 20;
  private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
  private static final long SECONDS_MAX = 60;

  private final long seed = System.nanoTime();
  private StoreFixture fixture;
  private ExecutorService threads;
  private Path segment;
  private volatile boolean done;

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new StoreFixture();
    segment = StoreFixture.segment(fixture.partition("t-0"), 0);
    threads = Executors.newCachedThreadPool();
  }

  @AfterEach
  void removeDirectories() throws Exception {
    done = true;
    threads.shutdownNow();
    assertThat(threads.awaitTermination(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    fixture.close();
  }

  /** Never zero, so that a hole shows. */
  private static byte at(final long position) {
    return (byte) (1 + (position * 31 + (position >> 8)) % 251);
  }

  private static byte[] bytes(final long position, final int length) {
    final byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(position + i);
    }
    return bytes;
  }

  private void check(final long position, final byte[] found, final int length) {
    for (int i = 0; i < length; i++) {
      if (found[i] != at(position + i)) {
        throw new AssertionError("seed " + seed + ": byte " + (position + i) + " is " + found[i]);
      }
    }
  }

  /** Reads in every way until the end of the test, or of the channel. */
  private Callable<Long> reader(final FileChannel channel, final long readerSeed) {
    return () -> {
      final Random random = new Random(readerSeed);
      long read = 0;
      try {
        while (!done) {
          final long size = channel.size();
          if (size > 0) {
            read += readOnce(channel, random, (long) (random.nextDouble() * size));
          }
        }
      } catch (final ClosedChannelException closed) {
        return read;
      }
      return read;
    };
  }

  private long readOnce(final FileChannel channel, final Random random, final long position)
      throws IOException {
    final int length = 1 + random.nextInt(READ_BYTES_MAX);
    if (random.nextInt(3) == 0) {
      final ByteArrayOutputStream sink = new ByteArrayOutputStream();
      final long moved = channel.transferTo(position, length, Channels.newChannel(sink));
      check(position, sink.toByteArray(), (int) moved);
      return moved;
    }
    final ByteBuffer buffer = ByteBuffer.allocate(length);
    final int read = channel.read(buffer, position);
    check(position, buffer.array(), read);
    return Math.max(0, read);
  }

  private List<Future<Long>> readers(final FileChannel channel) {
    final List<Future<Long>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(threads.submit(reader(channel, seed + i)));
    }
    return readers;
  }

  /** Appends, now and then after a truncation, until the time is over. */
  private void write(final FileChannel channel) throws IOException {
    final Random random = new Random(seed);
    final long deadline = System.nanoTime() + RUN_NANOS;
    while (System.nanoTime() < deadline) {
      long end = channel.size();
      if (end > FILE_BYTES_MAX || random.nextInt(2000) == 0) {
        end = (long) (random.nextDouble() * end);
        channel.truncate(end);
        channel.position(end);
      }
      StoreFixture.append(channel, bytes(end, 1 + random.nextInt(READ_BYTES_MAX)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem 64MiB", "file 64MiB", "pmem 1MiB", "pmem 1B"})
  void readersNeverSeeAnythingButWhatWasWritten(final String tier) throws Exception {
    fixture.mapped(tier.startsWith("pmem"));
    fixture.with("headpond.tier.pmem.capacity", tier.split(" ")[1]);
    final TieredStore store = fixture.store();
    try (FileChannel writer = store.open(segment, StoreFixture.CREATE);
        FileChannel other = store.open(segment, Set.of(StandardOpenOption.READ))) {
      final List<Future<Long>> readers = readers(writer);
      readers.addAll(readers(other));
      write(writer);
      done = true;
      // All together: on a busy machine a single one may never get its turn beside the writer.
      long read = 0;
      for (final Future<Long> reader : readers) {
        read += result(reader);
      }
      assertThat(read).as("bytes read, seed %d", seed).isPositive();
      check(0, Files.readAllBytes(segment), (int) writer.size());
    }
    check(0, Files.readAllBytes(segment), (int) Files.size(segment));
  }

  /** Moves the segment from tier to tier until the end of the test; how often it got there. */
  private Callable<Integer> mover(final TieredStore store) {
    return () -> {
      final List<TierDirectory> places = new ArrayList<>();
      places.add(null);
      store.tiers().forEach(places::addAll);
      final Random random = new Random(seed - 1);
      int moves = 0;
      while (!done) {
        final TierDirectory to = places.get(random.nextInt(places.size()));
        final boolean active = random.nextInt(4) > 0;
        if (store.migration(bytes -> {}).move(segment, to, active)
            == SegmentMigration.Outcome.MOVED) {
          moves++;
        }
      }
      return moves;
    };
  }

  /** Opens, reads and closes channels of its own, as an engine's other threads do. */
  private Callable<Long> passerBy(final TieredStore store) {
    return () -> {
      final Random random = new Random(seed - 2);
      long read = 0;
      while (!done) {
        try (FileChannel channel = store.open(segment, Set.of(StandardOpenOption.READ))) {
          final long size = channel.size();
          for (int i = 0; size > 0 && i < 20; i++) {
            read += readOnce(channel, random, (long) (random.nextDouble() * size));
          }
        }
      }
      return read;
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void nobodySeesThatTheSegmentMovesUpAndDownAllTheTime(final String type) throws Exception {
    fixture
        .mapped(type.equals("pmem"))
        .with("headpond.tiers", "pmem,ssd")
        .with("headpond.tier.ssd.paths", Files.createDirectory(fixture.root.resolve("ssd")) + "")
        .with("headpond.tier.ssd.migrate.threshold", "-1");
    final TieredStore store = fixture.store();
    try (FileChannel writer = store.open(segment, StoreFixture.CREATE);
        FileChannel other = store.open(segment, Set.of(StandardOpenOption.READ))) {
      final List<Future<Long>> readers = readers(writer);
      readers.addAll(readers(other));
      readers.add(threads.submit(passerBy(store)));
      final Future<Integer> mover = threads.submit(mover(store));
      write(writer);
      done = true;
      long read = 0;
      for (final Future<Long> reader : readers) {
        read += result(reader);
      }
      assertThat(read).as("bytes read, seed %d", seed).isPositive();
      assertThat(result(mover)).as("moves, seed %d", seed).isPositive();
      check(0, Files.readAllBytes(segment), (int) writer.size());
    }
    check(0, Files.readAllBytes(segment), (int) Files.size(segment));
    for (final List<TierDirectory> tier : store.tiers()) {
      final TierDirectory directory = tier.get(0);
      StoreFixture.await(
          "only the segment is left, seed " + seed,
          () ->
              directory.space.usedBytes() == 0
                  || directory.space.usedBytes() == Files.size(segment));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void aCloseEndsTheReadsOfThatChannelAndOfNoOther(final String type) throws Exception {
    fixture.mapped(type.equals("pmem"));
    final TieredStore store = fixture.store();
    try (FileChannel writer = store.open(segment, StoreFixture.CREATE)) {
      StoreFixture.append(writer, bytes(0, 1 << 20));
      for (int i = 0; i < 50; i++) {
        final FileChannel closing = store.open(segment, Set.of(StandardOpenOption.READ));
        final List<Future<Long>> readers = readers(closing);
        readOnce(closing, new Random(seed), 0);
        closing.close();
        for (final Future<Long> reader : readers) {
          assertThat(result(reader)).isNotNegative();
        }
        assertThat(closing.isOpen()).isFalse();
        final long end = writer.size();
        StoreFixture.append(writer, bytes(end, 100));
        readOnce(writer, new Random(seed), end);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void anInterruptedReaderClosesItsChannelAndNoOther(final String type) throws Exception {
    fixture.mapped(type.equals("pmem"));
    final TieredStore store = fixture.store();
    try (FileChannel writer = store.open(segment, StoreFixture.CREATE);
        FileChannel reading = store.open(segment, Set.of(StandardOpenOption.READ))) {
      StoreFixture.append(writer, bytes(0, 1 << 20));
      final CountDownLatch started = new CountDownLatch(1);
      final Future<Boolean> reader =
          threads.submit(
              () -> {
                started.countDown();
                try {
                  while (true) {
                    reading.read(ByteBuffer.allocate(100), 5);
                  }
                } catch (final ClosedByInterruptException expected) {
                  return Thread.interrupted();
                }
              });
      assertThat(started.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      threads.shutdownNow();
      assertThat(result(reader)).isTrue();
      assertThat(reading.isOpen()).isFalse();
      StoreFixture.append(writer, bytes(1 << 20, 100));
      readOnce(writer, new Random(seed), 1 << 20);
    }
  }

  private static <T> T result(final Future<T> future) throws Exception {
    try {
      return future.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (final ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }
}
