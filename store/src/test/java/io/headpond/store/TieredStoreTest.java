// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.tier.TierDirectory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class TieredStoreTest {
  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  @Test
  void aNewSegmentIsALinkToATierFileThatHoldsItsBytes() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final byte[] data = bytes(300_000, 1);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      assertThat(channel.size()).isZero();
      append(channel, data);
      assertThat(channel.size()).isEqualTo(data.length);
      assertThat(channel.position()).isEqualTo(data.length);
      assertThat(Files.size(name)).as("grown ahead").isGreaterThan(data.length);
      assertThat(fixture.store().logicalSize(name)).hasValue(data.length);
    }
    assertThat(Files.isSymbolicLink(name)).isTrue();
    assertThat(Files.readSymbolicLink(name)).isAbsolute().startsWith(fixture.tier);
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
  }

  @Test
  void pastTheLogicalEndAFileReadsZerosAndAChannelItsEnd() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(1_000, 2));
      final byte[] all = Files.readAllBytes(name);
      assertThat(Arrays.copyOfRange(all, 1_000, all.length)).containsOnly(0);
      assertThat(channel.read(ByteBuffer.allocate(10), 1_000)).isEqualTo(-1);
      assertThat(channel.read(ByteBuffer.allocate(10), 995)).isEqualTo(5);
    }
  }

  @Test
  void theRollMakesThePhysicalEndOfTheOldSegmentItsLogicalEnd() throws Exception {
    final Path partition = fixture.partition("t-0");
    try (FileChannel first = fixture.store().open(segment(partition, 0), CREATE)) {
      append(first, bytes(1_234, 3));
      assertThat(Files.size(segment(partition, 0))).isGreaterThan(1_234);
      try (FileChannel second = fixture.store().open(segment(partition, 10), CREATE)) {
        assertThat(Files.size(segment(partition, 0))).isEqualTo(1_234);
        assertThat(second.size()).isZero();
      }
    }
  }

  @Test
  void aRenamedCompactedSegmentIsTrimmedAndWhatItReplacesGoes() throws Exception {
    final Path partition = fixture.partition("t-0");
    final Path name = segment(partition, 0);
    final Path cleaned = partition.resolve(name.getFileName() + ".cleaned");
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(5_000, 4));
    }
    try (FileChannel channel = fixture.store().open(cleaned, CREATE)) {
      append(channel, bytes(2_000, 5));
      fixture.store().move(cleaned, name, StandardCopyOption.ATOMIC_MOVE);
      assertThat(Files.size(name)).isEqualTo(2_000);
      assertThat(Files.readAllBytes(name)).isEqualTo(bytes(2_000, 5));
      append(channel, bytes(10, 6));
      assertThat(channel.size()).isEqualTo(2_010);
    }
    assertThat(Files.size(name)).isEqualTo(2_010);
    await("one tier file", () -> count() == 1);
  }

  private int count() {
    try {
      return fixture.tierFiles().size();
    } catch (final Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDeletedSegmentGivesItsSpaceBackWhenItsLastChannelIsClosed() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(5_000, 7));
      fixture.store().delete(name);
      assertThat(Files.exists(name)).isFalse();
      final ByteBuffer read = ByteBuffer.allocate(5_000);
      assertThat(channel.read(read, 0)).isEqualTo(5_000);
      assertThat(read.array()).isEqualTo(bytes(5_000, 7));
    }
    await("no tier file", () -> count() == 0);
    assertThatThrownBy(() -> fixture.store().delete(name)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void settlingWaitsForTheEngineAndThenForWhatItDropped() throws Exception {
    final Path partition = fixture.partition("t-0");
    final FileChannel deleted = fixture.store().open(segment(partition, 0), CREATE);
    final FileChannel kept = fixture.store().open(segment(partition, 1), CREATE);
    append(deleted, bytes(5_000, 7));
    assertThat(fixture.store().settle(Duration.ofMillis(20))).as("with open channels").isFalse();
    final FutureTask<Boolean> settled =
        new FutureTask<>(() -> fixture.store().settle(Duration.ofSeconds(20)));
    new Thread(settled, "test-settle").start();
    fixture.store().delete(segment(partition, 0));
    append(kept, bytes(5_000, 8));
    deleted.close();
    assertThat(settled.isDone()).isFalse();
    kept.close();
    assertThat(settled.get()).isTrue();
    assertThat(count()).as("tier files").isEqualTo(1);
    assertThat(Files.readAllBytes(segment(partition, 1))).isEqualTo(bytes(5_000, 8));
  }

  @Test
  void aPartitionDirectoryThatIsRenamedTakesItsOpenSegmentsAlong() throws Exception {
    final Path partition = fixture.partition("t-0");
    final Path renamed = fixture.home.resolve("t-0.1234-delete");
    final FileChannel channel = fixture.store().open(segment(partition, 0), CREATE);
    append(channel, bytes(100, 8));
    fixture.store().move(partition, renamed, StandardCopyOption.ATOMIC_MOVE);
    append(channel, bytes(100, 9));
    assertThat(fixture.store().logicalSize(segment(renamed, 0))).hasValue(200);
    fixture.store().delete(segment(renamed, 0));
    channel.close();
    fixture.store().delete(renamed);
    await("no tier file", () -> count() == 0);
  }

  @Test
  void aJvmThatIsNotTheOwnerReadsThroughTheLinkAndTakesNoLock() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(100, 13));
    }
    try (TieredStore other = new TieredStore(fixture.config());
        FileChannel reader = other.open(name, Set.of(StandardOpenOption.READ))) {
      assertThat(reader.size()).isEqualTo(100);
      assertThat(other.owner()).isFalse();
    }
  }

  @Test
  void segmentsOpenedAgainAfterARestartGoOnWhereTheyEnded() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(100, 14));
    }
    fixture.restart();
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      assertThat(channel.size()).isEqualTo(100);
      channel.position(100);
      append(channel, bytes(100, 15));
      channel.truncate(150);
      assertThat(channel.size()).isEqualTo(150);
      assertThat(channel.position()).isEqualTo(150);
    }
    assertThat(Files.size(name)).isEqualTo(150);
  }

  @Test
  void aWriterThatIsInterruptedClosesItsChannelAndOnlyThat() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final FileChannel channel = fixture.store().open(name, CREATE);
    append(channel, bytes(100, 16));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> append(channel, bytes(100, 17)))
        .isInstanceOf(java.nio.channels.ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(channel.isOpen()).isFalse();
    await("closed", () -> fixture.storeOrFail().logicalSize(name).isEmpty());
    try (FileChannel again = fixture.store().open(name, CREATE)) {
      assertThat(again.size()).isEqualTo(100);
    }
  }

  @Test
  void aMappingThatTheEngineMakesSeesTheSegmentAndNothingPastItsEnd() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(10_000, 18));
      final ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      assertThat(Files.size(name)).isEqualTo(10_000);
      final byte[] read = new byte[10_000];
      mapped.get(read);
      assertThat(read).isEqualTo(bytes(10_000, 18));
      append(channel, bytes(10, 19));
      assertThat(channel.size()).isEqualTo(10_010);
    }
  }

  @Test
  void beyondTheLimitOfWritersASegmentIsWrittenThroughItsOwnChannel() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      directory.writers.set(TierDirectory.WRITERS_MAX);
      append(channel, bytes(5_000, 20));
      assertThat(channel.size()).isEqualTo(5_000);
      assertThat(Files.size(name)).as("not grown ahead").isEqualTo(5_000);
      assertThat(directory.space.usedBytes()).isEqualTo(5_000);
      directory.writers.set(0);
      append(channel, bytes(5_000, 21));
      assertThat(directory.writers).hasValue(1);
      assertThat(Files.size(name)).as("grown ahead").isGreaterThan(10_000);
    }
    assertThat(directory.writers).hasValue(0);
    assertThat(directory.space.usedBytes()).isEqualTo(10_000);
    final byte[] all = Files.readAllBytes(name);
    assertThat(Arrays.copyOf(all, 5_000)).isEqualTo(bytes(5_000, 20));
    assertThat(Arrays.copyOfRange(all, 5_000, 10_000)).isEqualTo(bytes(5_000, 21));
  }
}
