// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.segment.ColdReads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Consumers of what lies at home: a slow disk holds up only who reads from it. */
class ColdReadsTest {
  private static final int MIB = 1 << 20;
  private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

  private final ExecutorService consumers = Executors.newCachedThreadPool();
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    consumers.shutdownNow();
    server.close();
  }

  /** A broker's end of a consumer's connection, and what the consumer gets. */
  private record Connection(SocketChannel broker, Future<byte[]> received)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      broker.close();
    }
  }

  private Connection connect(final int bytes) throws IOException {
    final SocketChannel client = SocketChannel.open(server.getLocalAddress());
    final SocketChannel broker = server.accept();
    broker.configureBlocking(false);
    final Future<byte[]> received =
        consumers.submit(
            () -> {
              try (InputStream in = client.socket().getInputStream()) {
                return in.readNBytes(bytes);
              }
            });
    return new Connection(broker, received);
  }

  /** Sends all of a segment as a network thread does; returns the transfers that moved nothing. */
  private static long send(final FileChannel segment, final SocketChannel to) throws IOException {
    long idle = 0;
    for (long at = 0; at < segment.size(); ) {
      final long sent = segment.transferTo(at, Math.min(MIB, segment.size() - at), to);
      idle += sent == 0 ? 1 : 0;
      at += sent;
    }
    return idle;
  }

  /** Sends once more; true when all of it was. */
  private static boolean sendMore(
      final FileChannel segment, final AtomicLong sent, final SocketChannel to) throws IOException {
    sent.addAndGet(segment.transferTo(sent.get(), segment.size() - sent.get(), to));
    return sent.get() == segment.size();
  }

  @Test
  void aConsumerReceivesEveryByteOfASegmentAtHome() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      // A segment that a broker finds: nothing of it was appended by this process.
      final byte[] content = bytes(9 * MIB + 12_345, 1);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      final TieredStore store = fixture.store();
      try (FileChannel segment = store.open(name, READ);
          Connection one = connect(content.length);
          Connection other = connect(content.length)) {
        send(segment, one.broker());
        send(segment, other.broker());
        assertThat(one.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
        assertThat(other.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
      assertThat(store.facts().count(Count.READ_AHEAD_BYTES))
          .as("each window once")
          .isPositive()
          .isLessThanOrEqualTo(content.length);
    }
  }

  /** Starts a store that finds a segment at home: nothing of it was appended by this process. */
  private static Path startedWith(final ModelRun run, final byte[] content) throws Exception {
    final Path name = written(run, "t-0", content);
    run.start();
    return name;
  }

  /** A segment at home, before the store starts. */
  private static Path written(final ModelRun run, final String partition, final byte[] content)
      throws Exception {
    run.disk.createDirectory(run.real("home0/" + partition));
    final Path name = run.path("home0/" + partition + "/00000000000000000000.log");
    try (FileChannel channel = FileChannel.open(name, CREATE)) {
      append(channel, content);
    }
    return name;
  }

  /** Reads at home hang from now on. */
  private static HungCalls hungReads(final ModelRun run) {
    return hungReads(run, "home0");
  }

  private static HungCalls hungReads(final ModelRun run, final String below) {
    return new HungCalls(
        run.disk,
        (made, path) -> made == ModelFaults.Call.READ && path.startsWith(run.real(below)));
  }

  @Test
  void aDiskThatDoesntAnswerHoldsUpNoTransfer() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file").directories(2), 3)) {
      final byte[] content = bytes(3 * MIB, 2);
      final Path name = startedWith(run, content);
      try (FileChannel segment = run.store().open(name, READ);
          Connection consumer = connect(content.length)) {
        try (HungCalls hung = hungReads(run)) {
          for (int i = 0; i < 20; i++) {
            assertThat(segment.transferTo(0, MIB, consumer.broker())).isZero();
          }
          await("the disk is asked by a thread of ours", () -> hung.hanging("headpond-read") > 0);
          assertThat(hung.hanging(Thread.currentThread().getName())).isZero();
        }
        send(segment, consumer.broker());
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
    }
  }

  /** Each of the windows that one consumer waits for would take a thread, and there are four. */
  @Test
  void aBacklogThatCannotBeReadHoldsUpNoOther() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file").directories(2), 4)) {
      final byte[] content = bytes(3 * MIB, 11);
      final Path other = written(run, "t-1", content);
      final Path name = startedWith(run, content);
      final AtomicLong sent = new AtomicLong();
      try (FileChannel segment = run.store().open(name, READ);
          FileChannel readable = run.store().open(other, READ);
          Connection waits = connect(content.length);
          Connection consumer = connect(content.length)) {
        try (HungCalls hung = hungReads(run, "home0/t-0")) {
          assertThat(segment.transferTo(0, 3 * MIB, waits.broker())).isZero();
          await("its disk is asked", () -> hung.hanging("headpond-read") > 0);
          await("the other is sent", () -> sendMore(readable, sent, consumer.broker()));
          assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
        }
        send(segment, waits.broker());
        assertThat(waits.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
    }
  }

  /** As many as there are threads have much to read; one more comes after them, not at the end. */
  @Test
  void oneMoreBacklogIsReadBeforeAllOthersAre() throws Exception {
    final int readers = 4;
    final byte[] content = bytes(16 * MIB, 12);
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file").directories(2), 6)) {
      final List<Path> names = new ArrayList<>();
      for (int i = 1; i <= readers; i++) {
        names.add(written(run, "t-" + i, content));
      }
      names.add(startedWith(run, content));
      final Queue<Path> read = new ConcurrentLinkedQueue<>();
      final List<FileChannel> segments = new ArrayList<>();
      try (Connection consumer = connect(content.length)) {
        final HungCalls hung =
            new HungCalls(
                run.disk,
                (made, path) ->
                    made == ModelFaults.Call.READ
                        && Thread.currentThread().getName().startsWith("headpond-read")
                        && read.add(path));
        try (hung) {
          for (final Path name : names) {
            final FileChannel segment = run.store().open(name, READ);
            segments.add(segment);
            assertThat(segment.transferTo(0, content.length, consumer.broker())).isZero();
          }
          await("all threads read", () -> hung.hanging("headpond-read") == readers);
        }
        final long all = (readers + 1L) * content.length;
        await("all is read", () -> run.store().facts().count(Count.READ_AHEAD_BYTES) == all);
        final List<Path> order = List.copyOf(read);
        assertThat(order.indexOf(run.real("home0/t-0/00000000000000000000.log")))
            .as("of %d reads", order.size())
            .isBetween(readers, order.size() / (readers + 1) - 1);
      } finally {
        for (final FileChannel segment : segments) {
          segment.close();
        }
      }
    }
  }

  @Test
  void whatWasJustAppendedIsSentAtOnce() throws Exception {
    final LaterTime time = new LaterTime();
    try (StoreFixture fixture =
        new StoreFixture()
            .with("headpond.tier.pmem.capacity", "128KiB") // so it goes home
            .time(time)) {
      final TieredStore store = fixture.store();
      final byte[] content = bytes(2 * MIB, 3);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      try (FileChannel segment = store.open(name, CREATE);
          Connection consumer = connect(content.length)) {
        append(segment, content);
        assertThat(Files.isSymbolicLink(name)).isFalse();
        send(segment, consumer.broker());
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
        assertThat(store.facts().count(Count.READ_AHEAD_BYTES)).isZero();
        time.pass(Duration.ofSeconds(11));
        try (Connection later = connect(content.length)) {
          send(segment, later.broker());
          assertThat(later.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
        }
      }
      assertThat(store.facts().count(Count.READ_AHEAD_BYTES))
          .as("read ahead once nobody can know that it is in memory still")
          .isPositive();
    }
  }

  @Test
  void withoutTheKeyNothingIsReadAhead() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with("headpond.read.ahead", "0")) {
      final byte[] content = bytes(2 * MIB, 4);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      try (FileChannel segment = fixture.store().open(name, READ);
          Connection consumer = connect(content.length)) {
        send(segment, consumer.broker());
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
      assertThat(fixture.store().facts().count(Count.READ_AHEAD_BYTES)).isZero();
    }
  }

  @Test
  void aBlockingTargetGetsAllThatItAsksFor() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final byte[] content = bytes(MIB, 5);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      final AtomicLong sent = new AtomicLong();
      try (FileChannel segment = fixture.store().open(name, READ);
          Connection consumer = connect(content.length)) {
        consumer.broker().configureBlocking(true);
        while (sent.get() < MIB) {
          final long moved = segment.transferTo(sent.get(), MIB, consumer.broker());
          assertThat(moved).isPositive();
          sent.addAndGet(moved);
        }
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
    }
  }

  @Test
  void moreThanIsRememberedIsSentAllTheSame() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with("headpond.read.ahead", "1MiB")) {
      final byte[] content = bytes(8 * MIB, 6);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      try (FileChannel segment = fixture.store().open(name, READ);
          Connection consumer = connect(content.length)) {
        send(segment, consumer.broker());
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
    }
  }

  /** An engine's thread that looks for the batch that begins in the next windows of a segment. */
  private static Thread look(final FileChannel segment, final String name) {
    final Thread looking =
        new Thread(
            () -> {
              try {
                segment.read(ByteBuffer.allocate(17), MIB);
              } catch (final IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            name);
    looking.start();
    return looking;
  }

  private static boolean waitsForWindows(final Thread looking) {
    return Stream.of(looking.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(ColdReads.class.getName()));
  }

  @Test
  void whatIsSentNextIsAwaitedByTheLooksForIt() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file").directories(2), 5)) {
      final byte[] content = bytes(3 * MIB, 7);
      final Path name = startedWith(run, content);
      try (FileChannel segment = run.store().open(name, READ);
          Connection consumer = connect(content.length)) {
        final List<Thread> looks;
        try (HungCalls hung = hungReads(run)) {
          assertThat(segment.transferTo(0, MIB, consumer.broker())).isZero();
          looks =
              IntStream.range(0, ColdReads.LOOKS_MAX)
                  .mapToObj(i -> look(segment, "l" + i))
                  .toList();
          await("they wait", () -> looks.stream().allMatch(ColdReadsTest::waitsForWindows));
          look(segment, "one more");
          await("no more of them wait than may", () -> hung.hanging("one more") == 1);
        }
        for (final Thread looking : looks) {
          looking.join();
        }
        send(segment, consumer.broker());
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
    }
  }

  @Test
  void aLookWhereNobodyWasSentAnythingReadsNothingAhead() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final byte[] content = bytes(4 * MIB, 8);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      try (FileChannel segment = fixture.store().open(name, READ);
          Connection consumer = connect(MIB)) {
        segment.read(ByteBuffer.allocate(17), 0);
        assertThat(fixture.store().facts().count(Count.READ_AHEAD_BYTES)).isZero();
        for (long at = 0; at < MIB; ) {
          at += segment.transferTo(at, MIB - at, consumer.broker());
        }
        segment.read(ByteBuffer.allocate(17), MIB);
        assertThat(fixture.store().facts().count(Count.READ_AHEAD_BYTES))
            .as("what is sent next was awaited")
            .isGreaterThanOrEqualTo(2L * MIB);
      }
    }
  }

  /** Until the consumer asks for more, the disk must not stand still. */
  @Test
  void whatComesAfterAConsumersFetchIsReadMeanwhile() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final byte[] content = bytes(4 * MIB, 10);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      final TieredStore store = fixture.store();
      try (FileChannel segment = store.open(name, READ);
          Connection consumer = connect(MIB)) {
        for (long at = 0; at < MIB; ) {
          at += segment.transferTo(at, MIB - at, consumer.broker());
        }
        await(
            "a second MiB is read", () -> store.facts().count(Count.READ_AHEAD_BYTES) == 2L * MIB);
      }
      assertThat(store.facts().count(Count.READ_AHEAD_BYTES)).as("no more").isEqualTo(2L * MIB);
    }
  }

  @Test
  void aTransferThatAsksForMoreThanThereIsIsSent() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final byte[] content = bytes(MIB, 9);
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      Files.write(name, content);
      try (FileChannel segment = fixture.store().open(name, READ);
          Connection consumer = connect(content.length)) {
        for (long at = 0; at < content.length; ) {
          at += segment.transferTo(at, Long.MAX_VALUE, consumer.broker());
        }
        assertThat(consumer.received().get(20, TimeUnit.SECONDS)).isEqualTo(content);
      }
    }
  }
}
