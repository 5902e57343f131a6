// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing, interrupting and sealing while others use the channel: nobody waits for ever. */
final class ChannelCloseTest {
  private static final int ROUNDS = 200;

  private StoreFixture fixture;
  private ExecutorService threads;

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

  private void kind(final String kind) {
    switch (kind) {
      case "home" -> fixture.with("headpond.tier.pmem.capacity", "1B");
      default -> fixture.mapped(kind.equals("pmem"));
    }
  }

  /** Appends until the channel is closed; what was acknowledged is counted. */
  private static Callable<Void> appending(final FileChannel channel, final AtomicLong count) {
    return () -> {
      final byte[] data = bytes(700, 1);
      try {
        while (true) {
          append(channel, data);
          count.addAndGet(data.length);
        }
      } catch (final ClosedChannelException e) {
        return null;
      }
    };
  }

  private static void spin(final long nanos) {
    final long until = System.nanoTime() + nanos;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "home"})
  void aChannelClosedUnderItsWriterEndsItAndLosesNothing(final String kind) throws Exception {
    kind(kind);
    final long seed = System.nanoTime();
    final Random random = new Random(seed);
    final Path partition = fixture.partition("t-0");
    for (int round = 0; round < ROUNDS; round++) {
      final Path name = segment(partition, round);
      final FileChannel channel = fixture.store().open(name, CREATE);
      final AtomicLong acknowledged = new AtomicLong();
      final Future<Void> writer = threads.submit(appending(channel, acknowledged));
      spin(random.nextInt(300_000));
      final Future<?> closer =
          threads.submit(
              () -> {
                channel.close();
                return null;
              });
      closer.get(20, TimeUnit.SECONDS);
      writer.get(20, TimeUnit.SECONDS);
      assertThat(Files.size(name))
          .as("%s, seed %d, round %d", kind, seed, round)
          .isGreaterThanOrEqualTo(acknowledged.get())
          .isLessThanOrEqualTo(acknowledged.get() + 700);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "home"})
  void aWriterThatIsInterruptedWhileItsChannelIsClosedEnds(final String kind) throws Exception {
    kind(kind);
    final Random random = new Random(1);
    final Path partition = fixture.partition("t-0");
    for (int round = 0; round < ROUNDS; round++) {
      final FileChannel channel = fixture.store().open(segment(partition, round), CREATE);
      final Future<Void> writer = threads.submit(appending(channel, new AtomicLong()));
      spin(random.nextInt(200_000));
      final Future<?> closer =
          threads.submit(
              () -> {
                channel.close();
                return null;
              });
      writer.cancel(true);
      closer.get(20, TimeUnit.SECONDS);
      channel.close();
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).as("every writer ended").isTrue();
  }

  /** As an engine does that deletes a segment which it is flushing. */
  @Test
  void aCloseDoesNotBreakAForceThatWaitsForAnother() throws Exception {
    kind("home"); // where a force takes its time
    final Path name = segment(fixture.partition("t-0"), 0);
    final AtomicBoolean ends = new AtomicBoolean();
    try (FileChannel other = fixture.store().open(name, CREATE)) {
      final FileChannel channel = fixture.store().open(name, CREATE);
      final Future<Void> forcing =
          threads.submit(
              () -> {
                while (!ends.get()) {
                  append(other, bytes(700, 1));
                  other.force(true);
                }
                return null;
              });
      final Force waiting = waitingForce(channel, forcing);
      channel.close();
      waiting.thread.join();
      ends.set(true);
      forcing.get(20, TimeUnit.SECONDS);
      assertThat(waiting.failure.get()).isNull();
    }
  }

  /** A force of one thread. */
  private record Force(Thread thread, AtomicReference<IOException> failure) {
    static Force of(final FileChannel channel) {
      final AtomicReference<IOException> failure = new AtomicReference<>();
      final Thread thread =
          new Thread(
              () -> {
                try {
                  channel.force(true);
                } catch (final IOException e) {
                  failure.set(e);
                }
              });
      thread.start();
      return new Force(thread, failure);
    }
  }

  private static Force waitingForce(final FileChannel channel, final Future<Void> forcing)
      throws Exception {
    final AtomicReference<Force> last = new AtomicReference<>(Force.of(channel));
    await(
        "a force that waits for another",
        () -> {
          final Thread.State now = last.get().thread.getState();
          if (now == Thread.State.TERMINATED) {
            last.set(Force.of(channel));
          }
          return now == Thread.State.BLOCKED || forcing.isDone();
        });
    return last.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void aForceWhileTheSegmentIsSealedIsNoError(final String kind) throws Exception {
    kind(kind);
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      final AtomicLong forces = new AtomicLong();
      final Future<Void> forcing =
          threads.submit(
              () -> {
                while (!Thread.interrupted()) {
                  channel.force(false);
                  forces.incrementAndGet();
                }
                return null;
              });
      final Segment segment = ((SegmentChannel) channel).segment();
      await("the first force", () -> forces.get() > 0 || forcing.isDone());
      for (int round = 0; round < ROUNDS; round++) {
        append(channel, bytes(100, round));
        segment.sealIfIdle(0);
        assertThat(channel.size()).isEqualTo((round + 1) * 100L);
        if (forcing.isDone()) {
          forcing.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(Files.size(name)).isEqualTo(ROUNDS * 100L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "home"})
  void aReaderWhoseChannelIsClosedGetsToKnowAndOthersReadOn(final String kind) throws Exception {
    kind(kind);
    final Path name = segment(fixture.partition("t-0"), 0);
    final byte[] data = bytes(200_000, 1);
    try (FileChannel stays = fixture.store().open(name, CREATE)) {
      append(stays, data);
      for (int round = 0; round < 50; round++) {
        final FileChannel closed = fixture.store().open(name, CREATE);
        final Future<Boolean> reader = threads.submit(() -> readUntilClosed(closed, data));
        spin(50_000);
        closed.close();
        assertThat(reader.get(20, TimeUnit.SECONDS)).isTrue();
      }
      final ByteBuffer all = ByteBuffer.allocate(data.length);
      while (all.hasRemaining()) {
        stays.read(all, all.position());
      }
      assertThat(all.array()).isEqualTo(data);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "home"})
  void aChannelThatItsUserForgetsIsClosedByTheGarbageCollector(final String kind) throws Exception {
    kind(kind);
    final Path name = segment(fixture.partition("t-0"), 0);
    forget(name);
    await(
        "the close of the segment",
        () -> {
          System.gc();
          return fixture.store().partitions().open(name) == null;
        });
    assertThat(Files.size(name)).isEqualTo(700);
    forget(name);
    fixture.store().delete(name);
    await(
        "the deleted segment's file to go, and all descriptors",
        () -> {
          System.gc();
          return fixture.tierFiles().isEmpty() && openOf(name.getFileName().toString()) == 0;
        });
  }

  private void forget(final Path name) throws IOException {
    append(fixture.store().open(name, CREATE), bytes(700, 1));
  }

  /** Descriptors of this process on this test's files whose names hold this. */
  private long openOf(final String name) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(each -> leadsTo(each, name)).count();
    }
  }

  private boolean leadsTo(final Path descriptor, final String name) {
    try {
      final Path file = Files.readSymbolicLink(descriptor);
      return (file.startsWith(fixture.home) || file.startsWith(fixture.tier))
          && file.toString().contains(name);
    } catch (final IOException closedMeanwhile) {
      return false;
    }
  }

  private static boolean readUntilClosed(final FileChannel channel, final byte[] data)
      throws IOException {
    try {
      while (true) {
        final ByteBuffer read = ByteBuffer.allocate(1_000);
        if (channel.read(read, 777) != 1_000
            || !read.flip().equals(ByteBuffer.wrap(data, 777, 1_000).slice())) {
          return false;
        }
      }
    } catch (final ClosedChannelException e) {
      return true;
    }
  }
}
