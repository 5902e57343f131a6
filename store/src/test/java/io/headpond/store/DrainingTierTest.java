// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier with {@code headpond.tier.NAME.draining}: it becomes empty, and nothing is lost. */
final class DrainingTierTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final String DRAINING = "headpond.tier.pmem.draining";
  private static final String EMPTY = "tier pmem: is empty. Before the next start";

  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  private void write(final Path name, final byte[] data) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, data);
    }
  }

  private static boolean inTier(final Path name) {
    return Files.isSymbolicLink(name);
  }

  private static long inTier(final Path partition, final int segments) {
    return LongStream.range(0, segments).filter(i -> inTier(segment(partition, i))).count();
  }

  private void drain() throws IOException {
    fixture.stop();
    fixture.with(DRAINING, "true").store();
  }

  private void awaitEmpty() throws Exception {
    await("an empty tier", () -> fixture.tierFiles().isEmpty());
  }

  private StoreFacts.Tier facts() throws IOException {
    return fixture.store().facts().tiers().get(0);
  }

  private Path secondTier(final String capacity) throws IOException {
    final Path slow = Files.createDirectory(fixture.root.resolve("slow"));
    fixture
        .with("headpond.tiers", "pmem,nvme")
        .with("headpond.tier.nvme.capacity", capacity)
        .with("headpond.tier.nvme.paths", slow.toString());
    return slow;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void itBecomesEmptyWhileAppendsGoOn(final String type) throws Exception {
    fixture.mapped(type.equals("pmem"));
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 5; i++) {
      write(segment(partition, i), bytes(100 * KIB, i));
    }
    final Path last = segment(partition, 5);
    write(last, bytes(50 * KIB, 5));
    assertThat(inTier(last)).isTrue();
    drain();
    assertThat(facts().draining()).isTrue();
    final byte[] expected = bytes(200 * KIB, 6);
    try (FileChannel active = fixture.store().open(last, Set.of(StandardOpenOption.WRITE))) {
      active.truncate(0);
      int at = 0;
      for (; at < 100 * KIB; at += KIB) {
        append(active, Arrays.copyOfRange(expected, at, at + KIB));
      }
      awaitEmpty();
      append(active, Arrays.copyOfRange(expected, at, expected.length));
      assertThat(fixture.tierFiles()).isEmpty();
    }
    assertThat(Files.readAllBytes(last)).isEqualTo(expected);
    for (int i = 0; i < 5; i++) {
      assertThat(inTier(segment(partition, i))).isFalse();
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(100 * KIB, i));
    }
    assertThat(fixture.store().counters().sum(Count.MIGRATION_FAILURES)).isZero();
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void nothingIsCreatedThereAndNothingMovesUpIntoIt() throws Exception {
    final Path slow = secondTier("64MiB");
    fixture.with("headpond.tier.pmem.migrate.threshold", "0.5").with(DRAINING, "true");
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 4; i++) {
      write(segment(partition, i), bytes(KIB, i));
    }
    final Migrator migrator = fixture.store().migrator();
    migrator.wake();
    await("nothing is left to move", migrator::quiet);
    for (int i = 0; i < 4; i++) {
      assertThat(Files.readSymbolicLink(segment(partition, i))).startsWith(slow);
    }
    assertThat(fixture.tierFiles()).as("spares too").isEmpty();
    assertThat(fixture.store().counters().sum(Count.OVERFLOW_SEGMENTS)).isZero();
  }

  @Test
  void itsSegmentsMoveToTheNextTier() throws Exception {
    final Path slow = secondTier("64MiB");
    final Path name = segment(fixture.partition("t-0"), 0);
    write(name, bytes(100 * KIB, 0));
    drain();
    awaitEmpty();
    assertThat(Files.readSymbolicLink(name)).startsWith(slow);
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(100 * KIB, 0));
  }

  @Test
  void placesWithoutRoomOnlyDelayIt() throws Exception {
    final Path slow = secondTier("400KiB");
    fixture.with("headpond.home.reserve", "1TiB").with(DRAINING, "true");
    final Path full = segment(fixture.partition("t-0"), 0);
    write(full, bytes(250 * KIB, 0));
    assertThat(Files.readSymbolicLink(full)).startsWith(slow);
    fixture.stop();
    fixture.with(DRAINING, "false");
    final Path name = segment(fixture.partition("t-1"), 0);
    write(name, bytes(200 * KIB, 1));
    drain();
    await("it says why", () -> !facts().waits().isEmpty());
    assertThat(facts().waits())
        .contains("should leave, but no room is anywhere: " + fixture.home)
        .contains("has too little free beyond headpond.home.reserve, 1.00 TiB");
    assertThat(facts().failedDirectories()).isZero();
    assertThat(facts().contents().activeSegments()).isEqualTo(1);
    fixture.store().delete(full);
    awaitEmpty();
    assertThat(facts().waits()).isEmpty();
    assertThat(Files.readSymbolicLink(name)).startsWith(slow);
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(200 * KIB, 1));
  }

  @Test
  void theNextStartGoesOnWithIt() throws Exception {
    fixture.with("headpond.migrate.bytes.per.second", "4MiB").with("headpond.migrate.threads", "1");
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 4; i++) {
      write(segment(partition, i), bytes(2 * MIB, i));
    }
    drain();
    await("one segment at home", () -> inTier(partition, 4) < 4);
    fixture.stop();
    assertThat(inTier(partition, 4)).as("segments that are left").isPositive();
    fixture.store();
    awaitEmpty();
    for (int i = 0; i < 4; i++) {
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(2 * MIB, i));
    }
  }

  @Test
  void withoutTheKeyTheNextStartUsesItAgain() throws Exception {
    final Path partition = fixture.partition("t-0");
    write(segment(partition, 0), bytes(KIB, 0));
    drain();
    awaitEmpty();
    fixture.stop();
    fixture.with(DRAINING, "false");
    write(segment(partition, 1), bytes(KIB, 1));
    assertThat(inTier(segment(partition, 1))).isTrue();
    assertThat(Files.readAllBytes(segment(partition, 0))).isEqualTo(bytes(KIB, 0));
    assertThat(facts().draining()).isFalse();
  }

  @Test
  void onceItIsEmptyTheLogSaysSoAndAStartNeedsItNoMore() throws Exception {
    final Path partition = fixture.partition("t-0");
    final Path name = segment(partition, 0);
    final Path deleted = name.resolveSibling(name.getFileName() + ".deleted");
    write(name, bytes(KIB, 0));
    write(segment(partition, 1), bytes(KIB, 1));
    fixture.store().move(name, deleted);
    fixture.stop();
    try (SaidLog said = new SaidLog()) {
      fixture.with(DRAINING, "true").store();
      await("only the other one", () -> !inTier(segment(partition, 1)));
      final TierDirectory directory = fixture.store().tiers().get(0).get(0);
      await("it is given back, the tier isn't empty", () -> directory.space.usedBytes() == KIB);
      assertThat(said.lines(EMPTY)).isZero();
      fixture.store().delete(deleted);
      await("it is said", () -> said.lines(EMPTY) == 1);
      assertThat(said.toString()).contains("headpond.tiers", "headpond.tier.pmem.*");
      fixture.stop();
      assertThat(said.lines(EMPTY)).as("once").isEqualTo(1);
    }
    fixture.properties.keySet().removeIf(key -> key.toString().startsWith("headpond.tier"));
    fixture.store();
    assertThat(Files.readAllBytes(segment(partition, 1))).isEqualTo(bytes(KIB, 1));
    assertThat(HomeIdentity.read(fixture.home).orElseThrow().tiers()).isEqualTo(List.of());
  }
}
