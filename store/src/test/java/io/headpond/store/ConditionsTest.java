// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.facts.Conditions;
import io.headpond.store.facts.Count;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What the log says of a tier's state: when it begins and when it ends, and not all the time. */
class ConditionsTest {
  private static final int KIB = 1 << 10;

  private final LaterTime time = new LaterTime();
  private StoreFixture fixture;
  private SaidLog said;

  @BeforeEach
  void makeDirectories() throws IOException {
    said = new SaidLog();
    fixture =
        new StoreFixture().time(time).mapped(false).with("headpond.tier.pmem.capacity", "1MiB");
  }

  @AfterEach
  void removeDirectories() throws IOException {
    said.close();
    fixture.close();
  }

  private void write(final Path name, final int length) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(length, length));
    }
  }

  private void awaitLines(final String words, final int number) throws Exception {
    await(words + " in:\n" + said, () -> said.lines(words) == number);
  }

  @Test
  void aConditionIsSaidOnceUntilItHasRested() {
    final Conditions conditions = new Conditions(time);
    for (int i = 0; i < 5; i++) {
      conditions.met("migration", BackgroundCodes.MIGRATION_BLOCKED.words("home is full"));
      conditions.tick();
      time.pass(Duration.ofSeconds(59));
    }
    assertThat(said.lines("HP0402 migration stops: home is full")).isEqualTo(1);
    assertThat(said.lines("is over")).isZero();
    time.pass(Duration.ofSeconds(2));
    conditions.tick();
    conditions.tick();
    assertThat(said.lines("HP0402 is over, migration: migration goes on (met 5 times in 2"))
        .isOne();
    conditions.met("migration", BackgroundCodes.MIGRATION_BLOCKED.words("home is full"));
    assertThat(said.lines("HP0402 migration stops")).as("it is another one").isEqualTo(2);
  }

  @Test
  void overflowIsSaidWhenItBeginsAndWhenItEnds() throws Exception {
    final Path partition = fixture.partition("orders-0");
    for (int i = 0; i < 6; i++) {
      write(segment(partition, i), 300 * KIB);
    }
    assertThat(fixture.store().counters().sum(Count.OVERFLOW_SEGMENTS)).isGreaterThan(1);
    assertThat(said.lines("HP0312 tier pmem: overflows: " + partition)).as(said.toString()).isOne();
    assertThat(said.lines("headpond.tier.pmem.migrate.threshold")).isOne();
    time.pass(Duration.ofMinutes(2));
    awaitLines("HP0312 is over, tier pmem: new segments are no longer created further down", 1);
  }

  /** What is said names the capacity, which counts on them, and not the threshold. */
  @Test
  @EnabledIf("io.headpond.store.MountedTmpfs#allowed")
  void roomThatOtherFilesTakeIsThereOnceTheyAreRemoved() throws Exception {
    try (MountedTmpfs device = new MountedTmpfs("size=8m")) {
      fixture.with(
          "headpond.tier.pmem.paths", Files.createDirectory(device.path().resolve("t")) + "");
      fixture.with("headpond.tier.pmem.capacity", "7MiB");
      final Path partition = fixture.partition("orders-0");
      write(segment(partition, 0), 300 * KIB);
      final Path other = device.path().resolve("other");
      Files.write(other, new byte[(7 << 20) + 512 * KIB]);
      write(segment(partition, 1), 300 * KIB);
      assertThat(Files.isSymbolicLink(segment(partition, 1))).isFalse();
      assertThat(said.lines("headpond.tier.pmem.capacity")).as(said.toString()).isOne();
      assertThat(said.lines("headpond.tier.pmem.migrate.threshold")).isZero();
      Files.delete(other);
      write(segment(partition, 2), 300 * KIB);
      assertThat(Files.isSymbolicLink(segment(partition, 2))).isTrue();
      fixture.stop();
    }
  }

  @Test
  void aFullTierIsSaidUntilItHasRoom() throws Exception {
    final Path partition = fixture.partition("orders-0");
    write(segment(partition, 0), 1_000 * KIB);
    awaitLines("HP0313 tier pmem: is full: segments take ", 1);
    fixture.store().delete(segment(partition, 0));
    time.pass(Duration.ofMinutes(2));
    awaitLines("HP0313 is over, tier pmem: has room again", 1);
  }

  @Test
  void aFailedDeviceIsSaidOnce() throws Exception {
    fixture.store().tiers().get(0).get(0).fail(new IOException("EIO"));
    awaitLines("HP0314 tier pmem: " + fixture.tier + " counts as failed", 1);
    time.pass(Duration.ofMinutes(2));
    awaitLines("HP0314 tier pmem: " + fixture.tier + " counts as failed", 1);
    assertThat(said.lines("HP0314 is over")).isZero();
  }

  @Test
  void manySegmentsThatLeaveAFullDeviceAreSaidOnce() throws Exception {
    for (int i = 0; i < 3; i++) {
      final Path partition = fixture.partition("orders-" + i);
      try (FileChannel channel = fixture.store().open(segment(partition, 0), CREATE)) {
        append(channel, bytes(600 * KIB, i));
        append(channel, bytes(600 * KIB, i));
      }
    }
    assertThat(fixture.store().counters().sum(Count.EVACUATED_SEGMENTS)).isGreaterThan(1);
    assertThat(said.lines("HP0303 ")).as(said.toString()).isOne();
    time.pass(Duration.ofMinutes(2));
    awaitLines("HP0303 is over", 1);
  }
}
