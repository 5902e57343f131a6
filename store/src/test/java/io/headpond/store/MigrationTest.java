// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.SegmentFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Segments move between tiers while they are used. */
class MigrationTest {
  private static final int MIB = 1 << 20;

  private StoreFixture fixture;
  private final List<FileChannel> channels = new ArrayList<>();

  @BeforeEach
  void makeStore() throws IOException {
    fixture =
        new StoreFixture()
            .with("headpond.tier.pmem.capacity", "16MiB")
            .with("headpond.tier.pmem.migrate.threshold", "0.5");
  }

  @AfterEach
  void removeStore() throws IOException {
    for (final FileChannel channel : channels) {
      channel.close();
    }
    fixture.close();
  }

  private FileChannel open(final Path name) throws IOException {
    final FileChannel channel = fixture.store().open(name, CREATE);
    channels.add(channel);
    return channel;
  }

  private FileChannel filled(final Path partition, final long baseOffset, final int length)
      throws IOException {
    final FileChannel channel = open(segment(partition, baseOffset));
    append(channel, bytes(length, baseOffset));
    return channel;
  }

  private static byte[] read(final FileChannel channel) throws IOException {
    final ByteBuffer all = ByteBuffer.allocate((int) channel.size());
    while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {}
    return all.array();
  }

  private long used() throws IOException {
    return StoreFixture.usedBytes(fixture.store(), fixture.tier);
  }

  /** A policy of an operator's that fails whatever it is asked. */
  public static final class FailingPolicy implements MigrationPolicy {
    @Override
    public double rank(final SegmentFacts segment) {
      throw new IllegalStateException("rank");
    }

    @Override
    public long downAtMs(final SegmentFacts segment) {
      throw new IllegalStateException("downAtMs");
    }

    @Override
    public double swapMargin() {
      throw new IllegalStateException("swapMargin");
    }
  }

  @Test
  void aPolicyThatFailsInEachCallHoldsNothingUp() throws Exception {
    fixture.with("headpond.migrate.policy", FailingPolicy.class.getName());
    final Path partition = fixture.partition("orders-0");
    for (int i = 0; i < 12; i++) {
      filled(partition, i, MIB);
    }
    await("the tier is at its threshold", () -> used() <= 8 * MIB);
  }

  @Test
  void theOldestSegmentsGoHomeDownToTheThresholdAndStayReadable() throws Exception {
    final Path partition = fixture.partition("orders-0");
    for (int i = 0; i < 12; i++) {
      filled(partition, i, MIB);
    }
    await("the tier is at its threshold", () -> used() <= 8 * MIB);
    assertThat(Files.isSymbolicLink(segment(partition, 0))).isFalse();
    assertThat(Files.isSymbolicLink(segment(partition, 11))).isTrue();
    for (int i = 0; i < 12; i++) {
      assertThat(read(channels.get(i))).isEqualTo(bytes(MIB, i));
      assertThat(Files.readAllBytes(segment(partition, i))).startsWith(bytes(MIB, i));
    }
  }

  @Test
  void anActiveSegmentMovesWhileItIsAppendedTo() throws Exception {
    fixture
        .with("headpond.tier.pmem.capacity", "64MiB")
        .with("headpond.tier.pmem.migrate.threshold", "0.1");
    final FileChannel growing = open(segment(fixture.partition("orders-0"), 0));
    final ByteBuffer piece = ByteBuffer.allocate(8 << 10);
    long written = 0;
    while (fixture.store().counters().sum(Count.DOWN_SEGMENTS) == 0) {
      assertThat(written).as("appended before the segment moved").isLessThan(60L * MIB);
      piece.clear();
      piece.putLong(0, written);
      written += growing.write(piece);
      if (written > 36 * MIB) {
        LockSupport.parkNanos(2_000_000); // no faster than any home takes it
      }
    }
    assertThat(fixture.store().counters().sum(Count.EVACUATED_SEGMENTS)).isZero();
    for (int i = 0; i < 100; i++) {
      piece.clear();
      piece.putLong(0, written);
      written += growing.write(piece);
    }
    assertThat(Files.isSymbolicLink(segment(fixture.home.resolve("orders-0"), 0))).isFalse();
    assertThat(growing.size()).isEqualTo(written);
    final ByteBuffer all = ByteBuffer.wrap(read(growing));
    for (int at = 0; at < written; at += piece.capacity()) {
      assertThat(all.getLong(at)).isEqualTo(at);
    }
    assertThat(Files.size(segment(fixture.home.resolve("orders-0"), 0))).isEqualTo(written);
  }

  @Test
  void aSegmentGoesThroughEveryTierOnItsWayHome() throws Exception {
    final Path ssd = Files.createDirectory(fixture.root.resolve("ssd"));
    fixture
        .with("headpond.tiers", "pmem,ssd")
        .with("headpond.tier.ssd.paths", ssd.toString())
        .with("headpond.tier.ssd.capacity", "16MiB");
    final Path partition = fixture.partition("orders-0");
    for (int i = 0; i < 30; i++) {
      filled(partition, i, MIB);
      if (i % 6 == 5) { // no faster than they move on, or some of them begin at home
        await("there is room for more", () -> used() <= 8 * MIB);
      }
    }
    await("pmem is at its threshold", () -> used() <= 8 * MIB);
    await("ssd is too", () -> StoreFixture.usedBytes(fixture.store(), ssd) <= 8 * MIB);
    assertThat(Files.readSymbolicLink(segment(partition, 29))).startsWith(fixture.tier);
    assertThat(Files.isSymbolicLink(segment(partition, 0))).isFalse();
    assertThat(StoreFixture.tierFiles(ssd)).isNotEmpty();
    for (int i = 0; i < 30; i++) {
      assertThat(read(channels.get(i))).isEqualTo(bytes(MIB, i));
    }
  }

  @Test
  void segmentsOfAnEarlierProcessMoveToo() throws Exception {
    fixture.with("headpond.tier.pmem.migrate.threshold", "-1");
    final Path partition = fixture.partition("orders-0");
    for (int i = 0; i < 12; i++) {
      filled(partition, i, MIB).close();
    }
    channels.clear();
    fixture.stop();
    fixture.with("headpond.tier.pmem.migrate.threshold", "0.25");
    fixture.store();
    await("the tier is at its threshold", () -> used() <= 4 * MIB);
    for (int i = 0; i < 12; i++) {
      try (FileChannel channel =
          fixture.store().open(segment(partition, i), Set.of(StandardOpenOption.READ))) {
        assertThat(read(channel)).isEqualTo(bytes(MIB, i));
      }
    }
  }

  @Test
  void aLogThatIsFilledWithOldDataGoesOnAtHome() throws Exception {
    final long now = System.currentTimeMillis();
    final long[] newestMs = {now - 3_600_000};
    fixture.with("headpond.placement.max.age", "2h").newestRecord(name -> newestMs[0]);
    final Path partition = fixture.partition("orders-0");
    filled(partition, 0, MIB);
    filled(partition, 1, MIB);
    assertThat(Files.isSymbolicLink(segment(partition, 1))).isTrue();
    newestMs[0] = now - 3 * 3_600_000;
    filled(partition, 2, MIB);
    assertThat(Files.isSymbolicLink(segment(partition, 2))).isFalse();
    newestMs[0] = 0; // unknown
    filled(partition, 3, MIB);
    assertThat(Files.isSymbolicLink(segment(partition, 3))).isTrue();
  }

  /** The index that tells it lies at home, whose disk may be busy. */
  @Test
  void aRollLooksUpItsPredecessorsNewestRecordOnce() throws Exception {
    final AtomicInteger looks = new AtomicInteger();
    fixture.newestRecord(
        name -> {
          looks.incrementAndGet();
          return System.currentTimeMillis();
        });
    final Path partition = fixture.partition("orders-0");
    try (FileChannel first = open(segment(partition, 0))) {
      append(first, bytes(100, 0));
      assertThat(looks).hasValue(0);
      open(segment(partition, 1)).close();
      assertThat(looks).hasValue(1);
    }
  }

  @Test
  void anAppendThatFindsItsTierFullWaitsForTheMoveUnderWay() throws Exception {
    fixture
        .with("headpond.tier.pmem.capacity", "4MiB")
        .with("headpond.tier.pmem.migrate.threshold", "-1");
    final Path name = segment(fixture.partition("orders-0"), 0);
    final FileChannel growing = open(name);
    append(growing, bytes(3 * MIB, 1));
    final CountDownLatch begun = new CountDownLatch(1);
    final SegmentMigration migration =
        fixture
            .store()
            .migration(
                copied -> {
                  begun.countDown();
                  LockSupport.parkNanos(50_000_000); // a slow copy
                });
    final FutureTask<SegmentMigration.Outcome> move =
        new FutureTask<>(() -> migration.move(name, null, true));
    new Thread(move, "test-move").start();
    begun.await();
    append(growing, bytes(2 * MIB, 2));
    assertThat(move.get()).isEqualTo(SegmentMigration.Outcome.MOVED);
    assertThat(fixture.store().counters().sum(Count.EVACUATED_SEGMENTS)).isZero();
    assertThat(Files.isSymbolicLink(name)).isFalse();
    final ByteBuffer all = ByteBuffer.wrap(read(growing));
    final byte[] first = new byte[3 * MIB];
    all.get(first);
    assertThat(first).isEqualTo(bytes(3 * MIB, 1));
    final byte[] second = new byte[2 * MIB];
    all.get(second);
    assertThat(second).isEqualTo(bytes(2 * MIB, 2));
  }
}
