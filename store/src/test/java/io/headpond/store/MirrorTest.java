// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What is appended to a mirrored tier is also written home, and what is changed there. */
class MirrorTest {
  private static final int KIB = 1 << 10;

  @AutoClose private final MirroredTier tier = new MirroredTier();
  private final StoreFixture fixture = tier.fixture;

  @Test
  void anAppendReturnsOnceItIsMirrored() throws Exception {
    try (FileChannel channel = tier.open()) {
      tier.started();
      final byte[] content = bytes(300 * KIB, 1);
      for (int at = 0; at < content.length; at += 30 * KIB) {
        append(channel, Arrays.copyOfRange(content, at, at + 30 * KIB));
        assertThat(tier.mirrored()).isEqualTo(Arrays.copyOf(content, at + 30 * KIB));
      }
      assertThat(MirrorState.read(fixture.home).orElseThrow().acknowledged()).isTrue();
    }
  }

  @Test
  void whatIsAppendedIsMirroredInTheBackground() throws Exception {
    fixture.with("headpond.tier.pmem.mirror", "200ms").time(TimeSource.SYSTEM);
    final byte[] content = bytes(3 << 20, 2);
    try (FileChannel channel = tier.open()) {
      append(channel, content);
      await(
          "a mirror", () -> !tier.mirrors().isEmpty() && tier.mirrored().length == content.length);
      assertThat(tier.mirrored()).isEqualTo(content);
      assertThat(MirrorName.isWhole(tier.mirrors().get(0))).isFalse();
    }
    await(
        "each byte is counted once", // after it was written
        () -> fixture.store().counters().sum(Count.MIRRORED_BYTES) == content.length);
    assertThat(fixture.store().facts().mirrors().get(0).suspended()).isFalse();
  }

  /** All at once would keep a processor from the engine's threads for milliseconds. */
  @Test
  void whatIsAppendedIsCopiedBeforeItsRoundBegins() throws Exception {
    fixture.with("headpond.tier.pmem.mirror", "2s").time(TimeSource.SYSTEM);
    final int[] appended = new int[1];
    try (FileChannel channel = tier.open()) {
      append(channel, bytes(KIB, 1)); // the first round with bytes begins early
      appended[0] = KIB;
      await(
          "a copy while no round can have begun",
          () -> {
            if (tier.mirror().behindBytes() == 0) {
              append(channel, bytes(1 << 20, appended[0]));
              appended[0] += 1 << 20;
            }
            return !tier.mirrors().isEmpty()
                && tier.mirrored().length == appended[0]
                && tier.mirror().behindBytes() >= 1 << 20
                && tier.mirror().lagMs() < 500;
          });
    }
  }

  /** Nobody is told of what is stored into a mapping. */
  @Test
  void aSegmentThatIsMappedHasNoMirrorAndThatIsSaid() throws Exception {
    try (FileChannel channel = tier.open();
        FileChannel other =
            fixture.store().open(segment(fixture.partition("orders-1"), 0), CREATE)) {
      tier.started();
      append(channel, bytes(KIB, 1));
      await("complete", () -> MirrorState.read(fixture.home).orElseThrow().complete());
      assertThat(tier.mirrors()).hasSize(2);
      channel.map(FileChannel.MapMode.READ_WRITE, 0, KIB);
      await("it goes", () -> tier.mirrors().size() == 1);
      assertThat(MirrorState.read(fixture.home).orElseThrow().complete()).isFalse();
      append(channel, bytes(KIB, 2));
      append(other, bytes(KIB, 3));
      append(other, bytes(KIB, 4)); // of the second round from here on
      final MirrorState said = MirrorState.read(fixture.home).orElseThrow();
      assertThat(said.complete()).isFalse();
      assertThat(said.acknowledged()).isFalse();
    }
  }

  @Test
  void theMirrorOfASealedSegmentIsCalledWhole() throws Exception {
    try (FileChannel channel = tier.open();
        FileChannel next = fixture.store().open(segment(tier.partition, 5), CREATE)) {
      tier.started();
      append(channel, bytes(40 * KIB, 1));
      append(next, bytes(10 * KIB, 2));
    }
    await("whole mirrors", () -> tier.mirrors().stream().allMatch(MirrorName::isWhole));
    assertThat(tier.mirrors()).hasSize(2);
    for (final Path mirror : tier.mirrors()) {
      final Path tierFile =
          fixture.tierFiles().stream()
              .filter(each -> MirrorName.ofTierFile(each).equals(MirrorName.ofMirror(mirror)))
              .findFirst()
              .orElseThrow();
      assertThat(Files.mismatch(mirror, tierFile)).isNegative();
      assertThat(Files.getLastModifiedTime(mirror)).isEqualTo(Files.getLastModifiedTime(tierFile));
    }
  }

  @Test
  void aTruncationCutsTheMirrorBeforeAnythingNewer() throws Exception {
    try (FileChannel channel = tier.open()) {
      tier.started();
      final byte[] first = bytes(100 * KIB, 1);
      append(channel, first);
      channel.truncate(50 * KIB);
      assertThat(tier.mirrored()).isEqualTo(Arrays.copyOf(first, 50 * KIB));
      final byte[] second = bytes(70 * KIB, 2);
      append(channel, second);
      assertThat(tier.mirrored()).isEqualTo(MirroredTier.joined(first, 50 * KIB, second));
    }
  }

  @Test
  void whatIsWrittenOverIsMirroredAgain() throws Exception {
    try (FileChannel channel = tier.open()) {
      tier.started();
      final byte[] content = bytes(100 * KIB, 1);
      append(channel, content);
      final byte[] other = bytes(10 * KIB, 2);
      channel.write(ByteBuffer.wrap(other), 20 * KIB);
      System.arraycopy(other, 0, content, 20 * KIB, other.length);
      assertThat(tier.mirrored()).isEqualTo(content);
    }
  }

  @Test
  void aSegmentThatGoesOnAfterItsSealIsNotCalledWhole() throws Exception {
    final byte[] first = bytes(30 * KIB, 1);
    final byte[] second = bytes(30 * KIB, 2);
    try (FileChannel channel = tier.open()) {
      tier.started();
      append(channel, first);
    }
    await("a whole mirror", () -> MirrorName.isWhole(tier.mirrors().get(0)));
    try (FileChannel channel = tier.open()) {
      channel.position(first.length);
      append(channel, second);
      assertThat(MirrorName.isWhole(tier.mirrors().get(0))).isFalse();
      assertThat(tier.mirrored()).isEqualTo(MirroredTier.joined(first, first.length, second));
    }
  }

  @Test
  void theMirrorGoesWithItsSegment() throws Exception {
    try (FileChannel channel = tier.open()) {
      append(channel, bytes(30 * KIB, 1));
    }
    await("a mirror", () -> tier.mirrors().size() == 1);
    fixture.store().delete(tier.name);
    await("no mirror", () -> tier.mirrors().isEmpty());
  }
}
