// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.FilePool;
import io.headpond.store.claim.TierCheck;
import io.headpond.store.facts.Count;
import io.headpond.store.layout.NameLook;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Segments of files that were prepared for them. */
final class PooledFilesTest {
  private static final int SEGMENT_BYTES = 24 << 20;
  private static final long POOL_BYTES = 64 << 20;

  @AutoClose private StoreFixture fixture;
  private Path partition;
  private FileChannel active;

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture().with("headpond.tier.pmem.capacity", "1GiB");
    partition = fixture.partition("t-0");
  }

  private static Object inode(final Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  /** A log of so many segments, the last of which is appended to. */
  private void fill(final int count) throws Exception {
    final byte[] data = bytes(1 << 20, 1);
    for (int i = 0; i < count; i++) {
      final FileChannel channel = fixture.store().open(segment(partition, i), CREATE);
      if (active != null) {
        active.close();
      }
      for (int at = 0; at < SEGMENT_BYTES; at += data.length) {
        append(channel, data);
      }
      active = channel;
    }
  }

  private TierDirectory directory() throws IOException {
    return fixture.store().tiers().get(0).get(0);
  }

  private void awaitPrepared() throws Exception {
    final FilePool pool = directory().space.pool();
    await("a prepared file", () -> pool.readyBytes() >= SEGMENT_BYTES);
    assertThat(pool.bytes()).isLessThanOrEqualTo(POOL_BYTES);
  }

  @Test
  void aFastLogsNextSegmentIsAPreparedFile() throws Exception {
    fill(3);
    awaitPrepared();
    final Path pool = directory().ref.path().resolve(TierCheck.POOL);
    final Set<Object> prepared = new HashSet<>();
    for (final Path each : NameLook.list(pool)) {
      prepared.add(inode(each));
    }
    final Path name = segment(partition, 3);
    final byte[] data = bytes(10_000, 2);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      active.close();
      assertThat(prepared).contains(inode(name));
      assertThat(channel.size()).isZero();
      assertThat(channel.read(ByteBuffer.allocate(100), 0)).isEqualTo(-1);
      append(channel, data);
      final byte[] raw = Files.readAllBytes(name);
      assertThat(raw.length).isGreaterThan(SEGMENT_BYTES - 1);
      assertThat(Arrays.copyOf(raw, data.length)).isEqualTo(data);
      assertThat(isZero(raw, data.length)).isTrue();
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
    for (int i = 0; i < 4; i++) {
      fixture.store().delete(segment(partition, i));
    }
    final TierDirectory directory = directory();
    await("only pooled bytes", () -> directory.space.usedBytes() == directory.space.pool().bytes());
  }

  /** Whoever still reads a deleted segment reads what it held. */
  @Test
  void aDeletedSegmentsFileIsNeverUsedAgain() throws Exception {
    fill(2);
    active.close();
    final byte[] first = Files.readAllBytes(segment(partition, 0));
    try (FileChannel reader = FileChannel.open(segment(partition, 0), StandardOpenOption.READ)) {
      fixture.store().delete(segment(partition, 0));
      final FilePool pool = directory().space.pool();
      await("it is given back", () -> fixture.store().counters().sum(Count.RECLAIMED_FILES) == 1);
      try (FileChannel next = fixture.store().open(segment(partition, 2), CREATE)) {
        append(next, bytes(10_000, 2));
      }
      await("what is prepared is there", () -> pool.bytes() == pool.readyBytes());
      final ByteBuffer read = ByteBuffer.allocate(first.length);
      while (read.hasRemaining() && reader.read(read) >= 0) {}
      assertThat(read.array()).isEqualTo(first);
    }
  }

  /** A crash leaves them; they are neither used nor free. */
  @Test
  void whatAFormerPoolHasLeftGoesAlsoWithoutOne() throws Exception {
    fixture.mapped(false);
    final Path left = fixture.tier.resolve(TierCheck.POOL).resolve("0123456789abcdef");
    fixture.store();
    fixture.stop();
    Files.createDirectories(left.getParent());
    Files.write(left, new byte[1 << 20]);
    fixture.store();
    assertThat(left).doesNotExist();
  }

  @Test
  void theNextRollCutsAPreparedFileToItsLogicalEnd() throws Exception {
    fill(3);
    awaitPrepared();
    final FileChannel first = fixture.store().open(segment(partition, 3), CREATE);
    active.close();
    append(first, bytes(5_000, 3));
    // Not even opened for an append yet, but made: its end too is its physical end at the roll.
    final FileChannel second = fixture.store().open(segment(partition, 4), CREATE);
    assertThat(Files.readAllBytes(segment(partition, 3))).isEqualTo(bytes(5_000, 3));
    final FileChannel third = fixture.store().open(segment(partition, 5), CREATE);
    assertThat(Files.size(segment(partition, 4))).isZero();
    first.close();
    second.close();
    third.close();
    assertThat(Files.size(segment(partition, 5))).isZero();
  }

  @Test
  void aTierThatRunsShortGivesUpItsPool() throws Exception {
    fill(3);
    awaitPrepared();
    active.close();
    final TierDirectory directory = directory();
    final long rest = directory.capacityBytes - directory.space.usedBytes();
    directory.space.adopt(rest - (1 << 20));
    final Path other = segment(fixture.partition("u-0"), 0);
    final byte[] data = bytes(1 << 20, 4);
    try (FileChannel channel = fixture.store().open(other, CREATE)) {
      for (int i = 0; i < 10; i++) {
        append(channel, data);
      }
    }
    assertThat(Files.isSymbolicLink(other)).as("stayed in the tier").isTrue();
    assertThat(directory.space.usedBytes()).isLessThanOrEqualTo(directory.capacityBytes);
    directory.space.release(rest - (1 << 20));
  }

  private static boolean isZero(final byte[] bytes, final int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
