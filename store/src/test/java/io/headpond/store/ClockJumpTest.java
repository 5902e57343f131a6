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
import io.headpond.store.facts.TimeSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The clock of the machine jumped by years: segments were written in a time that is long past, or
 * that is yet to come. They are moved once at most, and nothing of them is lost.
 */
final class ClockJumpTest {
  private static final int SEGMENTS = 6;
  private static final int BYTES = 100_000;

  @AutoClose private final StoreFixture fixture = StoreFixture.made().mapped(false);

  @ParameterizedTest
  @CsvSource({
    "age, 0",
    "age, 4102444800000", // the year 2100
    "age, 9000000000000000", // as far as most file systems go
    "heat, 0",
    "heat, 4102444800000",
    "heat, 9000000000000000",
    "freshness, 4102444800000"
  })
  void aJumpMovesEachSegmentOnceAtMostAndLosesNothing(final String policy, final long writtenMs)
      throws Exception {
    fixture.with("headpond.migrate.policy", policy).with("headpond.migrate.age", "1h");
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < SEGMENTS; i++) {
      try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
        append(channel, bytes(BYTES, i));
      }
    }
    fixture.stop();
    for (int i = 0; i < SEGMENTS; i += 2) {
      // Every other one: the jump came in between.
      Files.setLastModifiedTime(segment(partition, i), FileTime.fromMillis(writtenMs));
    }
    fixture
        .with("headpond.tier.pmem.capacity", "1MiB")
        .with("headpond.tier.pmem.migrate.threshold", "0.3");
    awaitQuiet();
    final long moved = moved();
    assertThat(moved).as("above the threshold").isBetween(1L, (long) SEGMENTS);
    for (int tick = 0; tick < 3; tick++) {
      awaitQuiet();
    }
    assertThat(moved()).as("nothing goes to and fro").isEqualTo(moved);
    for (int i = 0; i < SEGMENTS; i++) {
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(BYTES, i));
    }
    fixture.restart();
    awaitQuiet();
    assertThat(moved()).as("nor after a start").isZero();
  }

  /** The machine's clocks, of which the one of the day is set anew. */
  private static final class SetAnew implements TimeSource {
    private volatile long byMs;

    @Override
    public long nanos() {
      return SYSTEM.nanos();
    }

    @Override
    public long millis() {
      return SYSTEM.millis() + byMs;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "age, 87600",
    "age, -87600",
    "heat, 87600",
    "heat, -87600",
    "freshness, 87600",
    "freshness, -87600"
  })
  void aClockSetAnewWhileTheStoreIsOpenLosesNothing(final String policy, final int byHours)
      throws Exception {
    final SetAnew time = new SetAnew();
    fixture
        .time(time)
        .with("headpond.migrate.policy", policy)
        .with("headpond.migrate.age", "1h")
        .with("headpond.tier.pmem.capacity", "1MiB")
        .with("headpond.tier.pmem.migrate.threshold", "0.3");
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < SEGMENTS; i++) {
      try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
        append(channel, bytes(BYTES / 2, i));
        time.byMs = i % 2 == 0 ? Duration.ofHours(byHours).toMillis() : 0;
        append(channel, bytes(BYTES / 2, i));
      }
    }
    awaitQuiet();
    assertThat(moved()).as("above the threshold").isPositive();
    fixture.restart();
    awaitQuiet();
    assertThat(moved()).as("after a start").isLessThanOrEqualTo(SEGMENTS);
    for (int i = 0; i < SEGMENTS; i++) {
      final byte[] half = bytes(BYTES / 2, i);
      assertThat(Files.readAllBytes(segment(partition, i)))
          .startsWith(half)
          .endsWith(half)
          .hasSize(2 * half.length);
    }
  }

  private void awaitQuiet() throws Exception {
    final Migrator migrator = fixture.store().migrator();
    migrator.wake();
    await("nothing is left to move", migrator::quiet);
    await("what was moved is given back", this::nothingIsDropped);
  }

  private boolean nothingIsDropped() throws IOException {
    return fixture.store().tiers().stream()
        .flatMap(List::stream)
        .allMatch(directory -> directory.space.usedBytes() == directory.space.segmentBytes());
  }

  private long moved() throws IOException {
    final Counters counters = fixture.store().counters();
    return counters.sum(Count.DOWN_SEGMENTS) + counters.sum(Count.UP_SEGMENTS);
  }
}
