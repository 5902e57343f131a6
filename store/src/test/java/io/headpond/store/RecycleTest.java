// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static io.headpond.store.StoreFixture.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.claim.TierCheck;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.layout.NameLook;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of deleted segments that become new segments never show what they held. */
final class RecycleTest {
  private static final int SEGMENT_BYTES = 24 << 20;

  private StoreFixture fixture;

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture =
        new StoreFixture()
            .with("headpond.tier.pmem.capacity", "512MiB")
            .with("headpond.tier.pmem.pool", "128MiB");
  }

  @AfterEach
  void removeDirectories() throws Exception {
    fixture.close();
  }

  private static Object inode(final Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  private RecycledFixture fill(final int count) throws Exception {
    final Path partition = fixture.partition("t-0");
    final byte[] data = bytes(1 << 20, 1);
    final RecycledFixture made = new RecycledFixture();
    FileChannel previous = null;
    for (int i = 0; i < count; i++) {
      final FileChannel channel = fixture.store().open(segment(partition, i), CREATE);
      if (previous != null) {
        previous.close();
      }
      for (int at = 0; at < SEGMENT_BYTES; at += data.length) {
        append(channel, data);
      }
      made.inodes.add(inode(segment(partition, i)));
      previous = channel;
    }
    made.active = previous;
    return made;
  }

  private static final class RecycledFixture {
    final Set<Object> inodes = new HashSet<>();
    FileChannel active;
  }

  @Test
  void aRecycledFileShowsNothingOfWhatItHeldToAnybody() throws Exception {
    final RecycledFixture old = fill(4);
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 3; i++) {
      fixture.store().delete(segment(partition, i));
    }
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    await("zeroed files", () -> directory.space.pool().zeroedBytes() == 3L * SEGMENT_BYTES);
    assertThat(directory.space.usedBytes())
        .as("pooled bytes are used")
        .isGreaterThan(3L * SEGMENT_BYTES);
    final Path name = segment(partition, 4);
    final byte[] data = bytes(10_000, 2);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      old.active.close();
      assertThat(old.inodes).as("a file was used again").contains(inode(name));
      assertThat(channel.size()).isZero();
      assertThat(channel.read(ByteBuffer.allocate(100), 0)).isEqualTo(-1);
      append(channel, data);
      final byte[] raw = Files.readAllBytes(name);
      assertThat(raw.length).isGreaterThan(SEGMENT_BYTES - 1);
      assertThat(Arrays.copyOf(raw, data.length)).isEqualTo(data);
      assertThat(isZero(raw, data.length)).isTrue();
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
    fixture.store().delete(name);
    fixture.store().delete(segment(partition, 3));
    await("only pooled bytes", () -> directory.space.usedBytes() == directory.space.pool().bytes());
  }

  /** A mapping outlives its channel, and would show the next segment. */
  @Test
  void aFileThatTheEngineHasMappedIsNotUsedAgain() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final byte[] data = bytes(1 << 20, 1);
    final ByteBuffer mapped;
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, data);
      mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, data.length);
    }
    final Counters counters = fixture.store().counters();
    fixture.store().delete(name);
    fixture.stop();
    assertThat(counters.sum(Count.RECLAIMED_FILES)).isEqualTo(1);
    assertThat(counters.sum(Count.RECYCLED_FILES)).isZero();
    assertThat(mapped).isEqualTo(ByteBuffer.wrap(data));
  }

  /** A crash leaves them; they are neither used nor free. */
  @Test
  void whatAFormerPoolHasLeftGoesAlsoWithoutOne() throws Exception {
    fixture.with("headpond.tier.pmem.pool", "0");
    final Path left = fixture.tier.resolve(TierCheck.POOL).resolve("0123456789abcdef");
    fixture.store();
    fixture.stop();
    Files.createDirectories(left.getParent());
    Files.write(left, new byte[1 << 20]);
    fixture.store();
    assertThat(left).doesNotExist();
  }

  @Test
  void theNextRollCutsARecycledFileToItsLogicalEnd() throws Exception {
    fill(3).active.close();
    final Path partition = fixture.partition("t-0");
    fixture.store().delete(segment(partition, 0));
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    await("zeroed files", () -> directory.space.pool().zeroedBytes() == SEGMENT_BYTES);
    final FileChannel first = fixture.store().open(segment(partition, 3), CREATE);
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
  void aPooledFileThatIsMissingCostsTheTierNothing() throws Exception {
    fill(3).active.close();
    final Path partition = fixture.partition("t-0");
    fixture.store().delete(segment(partition, 0));
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    await("zeroed files", () -> directory.space.pool().zeroedBytes() == SEGMENT_BYTES);
    for (final Path pooled : NameLook.list(directory.ref.path().resolve("pool"))) {
      Files.delete(pooled);
    }
    try (FileChannel channel = fixture.store().open(segment(partition, 3), CREATE)) {
      append(channel, bytes(5_000, 3));
      assertThat(Files.isSymbolicLink(segment(partition, 3))).as("a fresh file").isTrue();
    }
    assertThat(directory.failed()).isFalse();
    assertThat(directory.space.pool().bytes()).isZero();
    assertThat(directory.space.usedBytes()).isEqualTo(2L * SEGMENT_BYTES + 5_000);
  }

  @Test
  void aTierThatRunsShortGivesUpItsPool() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "100MiB");
    fill(4).active.close();
    final Path partition = fixture.partition("t-0");
    fixture.store().delete(segment(partition, 0));
    fixture.store().delete(segment(partition, 1));
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    await("pooled", () -> directory.space.pool().bytes() > 0);
    final Path other = segment(fixture.partition("u-0"), 0);
    final byte[] data = bytes(1 << 20, 4);
    try (FileChannel channel = fixture.store().open(other, CREATE)) {
      for (int i = 0; i < 45; i++) {
        append(channel, data);
      }
    }
    assertThat(Files.isSymbolicLink(other)).as("stayed in the tier").isTrue();
    assertThat(usedBytes(fixture.store(), fixture.tier)).isLessThanOrEqualTo(100L << 20);
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
