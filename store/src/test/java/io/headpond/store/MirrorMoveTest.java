// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.store.SegmentMigration.Outcome;
import io.headpond.store.facts.Count;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A move home takes the mirror, and a move up leaves the file at home as one. */
class MirrorMoveTest {
  private static final int KIB = 1 << 10;

  @AutoClose private final MirroredTier tier = new MirroredTier();
  private final StoreFixture fixture = tier.fixture;

  @Test
  void aMoveHomeTakesTheMirror() throws Exception {
    final byte[] content = bytes(5 << 20, 3);
    try (FileChannel channel = tier.open()) {
      tier.started();
      append(channel, content);
      final Object mirror = MirroredTier.key(tier.mirrors().get(0));
      assertThat(fixture.store().migration(bytes -> {}).move(tier.name, null, true))
          .isEqualTo(Outcome.MOVED);
      assertThat(Files.isSymbolicLink(tier.name)).isFalse();
      assertThat(MirroredTier.key(tier.name)).as("the same file").isEqualTo(mirror);
      assertThat(Files.readAllBytes(tier.name)).isEqualTo(content);
      append(channel, content);
    }
    assertThat(Files.size(tier.name)).isEqualTo(2L * content.length);
    await("no mirror", () -> tier.mirrors().isEmpty());
    // Nothing but the mirror was written at home until the move was over.
    assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES))
        .isBetween((long) content.length, (long) (1.05 * content.length));
  }

  @Test
  void aMoveUpKeepsTheFileAtHomeAsMirror() throws Exception {
    final byte[] content = bytes(2 << 20, 3);
    try (FileChannel channel = tier.open()) {
      tier.started();
      append(channel, content);
      fixture.store().migration(bytes -> {}).move(tier.name, null, true);
      final Object atHome = MirroredTier.key(tier.name);
      final long before = fixture.store().facts().count(Count.MIRRORED_BYTES);
      final TierDirectory up = fixture.store().tiers().get(0).get(0);
      assertThat(fixture.store().migration(bytes -> {}).move(tier.name, up, true))
          .isEqualTo(Outcome.MOVED);
      await("a mirror", () -> tier.mirrors().size() == 1);
      assertThat(MirroredTier.key(tier.mirrors().get(0))).as("the same file").isEqualTo(atHome);
      assertThat(tier.mirrored()).isEqualTo(content);
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isEqualTo(before);
      final byte[] more = bytes(100 * KIB, 4);
      append(channel, more);
      assertThat(tier.mirrored()).isEqualTo(MirroredTier.joined(content, content.length, more));
    }
  }

  /** It would be a second name of the file at home, which nobody deletes with the segment. */
  @Test
  void aMoveUpThatFailsLeavesNoMirror() throws Exception {
    try (FileChannel channel = tier.open()) {
      tier.started();
      append(channel, bytes(KIB, 1));
      fixture.store().migration(bytes -> {}).move(tier.name, null, true);
      await("no mirror", () -> tier.mirrors().isEmpty());
      final TierDirectory up = fixture.store().tiers().get(0).get(0);
      try (MountedTmpfs.Unwritable closed = new MountedTmpfs.Unwritable(tier.partition)) {
        assumeTrue(closed.works());
        assertThatThrownBy(() -> fixture.store().migration(bytes -> {}).move(tier.name, up, true))
            .isInstanceOf(IOException.class);
        append(channel, bytes(KIB, 2));
      }
      await("no mirror of what was tried", () -> tier.mirrors().isEmpty());
    }
  }

  /** Memory outside the heap comes back when the garbage collector runs, and has a limit. */
  @Test
  void manyEvacuationsOfOneThreadTakeTheMemoryOfOne() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "8MiB");
    fixture.with("headpond.tier.pmem.migrate.threshold", "-1");
    final byte[] content = bytes(1 << 20, 5);
    final List<FileChannel> channels = new ArrayList<>();
    try {
      for (int i = 0; i < 24; i++) {
        channels.add(fixture.store().open(segment(fixture.partition("full-" + i), 0), CREATE));
      }
      tier.started();
      append(channels.get(0), content);
      final long before = outsideHeapBytes();
      for (final FileChannel channel : channels) {
        append(channel, content);
      }
      assertThat(fixture.store().facts().count(Count.EVACUATED_SEGMENTS)).isGreaterThan(12);
      assertThat(outsideHeapBytes() - before).isLessThan(8L << 20);
    } finally {
      for (final FileChannel channel : channels) {
        channel.close();
      }
    }
  }

  private static long outsideHeapBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
