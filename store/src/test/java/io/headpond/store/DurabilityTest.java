// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Acknowledged bytes are counted by what protected them when {@code write} returned. */
final class DurabilityTest {
  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  private Path tierOnDisk() throws IOException {
    final Path disk = Files.createDirectory(fixture.root.resolve("disk"));
    assumeTrue(Device.detect(disk).durability() == Durability.DURABLE, "a disk that keeps bytes");
    fixture.with("headpond.tier.pmem.paths", disk.toString());
    return disk;
  }

  private void write(final int bytes) throws IOException {
    try (FileChannel channel = fixture.store().open(segment(fixture.partition("t-0"), 0), CREATE)) {
      append(channel, bytes(bytes, 1));
    }
  }

  private void counted(final long durable, final long unforced, final long inMemory)
      throws IOException {
    final Counters counters = fixture.store().counters();
    assertThat(counters.sum(Count.APPENDED_DURABLE)).as("durable").isEqualTo(durable);
    assertThat(counters.sum(Count.APPENDED_UNFORCED)).as("unforced").isEqualTo(unforced);
    assertThat(counters.sum(Count.APPENDED_VOLATILE)).as("volatile").isEqualTo(inMemory);
    assertThat(counters.sum(Count.APPENDED_EMULATED)).as("emulated").isZero();
  }

  @Test
  void appendsToMemoryAreVolatileWhateverIsPromised() throws Exception {
    assumeTrue(Device.detect(fixture.tier).durability() == Durability.VOLATILE);
    fixture.with("headpond.durability", "append");
    write(1_000);
    counted(0, 0, 1_000);
  }

  @Test
  void appendsToAFileTierAreUnforcedUnlessEachIsForced() throws Exception {
    tierOnDisk();
    write(1_000);
    counted(0, 1_000, 0);
    fixture.stop();
    Files.delete(segment(fixture.partition("t-0"), 0));
    fixture.with("headpond.durability", "append");
    write(2_000);
    counted(2_000, 0, 0);
  }

  @Test
  void appendsAtHomeAreForcedTooWhenEachIsPromised() throws Exception {
    assumeTrue(Device.detect(fixture.home).durability() == Durability.DURABLE);
    fixture.with("headpond.tier.pmem.capacity", "1B");
    write(1_000);
    counted(0, 1_000, 0);
    assertThat(fixture.store().counters().homeAppendedBytes.sum()).isEqualTo(1_000);
    fixture.stop();
    Files.delete(segment(fixture.partition("t-0"), 0));
    fixture.with("headpond.durability", "append");
    write(2_000);
    counted(2_000, 0, 0);
  }
}
