// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a kill leaves of a segment that grows, for each size that Kafka lets one have: an engine
 * starts on it with the plug-in and without.
 */
@Timeout(300)
final class GrownSizeTest {
  /** The rest of a segment is a hole. */
  private static final long WRITTEN_BYTES_MAX = 4 << 20;

  private static final int APPEND_BYTES = 50_000;

  private static StoreFixture fixture(final boolean mapped) throws IOException {
    final StoreFixture fixture =
        new StoreFixture().mapped(mapped).with("headpond.tier.pmem.capacity", "4GiB");
    if (!mapped) {
      final Path disk = Files.createDirectory(fixture.root.resolve("disk"));
      assumeTrue(Device.detect(disk).writesInPlace(), "ext4 or XFS");
      fixture
          .with("headpond.tier.pmem.paths", disk.toString())
          .with("headpond.durability", "append");
    }
    return fixture;
  }

  /** A segment in the tier, with a hole of so many bytes. */
  private static Path segmentWithHole(final StoreFixture fixture, final long bytes)
      throws IOException {
    final Path name = segment(fixture.partition("t-0"), 0);
    fixture.store().open(name, CREATE).close();
    fixture.stop();
    try (RandomAccessFile file = new RandomAccessFile(NameLook.target(name).toFile(), "rw")) {
      file.setLength(bytes);
    }
    return name;
  }

  @ParameterizedTest
  @CsvSource({
    "14, true",
    "14, false",
    "1048576, true",
    "1048576, false",
    "134217728, true",
    "1073741824, true",
    "2124000000, true",
    "2147479552, true",
    "2147483646, true",
    "2147483647, true",
    "2147483647, false"
  })
  void aStartTakesWhatAKillLeavesAtEachStepOfGrowth(final int segmentBytes, final boolean mapped)
      throws Exception {
    final long begin = Math.max(0, segmentBytes - WRITTEN_BYTES_MAX);
    try (StoreFixture running = fixture(mapped);
        StoreFixture restarted = fixture(mapped)) {
      final Path name = segmentWithHole(running, begin);
      final Path left = segmentWithHole(restarted, begin);
      try (FileChannel channel = running.store().open(name, CREATE)) {
        channel.position(begin);
        long seen = begin;
        for (long end = begin; end < segmentBytes; ) {
          final int length = (int) Math.min(APPEND_BYTES, segmentBytes - end);
          append(channel, bytes(length, end));
          end += length;
          if (Files.size(name) != seen) {
            seen = Files.size(name);
            kill(name, left, begin);
            assertThat(left).as("without the plug-in").satisfies(GrownSizeTest::opensInKafka);
            startAgain(restarted, left, end);
          }
        }
      }
      assertThat(Files.size(name)).isEqualTo(segmentBytes);
      running.stop();
      assertThat(Files.size(name)).as("without the plug-in").isEqualTo(segmentBytes);
    }
  }

  /** Copies what is there at this instant, but for the hole. */
  private static void kill(final Path name, final Path left, final long begin) throws IOException {
    try (FileChannel from = FileChannel.open(name);
        FileChannel to = FileChannel.open(left, StandardOpenOption.WRITE)) {
      final ByteBuffer tail = ByteBuffer.allocate((int) (from.size() - begin));
      while (tail.hasRemaining() && from.read(tail, begin + tail.position()) >= 0) {}
      to.truncate(begin);
      to.write(tail.flip(), begin);
    }
  }

  /** FileRecords refuses a longer file; it then cuts the zeros as those of a torn write. */
  private static void opensInKafka(final Path file) throws IOException {
    assertThat(Files.size(file)).isLessThanOrEqualTo(Integer.MAX_VALUE);
  }

  private static void startAgain(final StoreFixture restarted, final Path left, final long end)
      throws IOException {
    try (FileChannel channel = restarted.store().open(left, CREATE)) {
      assertThat(channel.size()).isBetween(end, (long) Integer.MAX_VALUE);
      channel.truncate(end); // as Kafka's recovery cuts zeros
      channel.position(end);
      append(channel, bytes((int) Math.min(10, Integer.MAX_VALUE - end), 1));
      assertThat(left).satisfies(GrownSizeTest::opensInKafka);
    }
    restarted.stop();
    assertThat(Files.size(left)).isEqualTo(Math.min(end + 10, Integer.MAX_VALUE));
  }
}
