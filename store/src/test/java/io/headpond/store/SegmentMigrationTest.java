// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.SegmentMigration.Outcome;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.tier.TierDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One move at a time, made by the test's own thread, with the engine's work at a chosen point. */
class SegmentMigrationTest {
  private static final int MIB = 1 << 20;
  private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

  private StoreFixture fixture;
  private Path ssd;
  private Path partition;
  private Path name;
  private TieredStore store;
  private TierDirectory pmemTier;
  private TierDirectory ssdTier;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Work for the engine, done once, in the middle of a copy. */
  private interface Work {
    void run() throws Exception;
  }

  @BeforeEach
  void makeStore() throws IOException {
    fixture = new StoreFixture();
    ssd = Files.createDirectory(fixture.root.resolve("ssd"));
    fixture
        .with("headpond.tiers", "pmem,ssd")
        .with("headpond.tier.ssd.paths", ssd.toString())
        .with("headpond.tier.ssd.capacity", "64MiB")
        .with("headpond.tier.ssd.migrate.threshold", "-1");
    partition = fixture.partition("orders-0");
    name = segment(partition, 0);
    start();
  }

  private void start() throws IOException {
    store = fixture.store();
    pmemTier = store.tiers().get(0).get(0);
    ssdTier = store.tiers().get(1).get(0);
  }

  @AfterEach
  void removeStore() throws Exception {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    fixture.close();
  }

  private FileChannel written(final byte[] content) throws IOException {
    final FileChannel channel = store.open(name, CREATE);
    append(channel, content);
    return channel;
  }

  private Outcome move(final TierDirectory to, final boolean active) throws IOException {
    return store.migration(bytes -> {}).move(name, to, active);
  }

  private Outcome moveWith(final TierDirectory to, final boolean active, final Work work)
      throws IOException {
    final AtomicBoolean done = new AtomicBoolean();
    return store
        .migration(
            bytes -> {
              if (done.compareAndSet(false, true)) {
                try {
                  work.run();
                } catch (final Exception e) {
                  throw new AssertionError(e);
                }
              }
            })
        .move(name, to, active);
  }

  private static byte[] read(final FileChannel channel) throws IOException {
    final ByteBuffer all = ByteBuffer.allocate((int) channel.size());
    while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {}
    return all.array();
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  private void assertNothingUnfinished() throws Exception {
    assertThat(LogDirScan.unfinishedMoves(fixture.home)).isEmpty();
    for (final TierDirectory directory : List.of(pmemTier, ssdTier)) {
      await(
          directory + " holds what its account says",
          () -> {
            long bytes = 0;
            for (final Path file : StoreFixture.tierFiles(directory.ref.path())) {
              bytes += file.toFile().length(); // 0 if it goes just now
            }
            return bytes == directory.space.usedBytes() && bytes == directory.space.segmentBytes();
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 4095, 4096, 4097, MIB - 1, MIB, MIB + 1, 17 * MIB + 3})
  void everyLengthArrivesWholeFromAnywhereToAnywhere(final int length) throws Exception {
    final byte[] content = bytes(length, length);
    try (FileChannel channel = written(content)) {
      for (final boolean active : List.of(false, true)) {
        for (final TierDirectory to :
            Arrays.asList(null, ssdTier, pmemTier, ssdTier, null, pmemTier)) {
          assertThat(move(to, active)).isEqualTo(Outcome.MOVED);
          assertThat(read(channel)).isEqualTo(content);
          final byte[] onDisk = Files.readAllBytes(name); // a tier file may be grown ahead
          assertThat(Arrays.equals(onDisk, 0, length, content, 0, length)).isTrue();
          assertThat(Files.isSymbolicLink(name)).isEqualTo(to != null);
        }
      }
      append(channel, new byte[] {1, 2, 3});
      assertThat(channel.size()).isEqualTo(length + 3);
    }
    assertNothingUnfinished();
  }

  @Test
  void aMoveLeavesNoDescriptorOpen() throws Exception {
    try (FileChannel channel = written(bytes(MIB + 5, 1))) {
      move(ssdTier, true);
      move(pmemTier, true);
      assertNothingUnfinished();
      final long before = openFiles();
      for (int i = 0; i < 10; i++) {
        move(null, true);
        move(pmemTier, false);
        assertThat(moveWith(ssdTier, true, () -> channel.write(ByteBuffer.allocate(1), 0)))
            .isEqualTo(Outcome.CHANGED);
      }
      assertNothingUnfinished();
      assertThat(openFiles()).isLessThanOrEqualTo(before + 1); // its directory's, now and then
    }
  }

  @Test
  void modeAndTimeAreKeptAlsoOfALastSegmentThatNobodyWritesTo() throws Exception {
    try (FileChannel channel = written(bytes(MIB + 1234, 1))) {
      assertThat(move(ssdTier, false)).isEqualTo(Outcome.MOVED);
      final FileTime longAgo = FileTime.fromMillis(1_600_000_000_000L);
      final var mode = PosixFilePermissions.fromString("rw-r-----");
      Files.setPosixFilePermissions(name, mode);
      for (final TierDirectory to : Arrays.asList(null, pmemTier, ssdTier)) {
        Files.setLastModifiedTime(name, longAgo);
        assertThat(move(to, true)).isEqualTo(Outcome.MOVED);
        assertThat(Files.getLastModifiedTime(name)).isEqualTo(longAgo);
        assertThat(Files.getPosixFilePermissions(name)).isEqualTo(mode);
      }
      assertThat(channel.size()).isEqualTo(MIB + 1234);
    }
  }

  @Test
  void aLockThatIsHeldDuringAMoveIsHeldAfterItAndCanBeReleased() throws Exception {
    try (FileChannel channel = written(bytes(MIB, 1));
        FileChannel other = store.open(name, CREATE)) {
      for (final TierDirectory to : Arrays.asList(null, ssdTier, pmemTier)) {
        final FileLock held = channel.lock(10, 20, false);
        assertThat(move(to, true)).isEqualTo(Outcome.MOVED);
        assertThat(held.isValid()).isTrue();
        assertThatThrownBy(() -> other.tryLock(15, 1, false))
            .isInstanceOf(OverlappingFileLockException.class);
        held.release();
        assertThat(held.isValid()).isFalse();
        other.tryLock(15, 1, false).release();
      }
    }
  }

  @Test
  void aGapReadsAsZeroWhereverItIsMovedTo() throws Exception {
    final byte[] expected = new byte[5 * MIB + 7];
    final byte[] end = bytes(7, 1);
    System.arraycopy(end, 0, expected, 5 * MIB, 7);
    try (FileChannel channel = store.open(name, CREATE)) {
      channel.write(ByteBuffer.wrap(end), 5 * MIB);
      for (final TierDirectory to : Arrays.asList(null, ssdTier, pmemTier)) {
        assertThat(move(to, true)).isEqualTo(Outcome.MOVED);
        assertThat(read(channel)).isEqualTo(expected);
      }
    }
    assertNothingUnfinished();
  }

  @Test
  void aTruncationARewriteAndAMappingDuringTheCopyWin() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    try (FileChannel channel = written(content)) {
      assertThat(moveWith(ssdTier, false, () -> channel.truncate(2 * MIB)))
          .isEqualTo(Outcome.CHANGED);
      assertThat(read(channel)).isEqualTo(Arrays.copyOf(content, 2 * MIB));
      assertThat(moveWith(null, true, () -> channel.write(ByteBuffer.allocate(10), 0)))
          .isEqualTo(Outcome.CHANGED);
      assertThat(read(channel)).startsWith(new byte[10]);
      assertThat(Files.readSymbolicLink(name)).startsWith(fixture.tier);
      assertThat(
              moveWith(
                  ssdTier,
                  true,
                  () -> channel.map(FileChannel.MapMode.READ_WRITE, 0, 100).put(0, (byte) 77)))
          .isEqualTo(Outcome.CHANGED);
      assertThat(read(channel)[0]).isEqualTo((byte) 77);
    }
    assertNothingUnfinished();
  }

  @Test
  void aTruncationFollowedByAppendsToTheOldLengthWins() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    final byte[] other = bytes(2 * MIB, 2);
    try (FileChannel channel = written(content)) {
      assertThat(
              moveWith(
                  ssdTier,
                  true,
                  () -> {
                    channel.truncate(MIB);
                    append(channel, other);
                  }))
          .isEqualTo(Outcome.CHANGED);
      final ByteBuffer expected = ByteBuffer.allocate(3 * MIB);
      expected.put(content, 0, MIB).put(other);
      assertThat(read(channel)).isEqualTo(expected.array());
    }
  }

  @Test
  void aDeletionDuringTheCopyWinsAndNothingRemains() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    try (FileChannel channel = written(content)) {
      assertThat(moveWith(ssdTier, false, () -> store.delete(name))).isEqualTo(Outcome.GONE);
      assertThat(Files.exists(name)).isFalse();
      assertThat(read(channel)).as("through the engine's open channel").isEqualTo(content);
    }
    assertNothingUnfinished();
    assertThat(pmemTier.space.usedBytes()).isZero();
  }

  @Test
  void aRenameForDeletionDuringTheCopyWins() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    final Path renamed = name.resolveSibling(name.getFileName() + ".deleted");
    for (final TierDirectory to : Arrays.asList(null, ssdTier)) {
      try (FileChannel channel = written(content)) {
        assertThat(
                moveWith(
                    to, false, () -> store.move(name, renamed, StandardCopyOption.ATOMIC_MOVE)))
            .isEqualTo(Outcome.GONE);
        assertThat(read(channel)).isEqualTo(content);
        assertThat(Files.exists(name)).isFalse();
        store.delete(renamed);
      }
    }
    assertNothingUnfinished();
  }

  @Test
  void aPartitionThatIsRenamedDuringTheCopyKeepsItsSegment() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    final Path renamed = fixture.home.resolve("orders-0.abc-delete");
    for (final TierDirectory to : Arrays.asList(null, ssdTier)) {
      try (FileChannel channel = written(content)) {
        final Outcome outcome =
            moveWith(
                to, false, () -> store.move(partition, renamed, StandardCopyOption.ATOMIC_MOVE));
        assertThat(outcome).isEqualTo(Outcome.GONE);
        assertThat(read(channel)).isEqualTo(content);
        assertThat(Arrays.copyOf(Files.readAllBytes(renamed.resolve(name.getFileName())), 3 * MIB))
            .isEqualTo(content);
        store.delete(renamed.resolve(name.getFileName()));
      }
      store.delete(renamed);
      fixture.partition("orders-0");
    }
    assertNothingUnfinished();
  }

  @Test
  void theEnginesChannelMayCloseAndOpenAgainDuringTheCopy() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    final FileChannel first = written(content);
    final FileChannel[] second = new FileChannel[1];
    assertThat(
            moveWith(
                null,
                true,
                () -> {
                  first.close();
                  second[0] = store.open(name, CREATE);
                  second[0].position(3 * MIB);
                  append(second[0], new byte[] {1, 2, 3});
                }))
        .isEqualTo(Outcome.MOVED);
    try (FileChannel channel = second[0]) {
      assertThat(channel.size()).isEqualTo(3 * MIB + 3);
      assertThat(Arrays.copyOf(read(channel), 3 * MIB)).isEqualTo(content);
      assertThat(Files.isSymbolicLink(name)).isFalse();
    }
    assertNothingUnfinished();
  }

  @Test
  void aSegmentThatNobodyHasOpenMovesToo() throws Exception {
    final byte[] content = bytes(3 * MIB + 1, 1);
    written(content).close();
    for (final TierDirectory to : Arrays.asList(ssdTier, null, pmemTier)) {
      assertThat(move(to, false)).isEqualTo(Outcome.MOVED);
      assertThat(Files.readAllBytes(name)).isEqualTo(content);
    }
    assertThat(store.partitions().open(name)).isNull();
    assertNothingUnfinished();
  }

  @Test
  void anIdleSegmentMayGiveBackItsSpaceDuringTheCopy() throws Exception {
    final byte[] content = bytes(3 * MIB + 1, 1);
    try (FileChannel channel = written(content)) {
      assertThat(
              moveWith(
                  ssdTier, true, () -> pmemTier.active().forEach(active -> active.sealIfIdle(0))))
          .isEqualTo(Outcome.MOVED);
      assertThat(read(channel)).isEqualTo(content);
    }
    assertNothingUnfinished();
  }

  @Test
  void aSegmentThatWasTakenForSealedButGrowsMovesAndIsKnownToGrow() throws Exception {
    final byte[] content = bytes(3 * MIB + 1, 1);
    final byte[] more = bytes(MIB / 2, 2);
    try (FileChannel channel = written(content)) {
      store.catalogue().sealAllBut(partition, segment(partition, 1).getFileName().toString(), 0);
      assertThat(moveWith(null, false, () -> append(channel, more))).isEqualTo(Outcome.MOVED);
      assertThat(channel.size()).isEqualTo(content.length + more.length);
      assertThat(Arrays.copyOfRange(read(channel), content.length, (int) channel.size()))
          .isEqualTo(more);
      assertThat(store.catalogue().movable(System.nanoTime()).coldestActive(null)).isNotNull();
    }
    assertNothingUnfinished();
  }

  @Test
  void twoAppendersThatWaitForTheMoveOverwriteNothing() throws Exception {
    final byte[] content = bytes(MIB, 1);
    written(content).close();
    assertThat(move(ssdTier, false)).isEqualTo(Outcome.MOVED);
    final Set<StandardOpenOption> atTheEnd =
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    final long rest = ssdTier.capacityBytes - ssdTier.space.usedBytes();
    try (FileChannel one = store.open(name, atTheEnd);
        FileChannel other = store.open(name, atTheEnd)) {
      final List<FutureTask<Void>> appends = new ArrayList<>();
      final Outcome outcome =
          moveWith(
              pmemTier,
              true,
              () -> {
                ssdTier.space.adopt(rest);
                for (final FileChannel channel : List.of(one, other)) {
                  final FutureTask<Void> task =
                      new FutureTask<>(
                          () -> {
                            append(channel, bytes(1_000, channel == one ? 2 : 3));
                            return null;
                          });
                  appends.add(task);
                  final Thread thread = new Thread(task);
                  thread.start();
                  await(
                      "it waits",
                      () -> task.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
                }
              });
      ssdTier.space.adopt(-rest);
      assertThat(outcome).isEqualTo(Outcome.MOVED);
      for (final FutureTask<Void> task : appends) {
        task.get();
      }
      assertThat(one.size()).isEqualTo(content.length + 2_000);
    }
    assertThat(Files.readAllBytes(name))
        .startsWith(content)
        .containsSequence(bytes(1_000, 2))
        .containsSequence(bytes(1_000, 3));
  }

  @Test
  void aStoppedCopyLeavesTheSegmentWhereItIs() throws Exception {
    final byte[] content = bytes(3 * MIB, 1);
    try (FileChannel channel = written(content)) {
      final SegmentMigration stopped =
          store.migration(
              bytes -> {
                throw new IOException("stopped");
              });
      assertThatThrownBy(() -> stopped.move(name, ssdTier, true)).hasMessage("stopped");
      assertThat(read(channel)).isEqualTo(content);
      assertThat(Files.readSymbolicLink(name)).startsWith(fixture.tier);
    }
    assertNothingUnfinished();
  }

  @Test
  void aReadThatIsUnderWayAtTheSwitchEndsInTheOldFile() throws Exception {
    final byte[] content = bytes(8 * MIB, 1);
    final CountDownLatch reading = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    final WritableByteChannel slow =
        new WritableByteChannel() {
          @Override
          public int write(final ByteBuffer source) throws IOException {
            reading.countDown();
            try {
              assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (final InterruptedException e) {
              throw new IOException(e);
            }
            final byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            received.write(bytes);
            return bytes.length;
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    written(content).close();
    try (FileChannel channel = store.open(name, READ)) {
      final Future<Long> reader = threads.submit(() -> channel.transferTo(0, content.length, slow));
      assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
      final Path source = Files.readSymbolicLink(name);
      assertThat(move(null, false)).isEqualTo(Outcome.MOVED);
      dropped(segment(fixture.partition("other-0"), 0)); // one goes after the other
      await("the source goes", () -> !Files.exists(source));
      assertThat(pmemTier.space.droppedBytes()).as("while it is read").isPositive();
      goOn.countDown();
      final long sent = reader.get(20, TimeUnit.SECONDS);
      assertThat(sent).isPositive();
      assertThat(received.toByteArray()).isEqualTo(Arrays.copyOf(content, (int) sent));
      await("nothing is held", () -> pmemTier.space.droppedBytes() == 0);
    }
    assertNothingUnfinished();
  }

  /** Makes a segment in the first tier and deletes it, until its file is gone. */
  private void dropped(final Path other) throws Exception {
    try (FileChannel channel = store.open(other, CREATE)) {
      append(channel, bytes(1_000, 2));
    }
    final Path file = Files.readSymbolicLink(other);
    assertThat(file).startsWith(pmemTier.ref.path());
    store.delete(other);
    await("its file goes", () -> !Files.exists(file));
  }

  @Test
  void aPartitionDirectoryBehindALinkIsNoObstacle() throws Exception {
    final Path elsewhere = Files.createDirectory(fixture.root.resolve("elsewhere"));
    Files.createSymbolicLink(fixture.home.resolve("linked-0"), elsewhere);
    name = segment(fixture.home.resolve("linked-0"), 0);
    final byte[] content = bytes(MIB + 1, 1);
    try (FileChannel channel = written(content)) {
      for (final TierDirectory to : Arrays.asList(null, ssdTier, null, pmemTier)) {
        assertThat(move(to, false)).isEqualTo(Outcome.MOVED);
        assertThat(read(channel)).isEqualTo(content);
      }
      assertThat(Files.list(elsewhere)).containsExactly(elsewhere.resolve(name.getFileName()));
    }
    assertNothingUnfinished();
  }

  @Test
  void aTargetWithoutRoomIsLeftAsItWas() throws Exception {
    fixture.stop();
    fixture.with("headpond.tier.ssd.capacity", "2MiB");
    start();
    final byte[] content = bytes(3 * MIB, 1);
    try (FileChannel channel = written(content)) {
      assertThat(move(ssdTier, false)).isEqualTo(Outcome.NO_ROOM);
      assertThat(read(channel)).isEqualTo(content);
    }
    assertThat(ssdTier.space.usedBytes()).isZero();
    assertNothingUnfinished();
  }
}
