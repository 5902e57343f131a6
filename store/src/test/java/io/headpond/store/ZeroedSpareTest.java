// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.PATH;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SpareFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spares on a disk where each append is durable: their first bytes are zeros. */
final class ZeroedSpareTest {
  private StoreFixture fixture;
  private Path tier;
  private final List<FileChannel> open = new ArrayList<>();

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
    tier = Files.createDirectory(fixture.root.resolve("disk"));
    assumeTrue(Device.detect(tier).writesInPlace(), "ext4 or XFS");
    fixture
        .mapped(false)
        .with("headpond.tier.pmem.paths", tier.toString())
        .with("headpond.durability", "append");
  }

  @AfterEach
  void removeDirectories() throws Exception {
    close();
    fixture.close();
  }

  private void close() throws IOException {
    for (final FileChannel channel : open) {
      channel.close();
    }
    open.clear();
  }

  private FileChannel roll(final Path partition, final long baseOffset) throws IOException {
    final FileChannel channel = fixture.store().open(segment(partition, baseOffset), CREATE);
    open.add(channel);
    append(channel, bytes(100, baseOffset));
    return channel;
  }

  private List<Path> unnamed(final Path partition) throws IOException {
    final List<Path> unnamed = new ArrayList<>(StoreFixture.tierFiles(tier));
    for (final Path name : NameLook.list(partition)) {
      unnamed.remove(NameLook.target(name));
    }
    return unnamed;
  }

  private void awaitSpare(final Path partition, final int zeros) throws Exception {
    StoreFixture.awaitSpare(fixture.store(), partition);
    assertThat(unnamed(partition)).singleElement().asInstanceOf(PATH).hasSize(zeros);
  }

  private long used() throws IOException {
    return StoreFixture.usedBytes(fixture.store(), tier);
  }

  private long onDisk() throws IOException {
    long bytes = 0;
    for (final Path file : StoreFixture.tierFiles(tier)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  @Test
  void theFirstAppendAfterARollFindsZeros() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    roll(partition, 1);
    awaitSpare(partition, SpareFile.ZERO_BYTES);
    final Path spare = unnamed(partition).get(0);

    final FileChannel channel = roll(partition, 2);

    assertThat(NameLook.target(segment(partition, 2))).isEqualTo(spare);
    assertThat(channel.size()).isEqualTo(100);
    append(channel, bytes(200_000, 3));
    awaitSpare(partition, SpareFile.ZERO_BYTES);
    roll(partition, 3);
    awaitSpare(partition, SpareFile.ZERO_BYTES);
    await("the account", () -> used() == onDisk());
    close();
    fixture.stop();
    assertThat(Files.size(segment(partition, 2))).isEqualTo(200_100);
    assertThat(unnamed(partition)).isEmpty();
    fixture.store();
    assertThat(used()).isEqualTo(onDisk());
  }

  @Test
  void aSegmentWithoutAnAppendIsEmptyAfterTheNextRoll() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    roll(partition, 1);
    awaitSpare(partition, SpareFile.ZERO_BYTES);
    open.add(fixture.store().open(segment(partition, 2), CREATE));

    roll(partition, 3);

    assertThat(Files.size(segment(partition, 2))).isZero();
  }

  @Test
  void aLogThatIsDeletedGivesItsZerosBack() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    roll(partition, 1);
    awaitSpare(partition, SpareFile.ZERO_BYTES);
    close();
    fixture.store().delete(segment(partition, 0));
    fixture.store().delete(segment(partition, 1));
    fixture.store().delete(partition);

    await("everything is given back", () -> used() == 0);
    assertThat(StoreFixture.tierFiles(tier)).isEmpty();
  }

  @Test
  void onlyZerosThatACrashLeftAreDeleted() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    close();
    fixture.stop();
    final Path folder = StoreFixture.tierFiles(tier).get(0).getParent();
    final byte[] zeros = new byte[SpareFile.ZERO_BYTES];
    Files.write(folder.resolve("t-0.next.0123456789abcdef"), zeros);
    zeros[zeros.length - 1] = 1;
    Files.write(folder.resolve("t-0.next.fedcba9876543210"), zeros);
    zeros[zeros.length - 1] = 0;
    Files.write(folder.resolve("t-0.00000000000000000009.log.0123456789abcdef"), zeros);

    fixture.store();

    assertThat(unnamed(partition)).isEmpty();
    final Path quarantine = tier.resolve("quarantine").resolve(folder.getFileName().toString());
    assertThat(NameLook.list(quarantine).stream().map(Path::toString))
        .hasSize(2)
        .anyMatch(name -> name.endsWith("fedcba9876543210"))
        .anyMatch(name -> name.contains("0000009.log"));
    assertThat(used()).isEqualTo(onDisk());
  }

  /** A small tier's room is its segments'. */
  @Test
  void whereThereIsLittleRoomASpareIsEmpty() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "224KiB");
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 8; i++) {
      roll(partition, i);
      if (i > 0) {
        awaitSpare(partition, 0);
      }
    }
    await("the account", () -> used() == onDisk());
  }
}
