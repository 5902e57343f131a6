// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Room that is held back for segments that grow, so that no append has to move one. */
class HoldBackTest {
  private static final int LOGS = 20;
  private static final int GENERATIONS = 4;
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final int APPEND_BYTES = 1 << 20;

  private static final int SMALL_LOGS = 1_000;

  private static final Set<StandardOpenOption> OPEN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final List<FileChannel> small = new ArrayList<>();
  private StoreFixture fixture;

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new StoreFixture();
  }

  @AfterEach
  void removeDirectories() throws IOException {
    for (final FileChannel channel : small) {
      channel.close();
    }
    fixture.close();
  }

  /**
   * All logs grow at the same rate; what they were before is deleted, as a short retention does.
   */
  private long generation(final int generation) throws IOException {
    final TieredStore store = fixture.store();
    final long before = store.counters().sum(Count.EVACUATED_SEGMENTS);
    final byte[] data = bytes(APPEND_BYTES, generation);
    final List<FileChannel> channels = new ArrayList<>();
    for (int log = 0; log < LOGS; log++) {
      final Path name = segment(fixture.partition("t" + log + "-0"), generation);
      channels.add(store.open(name, CREATE));
      append(channels.get(log), data);
    }
    for (int bytes = APPEND_BYTES; bytes < SEGMENT_BYTES; bytes += APPEND_BYTES) {
      for (final FileChannel channel : channels) {
        append(channel, data);
      }
    }
    int inTier = 0;
    for (int log = 0; log < LOGS; log++) {
      final Path name = segment(fixture.partition("t" + log + "-0"), generation);
      inTier += Files.isSymbolicLink(name) ? 1 : 0;
      channels.get(log).close();
      if (generation > 0) {
        store.delete(segment(name.getParent(), generation - 1));
      }
    }
    assertThat(inTier)
        .as("in a tier without the generation before")
        .isGreaterThanOrEqualTo(generation == 0 ? 4 : 0);
    return store.counters().sum(Count.EVACUATED_SEGMENTS) - before;
  }

  private List<Long> evacuations() throws IOException {
    final List<Long> evacuations = new ArrayList<>();
    for (int i = 0; i < GENERATIONS; i++) {
      evacuations.add(generation(i));
      fixture.restart();
    }
    return evacuations;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void noSegmentIsMovedOnceItsLogIsKnown(final String type) throws Exception {
    fixture.mapped(type.equals("pmem"));
    assertThat(evacuations().subList(1, GENERATIONS)).containsOnly(0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void noSegmentIsMovedWhenItsSizeIsConfigured(final String type) throws Exception {
    fixture.mapped(type.equals("pmem")).with("log.segment.bytes", "8388608");
    assertThat(evacuations()).containsOnly(0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1073741824"})
  void aThousandNewSmallLogsStartInTheTier(final String segmentBytes) throws Exception {
    fixture.mapped(false);
    if (!segmentBytes.isEmpty()) {
      fixture.with("log.segment.bytes", segmentBytes);
    }
    final TieredStore store = fixture.store();
    for (int i = 0; i < SMALL_LOGS; i++) {
      final Path name = segment(fixture.partition("t" + i + "-0"), 0);
      small.add(store.open(name, CREATE));
      append(small.get(i), bytes(100, i));
      assertThat(Files.isSymbolicLink(name)).as(name.toString()).isTrue();
    }
  }

  @Test
  void aLogWhoseSegmentsLieAtHomeIsKnownToo() throws Exception {
    fixture.mapped(false);
    final Path partition = fixture.partition("t-0");
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    assertThat(directory.space.reserve(directory.capacityBytes)).isTrue();
    try (FileChannel channel = fixture.store().open(segment(partition, 0), CREATE)) {
      append(channel, bytes(3 << 20, 0));
    }
    final TieredStore store = fixture.restart();
    try (FileChannel channel = store.open(segment(partition, 1), CREATE)) {
      append(channel, bytes(1, 1));
      assertThat(heldBack(store)).isEqualTo((3 << 20) - 1);
    }
  }

  @Test
  void theLargerOfTheLastTwoSegmentsCounts() throws Exception {
    fixture.mapped(false);
    final Path partition = fixture.partition("t-0");
    final TieredStore store = fixture.store();
    final int[] lengths = {5 << 20, 3 << 20, 2 << 20};
    for (int i = 0; i < lengths.length; i++) {
      try (FileChannel channel = store.open(segment(partition, i), CREATE)) {
        append(channel, bytes(lengths[i], i));
      }
    }
    try (FileChannel channel = store.open(segment(partition, lengths.length), CREATE)) {
      append(channel, bytes(1, 1));
      assertThat(heldBack(store)).isEqualTo((3 << 20) - 1);
    }
  }

  @Test
  void aSegmentThatIsAppendedToAfterARestartIsHeldRoomFor() throws Exception {
    fixture.mapped(false);
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 2; i++) {
      try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
        append(channel, bytes((3 - i) << 20, i));
      }
    }
    final TieredStore store = fixture.restart();
    try (FileChannel channel = store.open(segment(partition, 1), OPEN)) {
      channel.position(channel.size());
      append(channel, bytes(1, 1));
      assertThat(heldBack(store)).isEqualTo((1 << 20) - 1);
    }
  }

  @Test
  void whatAnUnknownLogAppendsInAMinuteIsHeldBack() throws Exception {
    fixture.mapped(false);
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    final ExpectedSize unknown = ExpectedSize.of(0, 0);
    final long second = TimeUnit.SECONDS.toNanos(1);
    assertThat(unknown.growthBytes(directory.capacityBytes, false, 1000, 1000, second - 1))
        .isZero();
    assertThat(unknown.growthBytes(directory.capacityBytes, false, 1000, 1000, 2 * second))
        .isEqualTo(30_000);
    assertThat(unknown.growthBytes(directory.capacityBytes, false, 1 << 30, 1 << 30, second))
        .isEqualTo(1 << 20);
  }

  @Test
  void theEnginesConfigurationSaysWhatAnUnknownLogBecomes() throws Exception {
    assertThat(fixture.config().engineSegmentBytes()).isZero();
    fixture.with("log.segment.bytes", "a gigabyte"); // which the engine will say
    assertThat(fixture.config().engineSegmentBytes()).isZero();
    fixture.with("log.segment.bytes", "5000000");
    assertThat(fixture.config().engineSegmentBytes()).isEqualTo(5_000_000);
  }

  private static long heldBack(final TieredStore store) {
    final TierDirectory directory = store.tiers().get(0).get(0);
    return directory.capacityBytes - directory.space.usedBytes() - directory.roomBytes();
  }
}
