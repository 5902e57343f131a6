// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.tier.TierDirectory;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has a tier file open around the store reads what was there until he closes it. */
final class OtherReadersTest {
  private static final int BYTES = 1 << 20;

  @AutoClose private final StoreFixture fixture = StoreFixture.made();
  private Path name;

  private void aSegmentInATier(final boolean mapped) throws IOException {
    fixture.mapped(mapped);
    name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
    assertThat(fixture.tierFiles()).hasSize(1);
  }

  private void deletedAndGivenBack() throws Exception {
    fixture.store().delete(name);
    givenBack();
  }

  private void givenBack() throws Exception {
    await("the file is given back", () -> fixture.tierFiles().isEmpty());
    final Counters counters = fixture.store().counters();
    await("counted", () -> counters.sum(Count.RECLAIMED_FILES) == 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamReadsADeletedSegmentToItsEnd(final boolean mapped) throws Exception {
    aSegmentInATier(mapped);
    try (InputStream stream = new FileInputStream(name.toFile())) {
      final byte[] first = stream.readNBytes(10);
      deletedAndGivenBack();
      assertThat(first).isEqualTo(Arrays.copyOf(bytes(BYTES, 1), 10));
      assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes(BYTES, 1), 10, BYTES));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHardLinkKeepsTheBytesOfADeletedAndOfAMovedSegment(final boolean mapped) throws Exception {
    aSegmentInATier(mapped);
    final Path snapshot = Files.createLink(fixture.tier.resolve("snapshot"), target());
    fixture.store().migration(copied -> {}).move(name, null, false);
    givenBack();
    assertThat(snapshot).hasBinaryContent(bytes(BYTES, 1));

    fixture.store().migration(copied -> {}).move(name, directory(), false);
    Files.delete(snapshot);
    Files.createLink(snapshot, target());
    fixture.store().delete(name);
    await("the file is given back", () -> fixture.tierFiles().isEmpty());
    assertThat(snapshot).hasBinaryContent(bytes(BYTES, 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHardLinkOfAGrowingSegmentKeepsItsLength(final boolean mapped) throws Exception {
    fixture.mapped(mapped);
    name = segment(fixture.partition("t-0"), 0);
    final Path snapshot = fixture.tier.resolve("snapshot");
    final long bytes;
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(BYTES, 1));
      Files.createLink(snapshot, target());
      bytes = Files.size(snapshot);
      fixture.store().delete(name);
    }
    givenBack();
    assertThat(Files.size(snapshot)).isGreaterThanOrEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherProcessReadsAMovedSegmentToItsEnd(final boolean mapped) throws Exception {
    aSegmentInATier(mapped);
    final Process reader =
        new ProcessBuilder("sh", "-c", "exec 3< \"$0\"; echo; read go; cat <&3", name.toString())
            .start();
    assertThat(reader.getInputStream().read()).isEqualTo('\n');
    fixture.store().migration(copied -> {}).move(name, null, false);
    givenBack();
    reader.getOutputStream().write('\n');
    reader.getOutputStream().close();
    assertThat(reader.getInputStream().readAllBytes()).isEqualTo(bytes(BYTES, 1));
  }

  @Test
  void theBytesThatAMappingHoldsComeBackWhenTheyAreWanted() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "1536KiB");
    aSegmentInATier(true);
    deletedAndGivenBack();
    final long begun = System.nanoTime(); // who awaits collects garbage
    while (directory().space.droppedBytes() > 0) {
      assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20));
      Thread.onSpinWait();
    }
    assertThat(directory().space.usedBytes()).isZero();
  }

  private TierDirectory directory() throws IOException {
    return fixture.store().tiers().get(0).get(0);
  }

  private Path target() throws IOException {
    return Files.readSymbolicLink(name);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAsynchronousChannelReadsAMovedSegment(final boolean mapped) throws Exception {
    aSegmentInATier(mapped);
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(name, StandardOpenOption.READ)) {
      fixture.store().migration(copied -> {}).move(name, null, false);
      givenBack();
      final ByteBuffer read = ByteBuffer.allocate(BYTES);
      while (read.hasRemaining() && channel.read(read, read.position()).get() >= 0) {}
      assertThat(read.array()).isEqualTo(bytes(BYTES, 1));
      assertThat(read.hasRemaining()).isFalse();
    }
  }
}
