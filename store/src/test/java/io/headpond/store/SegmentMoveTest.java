// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.layout.CopyProgress;
import io.headpond.store.layout.SegmentMove;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentMoveTest {
  private static final int BYTES = 2_300_000;

  @TempDir Path directory;
  private Path partition;
  private Path tier;
  private Path name;
  private Path source;
  private byte[] data;

  @BeforeEach
  void makeSegment() throws Exception {
    partition = Files.createDirectories(directory.resolve("home/t-0"));
    tier = Files.createDirectory(directory.resolve("tier"));
    name = StoreFixture.segment(partition, 0);
    data = StoreFixture.bytes(BYTES, 1);
    source = Files.write(tier.resolve("source"), Arrays.copyOf(data, BYTES + 100_000));
    Files.createSymbolicLink(name, source);
  }

  private static List<String> names(final Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private void nothingHappened() throws IOException {
    assertThat(names(partition)).containsExactly(name.getFileName().toString());
    assertThat(names(tier)).containsExactly("source");
    assertThat(Files.readSymbolicLink(name)).isEqualTo(source);
    assertThat(Files.readAllBytes(source)).startsWith(data);
  }

  @Test
  void aSegmentMovedHomeIsAPlainFileOfItsLogicalLength() throws Exception {
    SegmentMove.home(name, source, BYTES, bytes -> {});
    assertThat(Files.isSymbolicLink(name)).isFalse();
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
    assertThat(names(partition)).containsExactly(name.getFileName().toString());
    assertThat(source).as("the caller deletes it").exists();
  }

  @Test
  void aSegmentMovedToAnotherTierIsALinkThere() throws Exception {
    final Path target = tier.resolve("target");
    SegmentMove.tier(name, source, target, BYTES, bytes -> {});
    assertThat(Files.readSymbolicLink(name)).isEqualTo(target);
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
    assertThat(names(partition)).containsExactly(name.getFileName().toString());
  }

  @Test
  void modeAndModificationTimeAreKept() throws Exception {
    Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-r-----"));
    final FileTime modified = FileTime.from(Instant.parse("2021-03-04T05:06:07.123456Z"));
    Files.setLastModifiedTime(source, modified);
    SegmentMove.home(name, source, BYTES, bytes -> {});
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(name)))
        .isEqualTo("rw-r-----");
    assertThat(Files.getLastModifiedTime(name)).isEqualTo(modified);
    assertThat(Files.getOwner(name)).isEqualTo(Files.getOwner(source));
  }

  @Test
  void aMoveInterruptedAtAnyStepLeavesEverythingAsItWas() throws Exception {
    for (int failAt = 1; failAt <= BYTES / (1 << 20) + 1; failAt++) {
      final int[] calls = {0};
      final int step = failAt;
      final CopyProgress failing =
          bytes -> {
            if (++calls[0] == step) {
              throw new IOException("stop at " + step);
            }
          };
      assertThatThrownBy(() -> SegmentMove.home(name, source, BYTES, failing))
          .hasMessage("stop at " + step);
      nothingHappened();
      calls[0] = 0;
      assertThatThrownBy(
              () -> SegmentMove.tier(name, source, tier.resolve("target"), BYTES, failing))
          .hasMessage("stop at " + step);
      nothingHappened();
    }
  }

  @Test
  void progressAddsUpToTheSegmentsLength() throws Exception {
    final long[] total = {0};
    SegmentMove.home(name, source, BYTES, bytes -> total[0] += bytes);
    assertThat(total[0]).isEqualTo(BYTES);
  }

  @Test
  void aNameThatMeansAnotherFileMeanwhileIsLeftAsItIs() throws Exception {
    final Path other = Files.write(tier.resolve("other"), new byte[10]);
    final boolean[] changed = {false};
    assertThatThrownBy(
            () ->
                SegmentMove.home(
                    name,
                    source,
                    BYTES,
                    bytes -> {
                      if (!changed[0]) {
                        changed[0] = true;
                        Files.delete(name);
                        Files.createSymbolicLink(name, other);
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(other.toString());
    assertThat(Files.readSymbolicLink(name)).isEqualTo(other);
    assertThat(names(partition)).containsExactly(name.getFileName().toString());
  }

  @Test
  void aNameThatWasDeletedMeanwhileDoesNotComeBack() throws Exception {
    assertThatThrownBy(
            () -> SegmentMove.home(name, source, BYTES, bytes -> Files.deleteIfExists(name)))
        .isInstanceOf(IOException.class);
    assertThat(names(partition)).isEmpty();
  }

  @Test
  void aSourceThatIsShorterThanTheSegmentIsNeverCopiedShort() throws Exception {
    assertThatThrownBy(() -> SegmentMove.home(name, source, BYTES + 200_000L, bytes -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(source.toString())
        .hasMessageContaining("before " + (BYTES + 200_000) + " B");
    nothingHappened();
  }

  /** The copy in the making. */
  private Path unfinished() throws IOException {
    try (Stream<Path> files = Files.list(tier)) {
      return files
          .filter(file -> SegmentMove.isTemporary(file.getFileName().toString()))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aCopyThatSomebodyMadeLongerIsNotUsed() throws Exception {
    final Path target = tier.resolve("target");
    assertThatThrownBy(
            () ->
                SegmentMove.tier(
                    name,
                    source,
                    target,
                    BYTES,
                    bytes -> {
                      try (FileChannel bad =
                          FileChannel.open(unfinished(), StandardOpenOption.WRITE)) {
                        bad.write(ByteBuffer.allocate(1), BYTES + 5L);
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the copy has");
    nothingHappened();
  }

  /** Whoever is told decides by it whether the device has failed. */
  @Test
  void aCopyThatCannotBeDeletedDoesNotHideItsFailure() {
    final Path target = tier.resolve("target");
    final IOException failure = new IOException("no force");
    assertThatThrownBy(
            () ->
                SegmentMove.copyIntoTier(
                    source,
                    target,
                    BYTES,
                    bytes -> {},
                    () -> {
                      Files.delete(target);
                      Files.createDirectories(target.resolve("in the way"));
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(failure.getSuppressed()).hasSize(1);
  }

  @Test
  void anEmptySegmentMovesToo() throws Exception {
    SegmentMove.home(name, source, 0, bytes -> {});
    assertThat(Files.size(name)).isZero();
    assertThat(Files.isSymbolicLink(name)).isFalse();
  }

  /** A file system in user space may say anything; CephFS says 4 MiB. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3_000, 4 << 20})
  void aFileSystemWhoseBlocksHaveAnOddSizeIsNoObstacle(final long blockBytes) throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 2)) { // past the page cache
      run.disk.blockBytes(blockBytes);
      run.start();
      run.disk.createDirectory(run.real("home0/t-0"));
      final Path moved = StoreFixture.segment(run.path("home0/t-0"), 0);
      try (FileChannel channel = run.store().open(moved, StoreFixture.CREATE)) {
        final byte[] content = StoreFixture.bytes(100_000, 1);
        StoreFixture.append(channel, content);
        assertThat(run.store().migration(bytes -> {}).move(moved, null, false))
            .isEqualTo(SegmentMigration.Outcome.MOVED);
        assertThat(Files.readAllBytes(ModelPath.real(moved))).isEqualTo(content);
      }
    }
  }
}
