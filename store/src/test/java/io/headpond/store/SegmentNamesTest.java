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

import io.headpond.store.tier.SegmentCandidate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Names come and go, also around the plug-in; their files must follow, and none other. */
final class SegmentNamesTest {
  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  private Path write(final Path name, final byte[] data) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, data);
    }
    return name;
  }

  private static Path ending(final Path name, final String ending) {
    return name.resolveSibling(name.getFileName() + ending);
  }

  @Test
  void aRenameOverASegmentThatNobodyHasOpenGivesItsFileBack() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(5_000, 1));
    final Path swap = write(ending(name, ".swap"), bytes(2_000, 2));
    fixture.store().move(swap, name, StandardCopyOption.ATOMIC_MOVE);
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(2_000, 2));
    await("one tier file", () -> fixture.tierFiles().size() == 1);
    await("space", () -> usedBytes(fixture.store(), fixture.tier) == 2_000);
  }

  @Test
  void aPartitionThatIsRenamedToItselfKeepsItsOpenSegments() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(5_000, 1));
      fixture.store().move(name.getParent(), name.getParent(), StandardCopyOption.ATOMIC_MOVE);
      assertThat(fixture.store().partitions().open(name)).isNotNull();
    }
  }

  /** Whether the store knows the partition or not: of another one it has opened nothing. */
  @Test
  void noPartitionLeavesItsLogDirectoryWithLinks() throws Exception {
    final Path known = write(segment(fixture.partition("t-0"), 0), bytes(5_000, 1)).getParent();
    final Path other = fixture.partition("t-1");
    final Path link = segment(other, 0);
    Files.createSymbolicLink(link, Files.readSymbolicLink(segment(known, 0)));
    final Path outside = Files.createDirectory(fixture.home.resolveSibling("backup"));
    for (final Path directory : new Path[] {known, other}) {
      final Path target = outside.resolve(directory.getFileName());
      assertThatThrownBy(() -> fixture.store().move(directory, target))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContainingAll(segment(directory, 0).toString(), "copy it instead");
      assertThat(target).doesNotExist();
    }
    assertThat(Files.readAllBytes(segment(known, 0))).isEqualTo(bytes(5_000, 1));
    Files.delete(link);
    fixture.store().move(other, outside.resolve("t-1"));
    assertThat(outside.resolve("t-1")).isDirectory();
    fixture.store().move(known, fixture.home.resolve("t-0.0123-delete"));
  }

  /** The next start would take its tier file for one that nobody needs. */
  @Test
  void noSegmentOfATierIsMovedToANameThatIsNone() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(5_000, 1));
    for (final Path target :
        new Path[] {fixture.home.resolveSibling("elsewhere.log"), name.resolveSibling("kept")}) {
      assertThatThrownBy(() -> fixture.store().move(name, target))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("copy it instead");
      assertThat(target).doesNotExist();
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(5_000, 1));
  }

  /** Kafka deletes a segment's file by its former path when its topic was deleted meanwhile. */
  @Test
  void namesInDirectoriesThatAreNotThereAreForgotten() throws Exception {
    write(segment(fixture.partition("t-0"), 0), bytes(5_000, 1));
    final int known = fixture.store().partitions().size();
    for (int i = 0; i < 100; i++) {
      final Path gone = segment(fixture.home.resolve("gone-" + i), 0);
      assertThatThrownBy(() -> fixture.store().delete(ending(gone, ".deleted")))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> fixture.store().open(gone, CREATE))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(fixture.store().partitions().size()).isEqualTo(known);
  }

  @Test
  void aRenameOverAnOpenSegmentGivesItsFileBackWhenItIsClosed() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final FileChannel old = fixture.store().open(name, CREATE);
    append(old, bytes(5_000, 1));
    final Path swap = write(ending(name, ".swap"), bytes(2_000, 2));
    fixture.store().move(swap, name, StandardCopyOption.ATOMIC_MOVE);
    final ByteBuffer read = ByteBuffer.allocate(5_000);
    assertThat(old.read(read, 0)).isEqualTo(5_000);
    assertThat(read.array()).isEqualTo(bytes(5_000, 1));
    old.close();
    await("space", () -> usedBytes(fixture.store(), fixture.tier) == 2_000);
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(2_000, 2));
  }

  @Test
  void theSecondCompactionOntoTheSameDeletedNameLeaksNothing() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    for (int round = 0; round < 3; round++) {
      write(name, bytes(1_000, round));
      fixture.store().move(name, ending(name, ".deleted"), StandardCopyOption.ATOMIC_MOVE);
    }
    await("one tier file", () -> fixture.tierFiles().size() == 1);
    fixture.store().delete(ending(name, ".deleted"));
    await("space", () -> usedBytes(fixture.store(), fixture.tier) == 0);
  }

  @Test
  void aSegmentRenamedOntoItselfStays() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(100, 1));
    fixture.store().move(name, name, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      fixture.store().move(name, name, StandardCopyOption.ATOMIC_MOVE);
      assertThat(channel.size()).isEqualTo(100);
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(100, 1));
  }

  @Test
  void aSegmentThatTheEngineRenamedAroundThePluginKeepsItsFile() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final Path renamed = ending(name, ".swap");
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(1_000, 1));
      assertThat(name.toFile().renameTo(renamed.toFile())).isTrue();
      write(name, bytes(2_000, 2));
    }
    try (FileChannel other = fixture.store().open(name, CREATE)) {
      assertThat(other.size()).isEqualTo(2_000);
    }
    // Whatever was queued for deletion is done when the store has stopped.
    fixture.restart();
    assertThat(Files.readAllBytes(renamed)).isEqualTo(bytes(1_000, 1));
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(2_000, 2));
  }

  @Test
  void aSegmentRenamedAroundThePluginAndReplacedKeepsItsFile() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final Path renamed = ending(name, ".deleted");
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(1_000, 1));
      final Path swap = write(ending(name, ".swap"), bytes(2_000, 2));
      assertThat(name.toFile().renameTo(renamed.toFile())).isTrue();
      fixture.store().move(swap, name, StandardCopyOption.ATOMIC_MOVE);
    }
    fixture.restart();
    assertThat(Files.readAllBytes(renamed)).isEqualTo(bytes(1_000, 1));
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(2_000, 2));
  }

  /** Kafka opens a compaction's output at its start, never closes it, and renames it by File. */
  @Test
  void aCompactionThatAStartCompletesIsKnownByItsName() throws Exception {
    final Path partition = fixture.partition("t-0");
    final Path name = segment(partition, 0);
    final Path swap = write(ending(name, ".swap"), bytes(1_000, 1));
    final Path last = write(segment(partition, 100), bytes(2_000, 2));
    fixture.restart();
    final FileChannel left = fixture.store().open(swap, CREATE);
    assertThat(swap.toFile().renameTo(name.toFile())).isTrue();
    for (final Path each : new Path[] {name, last}) {
      fixture.store().open(each, CREATE).close();
    }
    assertThat(fixture.store().catalogue().all())
        .extracting(each -> each.name() + " " + each.bytes() + " " + each.active())
        .containsExactlyInAnyOrder(name + " 1000 false", last + " 2000 true");
    assertThat(fixture.store().settle(Duration.ofMinutes(1))).as("settled").isTrue();
    left.close();
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(1_000, 1));
  }

  /** The one that the output takes the place of may lie elsewhere. */
  @Test
  void aSegmentReplacedAroundThePluginIsKnownWhereItLies() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(1_000, 1));
    final Path swap = Files.write(ending(name, ".swap"), bytes(500, 2));
    fixture.restart();
    assertThat(swap.toFile().renameTo(name.toFile())).isTrue();
    fixture.store().open(name, CREATE).close();
    assertThat(fixture.store().catalogue().segments(null, true)).as("at home").isEqualTo(1);
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(500, 2));
  }

  private long knownBytes(final Path name) throws IOException {
    return fixture.store().catalogue().all().stream()
        .filter(each -> each.name().equals(name))
        .mapToLong(SegmentCandidate::bytes)
        .sum();
  }

  /** By the first of its three names there is no file any more. */
  @Test
  void aCompactionsOutputAtHomeIsKnownWithItsLength() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    Files.write(name, bytes(5_000, 1));
    final Path cleaned = write(ending(name, ".cleaned"), bytes(2_000, 2));
    Files.setLastModifiedTime(cleaned, FileTime.fromMillis(1)); // it doesn't come up
    final Path swap = ending(name, ".swap");
    try (FileChannel open = fixture.store().open(cleaned, CREATE)) {
      fixture.store().move(cleaned, swap, StandardCopyOption.ATOMIC_MOVE);
      fixture.store().move(swap, name, StandardCopyOption.ATOMIC_MOVE);
      assertThat(open.size()).isEqualTo(2_000);
      assertThat(knownBytes(name)).isEqualTo(2_000);
    }
    assertThat(Files.isSymbolicLink(name)).isFalse();
  }

  @Test
  void aMovedReplicasSegmentAtHomeIsKnownWithItsLength() throws Exception {
    final Path future = fixture.partition("t-0.5f2c61ab-future");
    final Path moved = fixture.home.resolve("t-0");
    Files.write(segment(future, 0), bytes(1_000, 1));
    try (FileChannel first = fixture.store().open(segment(future, 0), CREATE)) {
      fixture.store().move(future, moved, StandardCopyOption.ATOMIC_MOVE);
      first.position(1_000);
      append(first, bytes(2_000, 2));
      write(segment(moved, 100), bytes(10, 3));
      assertThat(knownBytes(segment(moved, 0))).isEqualTo(3_000);
    }
  }

  @Test
  void aSegmentDeletedAroundThePluginIsAnOrphanOfTheNextStart() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(1_000, 1));
      assertThat(name.toFile().delete()).isTrue();
      assertThatThrownBy(() -> fixture.store().open(name, Set.of(StandardOpenOption.READ)))
          .isInstanceOf(NoSuchFileException.class);
    }
    fixture.restart();
    assertThat(fixture.tierFiles()).isEmpty();
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(1);
  }

  @Test
  void aDeletionByAMovedReplicasFormerNameGivesTheFileBack() throws Exception {
    final Path future = fixture.partition("t-0.5f2c61ab-future");
    final Path moved = fixture.home.resolve("t-0");
    final Path first = segment(future, 0);
    final Path gone = ending(first, ".deleted");
    final FileChannel channel = fixture.store().open(first, CREATE);
    append(channel, bytes(1_000, 1));
    fixture.store().move(first, gone, StandardCopyOption.ATOMIC_MOVE);
    fixture.store().move(future, moved, StandardCopyOption.ATOMIC_MOVE);
    channel.close();
    fixture.store().delete(gone);
    assertThat(Files.exists(ending(segment(moved, 0), ".deleted"), LinkOption.NOFOLLOW_LINKS))
        .isFalse();
    await("space", () -> usedBytes(fixture.store(), fixture.tier) == 0);
    assertThatThrownBy(() -> fixture.store().delete(gone)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void openingInAnAbsentDirectoryFailsAndTheTierStaysInUse() throws Exception {
    assertThatThrownBy(
            () -> fixture.store().open(segment(fixture.home.resolve("gone-0"), 0), CREATE))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(fixture.tierFiles()).isEmpty();
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(10, 1));
    assertThat(Files.isSymbolicLink(name)).isTrue();
  }

  @Test
  void aDanglingLinkIsAnErrorThatNamesItsFileAndIsNeverReplaced() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(10, 1));
    final Path file = Files.readSymbolicLink(name);
    Files.delete(file);
    assertThatThrownBy(() -> fixture.store().open(name, CREATE))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(name.toString())
        .hasMessageContaining(file.toString());
    assertThat(Files.readSymbolicLink(name)).isEqualTo(file);
    assertThat(file).doesNotExist();
  }

  @Test
  void aLinkOutsideTheTiersIsRefusedAndNotFollowed() throws Exception {
    final Path outside = Files.write(fixture.root.resolve("passwd"), bytes(10, 1));
    fixture.store();
    final Path name = segment(fixture.partition("t-0"), 0);
    Files.createSymbolicLink(name, outside);
    assertThatThrownBy(() -> fixture.store().open(name, CREATE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(outside.toString());
    assertThat(Files.readAllBytes(outside)).isEqualTo(bytes(10, 1));
    fixture.store().delete(name);
    assertThat(outside).exists();
  }

  @Test
  void createNewRefusesWhatIsThere() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(10, 1));
    final Set<StandardOpenOption> createNew =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    assertThatThrownBy(() -> fixture.store().open(name, createNew))
        .isInstanceOf(FileAlreadyExistsException.class);
    try (FileChannel open = fixture.store().open(name, CREATE)) {
      assertThatThrownBy(() -> fixture.store().open(name, createNew))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(open.size()).isEqualTo(10);
    }
  }

  @Test
  void aPartitionDirectoryDeletedAndMadeAgainStartsAnew() throws Exception {
    final Path partition = fixture.partition("t-0");
    final FileChannel old = fixture.store().open(segment(partition, 0), CREATE);
    append(old, bytes(1_000, 1));
    fixture.store().delete(segment(partition, 0));
    fixture.store().delete(partition);
    fixture.partition("t-0");
    write(segment(partition, 0), bytes(2_000, 2));
    old.close();
    assertThat(Files.readAllBytes(segment(partition, 0))).isEqualTo(bytes(2_000, 2));
    await("space", () -> usedBytes(fixture.store(), fixture.tier) == 2_000);
  }

  @Test
  void aPartitionDirectoryBehindALinkIsScannedToo() throws Exception {
    final Path elsewhere = Files.createDirectory(fixture.root.resolve("elsewhere"));
    final Path partition = Files.createSymbolicLink(fixture.home.resolve("t-0"), elsewhere);
    write(segment(partition, 0), bytes(1_000, 1));
    assertThat(Files.isSymbolicLink(segment(partition, 0))).isTrue();
    fixture.restart();
    assertThat(Files.readAllBytes(segment(partition, 0))).isEqualTo(bytes(1_000, 1));
  }

  @Test
  @EnabledIfSystemProperty(named = "sun.jnu.encoding", matches = "UTF-8")
  void longAndForeignNamesGetATierFileOfTheirOwn() throws Exception {
    for (final String partition :
        new String[] {"x".repeat(249) + "-0", "日本".repeat(41) + "-0", "mit leer zeichen-0"}) {
      final Path name = write(segment(fixture.partition(partition), 0), bytes(100, 1));
      assertThat(Files.isSymbolicLink(name)).as(partition).isTrue();
      final Path cleaned = write(ending(name, ".cleaned"), bytes(50, 2));
      assertThat(Files.isSymbolicLink(cleaned)).as(partition).isTrue();
    }
    fixture.restart();
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void aClosedStoreAcceptsNothingForWriting() throws Exception {
    final Path name = write(segment(fixture.partition("t-0"), 0), bytes(100, 1));
    final TieredStore store = fixture.store();
    store.close();
    assertThatThrownBy(() -> store.open(name, CREATE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
    try (FileChannel reader = store.open(name, Set.of(StandardOpenOption.READ))) {
      assertThat(reader.size()).isEqualTo(100);
    }
  }
}
