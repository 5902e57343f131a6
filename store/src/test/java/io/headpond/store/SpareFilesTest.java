// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static io.headpond.store.StoreFixture.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.pmem.Background;
import io.headpond.store.claim.Home;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.NameLook;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tier files that are there before the segments that they will hold. */
final class SpareFilesTest {
  private StoreFixture fixture;
  private final List<FileChannel> open = new ArrayList<>();

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture().mapped(false);
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

  private void roll(final Path partition, final long baseOffset) throws IOException {
    open.add(fixture.store().open(segment(partition, baseOffset), CREATE));
    append(open.get(open.size() - 1), bytes(100, baseOffset));
  }

  private List<Path> spares() throws IOException {
    return fixture.tierFiles().stream()
        .filter(file -> file.getFileName().toString().contains(".next."))
        .toList();
  }

  private void awaitSpare(final Path partition) throws Exception {
    StoreFixture.awaitSpare(fixture.store(), partition);
  }

  @Test
  void theSecondRollFindsItsFileReady() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    assertThat(spares()).as("a log that hasn't rolled").isEmpty();
    roll(partition, 1);
    awaitSpare(partition);
    final Path spare = spares().get(0);

    roll(partition, 2);

    assertThat(NameLook.target(segment(partition, 2))).isEqualTo(spare);
    assertThat(spare.getFileName().toString()).startsWith("t-0.next.");
    await("another one", () -> spares().size() == 2);
    for (int i = 0; i < 3; i++) {
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(100, i));
    }
  }

  @Test
  void aNameThatIsThereIsOpenedAndNotRolledTo() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    roll(partition, 1);
    awaitSpare(partition);
    final Path there = segment(partition, 2);
    Files.write(there, bytes(77, 2)); // by something that isn't the engine
    final long used = usedBytes(fixture.store(), fixture.tier);

    try (FileChannel channel = fixture.store().open(there, CREATE)) {
      assertThat(channel.size()).isEqualTo(77);
      append(channel.position(77), bytes(23, 3));
    }

    assertThat(Files.readAllBytes(there)).startsWith(bytes(77, 2)).endsWith(bytes(23, 3));
    assertThat(Files.readAllBytes(segment(partition, 1))).isEqualTo(bytes(100, 1));
    assertThat(usedBytes(fixture.store(), fixture.tier)).isLessThanOrEqualTo(used);
    roll(partition, 3);
    awaitSpare(partition);
    Files.write(segment(partition, 4), bytes(77, 4));
    assertThatThrownBy(
            () ->
                fixture
                    .store()
                    .open(
                        segment(partition, 4),
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.readAllBytes(segment(partition, 4))).isEqualTo(bytes(77, 4));
  }

  @Test
  void aRollLooksAtNoSegmentThatIsSealed() throws Exception {
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 20; i++) {
      roll(partition, i);
    }
    assertThat(lookedAt()).containsExactly(19);

    append(open.get(3), bytes(100, 3));
    open.get(5).truncate(50);
    open.get(7).truncate(100);

    assertThat(lookedAt()).containsExactly(3, 5, 19);
    roll(partition, 20);
    assertThat(lookedAt()).containsExactly(20);
    assertThat(Files.size(segment(partition, 3))).isEqualTo(200);
    assertThat(Files.size(segment(partition, 5))).isEqualTo(50);
  }

  /** Numbers of the open segments that the next roll will look at. */
  private List<Integer> lookedAt() {
    final List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      if (((SegmentChannel) open.get(i)).segment().unsealed.isMember()) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  @Test
  void aSpareThatSomebodyDeletedIsNotLinkedTo() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    roll(partition, 1);
    awaitSpare(partition);
    Files.delete(spares().get(0));

    roll(partition, 2);

    assertThat(Files.readAllBytes(segment(partition, 2))).isEqualTo(bytes(100, 2));
  }

  @Test
  void aFileBesideTheLogIsNotItsSpare() throws Exception {
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    roll(partition, 1);
    awaitSpare(partition);
    final Path cleaned = partition.resolve("00000000000000000000.log.cleaned");

    open.add(fixture.store().open(cleaned, CREATE));

    assertThat(NameLook.target(cleaned)).isNotEqualTo(spares().get(0));
  }

  @Test
  void thereAreNoMoreSparesThanTheirLimit() throws Exception {
    fixture.store();
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    final Path partition = fixture.partition("t-0");
    roll(partition, 0);
    final Home home = home();
    final Background background = new Background((name, failures, cause) -> {});
    try (SpareFiles spares = new SpareFiles(new DirectoryForce(), background)) {
      for (int i = 0; i <= SpareFiles.FILES_MAX; i++) {
        spares.prepare(new PartitionDirectory(home, fixture.home.resolve("t-" + i)), directory);
      }
      await("all spares", () -> spares().size() >= SpareFiles.FILES_MAX);
      assertThat(spares()).hasSize(SpareFiles.FILES_MAX);
    }
    assertThat(spares()).isEmpty();
  }

  private Home home() throws IOException {
    final Path folder = fixture.tierFiles().get(0).getParent();
    return new Home(fixture.home, UUID.fromString(folder.getFileName().toString()));
  }
}
