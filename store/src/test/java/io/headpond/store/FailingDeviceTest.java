// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static io.headpond.store.StoreFixture.tierFiles;
import static io.headpond.store.StoreFixture.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.store.facts.Count;
import io.headpond.store.segment.MappedSegmentFile;
import io.headpond.store.segment.SegmentChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiers and homes that fill or fail while the engine appends; nothing acknowledged is lost. */
final class FailingDeviceTest {
  private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);
  private static final String MAY_MOUNT = "io.headpond.store.MountedTmpfs#allowed";

  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  /** Appends until it fails or everything is appended; returns what was acknowledged. */
  private static int appendUntilFull(final FileChannel channel, final byte[] data, final int step)
      throws IOException {
    int at = 0;
    while (at < data.length) {
      final int end = Math.min(data.length, at + step);
      append(channel, Arrays.copyOfRange(data, at, end));
      at = end;
    }
    return at;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  @EnabledIf(MAY_MOUNT)
  void aDeviceThatIsFullInTheMiddleOfASegmentMovesItHome(final String type) throws Exception {
    try (MountedTmpfs device = new MountedTmpfs("size=4m")) {
      fixture
          .mapped(type.equals("pmem"))
          .with("headpond.tier.pmem.paths", device.path.toString())
          .with("headpond.tier.pmem.capacity", "1GiB");
      final Path name = segment(fixture.partition("t-0"), 0);
      final byte[] data = bytes(6_000_000, 1);
      try (FileChannel channel = fixture.store().open(name, CREATE)) {
        appendUntilFull(channel, data, 70_001);
        assertThat(Files.isSymbolicLink(name)).isFalse();
      }
      assertThat(Files.readAllBytes(name)).isEqualTo(data);
      assertThat(fixture.store().counters().sum(Count.EVACUATED_SEGMENTS)).isEqualTo(1);
      await("space", () -> usedBytes(fixture.store(), device.path) == 0);
      // A full device is not a failed one.
      final Path next = segment(fixture.partition("t-1"), 0);
      fixture.store().open(next, CREATE).close();
      assertThat(Files.isSymbolicLink(next)).isTrue();
      fixture.stop();
    }
  }

  @Test
  @EnabledIf(MAY_MOUNT)
  void aDeviceWithoutInodesOverflowsAndIsUsedAgainWhenItHasSome() throws Exception {
    try (MountedTmpfs device = new MountedTmpfs("size=8m,nr_inodes=16")) {
      fixture.with("headpond.tier.pmem.paths", device.path.toString());
      final Path partition = fixture.partition("t-0");
      int linked = 0;
      for (int i = 0; i < 20; i++) {
        fixture.store().open(segment(partition, i), CREATE).close();
        linked += Files.isSymbolicLink(segment(partition, i)) ? 1 : 0;
      }
      assertThat(linked).isBetween(1, 15);
      assertThat(Files.isSymbolicLink(segment(partition, 19))).isFalse();
      fixture.store().delete(segment(partition, 0));
      final int before = linked;
      await("a free inode", () -> tierFiles(device.path).size() < before);
      // The counters' temporary file takes an inode now and then.
      final AtomicInteger next = new AtomicInteger(20);
      await(
          "a segment on the device again",
          () -> {
            final Path name = segment(partition, next.getAndIncrement());
            fixture.store().open(name, CREATE).close();
            return Files.isSymbolicLink(name);
          });
      fixture.stop();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  @EnabledIf(MAY_MOUNT)
  void aFullHomeIsAClearIOExceptionAndItGoesOnWhenThereIsRoomAgain(final String type)
      throws Exception {
    try (MountedTmpfs home = new MountedTmpfs("size=2m")) {
      fixture
          .mapped(type.equals("pmem"))
          .with("headpond.tier.pmem.capacity", "1MiB")
          .with("headpond.log.dirs", home.path.toString());
      final Path name = segment(Files.createDirectory(home.path.resolve("t-0")), 0);
      final Path ballast = home.path.resolve("ballast");
      Files.write(ballast, new byte[1_500_000]);
      final byte[] data = bytes(1_800_000, 1);
      try (FileChannel channel = fixture.store().open(name, CREATE)) {
        assertThatThrownBy(() -> appendUntilFull(channel, data, 10_000))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(name.toString())
            .hasMessageContaining("no room")
            .hasMessageContaining(SystemWords.noSpaceLeft());
        assertThat(Files.isSymbolicLink(name)).as("the source stays authoritative").isTrue();
        final int acknowledged = (int) channel.size() / 10_000 * 10_000;
        assertThat(acknowledged).isBetween(900_000, 1_048_576);
        channel.truncate(acknowledged);
        final ByteBuffer read = ByteBuffer.allocate(acknowledged);
        assertThat(channel.read(read, 0)).isEqualTo(acknowledged);
        assertThat(read.array()).isEqualTo(Arrays.copyOf(data, acknowledged));
        Files.delete(ballast);
        channel.position(acknowledged);
        append(channel, Arrays.copyOfRange(data, acknowledged, data.length));
      }
      assertThat(Files.readAllBytes(name)).isEqualTo(data);
      assertThat(Files.list(name.getParent())).as("no rest of a failed move").hasSize(1);
      fixture.stop();
    }
  }

  @Test
  @EnabledIf(MAY_MOUNT)
  void aHomeWithoutRoomForALinkIsAnIOExceptionAndTheTierIsNotBlamed() throws Exception {
    try (MountedTmpfs home = new MountedTmpfs("size=1m,nr_inodes=6")) {
      fixture.with("headpond.log.dirs", home.path.toString());
      final Path partition = Files.createDirectory(home.path.resolve("t-0"));
      fixture.store();
      int made = 0;
      IOException failure = null;
      for (int i = 0; i < 10 && failure == null; i++) {
        try {
          fixture.store().open(segment(partition, i), CREATE).close();
          made++;
        } catch (final IOException e) {
          failure = e;
        }
      }
      assertThat(failure)
          .hasMessageContaining(SystemWords.noSpaceLeft())
          .hasMessageContaining(segment(partition, made).toString());
      assertThat(fixture.tierFiles()).as("no tier file without a link").hasSize(made);
      fixture.store().delete(segment(partition, 0));
      fixture.store().open(segment(partition, made), CREATE).close();
      assertThat(Files.isSymbolicLink(segment(partition, made))).isTrue();
      fixture.stop();
    }
  }

  @Test
  void aTierDirectoryThatVanishesLeavesOthersSegmentsAlone() throws Exception {
    final Path other = Files.createTempDirectory(fixture.tier.getParent(), "headpond-other");
    try {
      fixture.with("headpond.tier.pmem.paths", fixture.tier + "," + other);
      final Path partition = fixture.partition("t-0");
      for (int i = 0; i < 4; i++) {
        try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
          append(channel, bytes(200_000, i));
        }
      }
      assertThat(tierFiles(other)).hasSize(2);
      StoreFixture.remove(other);
      for (int i = 4; i < 8; i++) {
        try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
          append(channel, bytes(100, i));
        }
        assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(100, i));
      }
      fixture.stop();
    } finally {
      StoreFixture.remove(other);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void aTierDirectoryThatTakesNoNewFilesIsLeftForHome(final String type) throws Exception {
    final Path disk = Files.createDirectory(fixture.root.resolve("disk"));
    fixture.mapped(type.equals("pmem")).with("headpond.tier.pmem.paths", disk.toString());
    final Path partition = fixture.partition("t-0");
    final Path name = segment(partition, 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(1_000, 1));
      try (MountedTmpfs.Unwritable segments =
          new MountedTmpfs.Unwritable(Files.readSymbolicLink(name).getParent())) {
        assumeTrue(segments.works());
        try (FileChannel next = fixture.store().open(segment(partition, 1), CREATE)) {
          append(next, bytes(1_000, 2));
        }
        assertThat(Files.isSymbolicLink(segment(partition, 1))).isFalse();
        append(channel, bytes(500, 3));
        try (FileChannel reader = fixture.store().open(name, READ)) {
          assertThat(reader.size()).isEqualTo(1_500);
        }
      }
    }
    fixture.restart();
    assertThat(Files.size(name)).isEqualTo(1_500);
    assertThat(Files.readAllBytes(segment(partition, 1))).isEqualTo(bytes(1_000, 2));
  }

  @Test
  void aCutFileGrownAheadMovesHomeWithAllThatWasAcknowledged() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final byte[] data = bytes(1_000_000, 1);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, Arrays.copyOf(data, 10_000));
      // Only what was grown ahead is lost.
      try (FileChannel vandal =
          FileChannel.open(Files.readSymbolicLink(name), StandardOpenOption.WRITE)) {
        vandal.truncate(10_000);
      }
      for (int at = 10_000; at < data.length; at += 10_000) {
        append(channel, Arrays.copyOfRange(data, at, at + 10_000));
      }
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
    assertThat(Files.isSymbolicLink(name)).isFalse();
  }

  @Test
  void aRollAfterTheFileWasCutBehindOurBackNeverLeavesATail() throws Exception {
    final Path partition = fixture.partition("t-0");
    final Path name = segment(partition, 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(10_000, 1));
      try (FileChannel vandal =
          FileChannel.open(Files.readSymbolicLink(name), StandardOpenOption.WRITE)) {
        vandal.write(ByteBuffer.allocate(1), 300_000); // longer than it was grown
      }
      try (FileChannel next = fixture.store().open(segment(partition, 1), CREATE)) {
        append(next, bytes(1_000, 2));
        assertThat(Files.readAllBytes(name)).isEqualTo(bytes(10_000, 1));
      }
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(10_000, 1));
  }

  @Test
  void acknowledgedBytesThatAreCutAreAnErrorAndNeverZeros() throws Exception {
    final Path partition = fixture.partition("t-0");
    final Path name = segment(partition, 0);
    final FileChannel channel = fixture.store().open(name, CREATE);
    append(channel, bytes(100_000, 1));
    final TieredStore store = fixture.store();
    await( // a cut in the middle of it could not be told from the growth
        "the file has grown ahead",
        () ->
            ((MappedSegmentFile) ((SegmentChannel) channel).segment().file()).quiet()
                && StoreFixture.usedBytes(store, fixture.tier) == Files.size(name));
    try (FileChannel vandal =
        FileChannel.open(Files.readSymbolicLink(name), StandardOpenOption.WRITE)) {
      vandal.truncate(50_000);
    }
    assertThatThrownBy(() -> fixture.store().open(segment(partition, 1), CREATE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(name.toString());
    assertThat(Files.size(name)).isEqualTo(50_000);
    final Throwable closing = catchThrowable(channel::close);
    if (closing == null) { // its last user was a move out of the tier, which counts as failed now
      await("the move fails", () -> store.facts().count(Count.MIGRATION_FAILURES) > 0);
    } else {
      assertThat(closing).isInstanceOf(IOException.class);
    }
    assertThat(channel.isOpen()).isFalse();
    assertThat(Files.size(name)).isEqualTo(50_000);
  }

  @Test
  void channelsFollowASegmentThatMovedHomeWhateverBecomesOfItsName() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "1MiB");
    final Path name = segment(fixture.partition("t-0"), 0);
    final Path deleted = name.resolveSibling(name.getFileName() + ".deleted");
    final byte[] data = bytes(2_000_000, 1);
    try (FileChannel channel = fixture.store().open(name, CREATE);
        FileChannel first = fixture.store().open(name, READ);
        FileChannel second = fixture.store().open(name, READ)) {
      append(channel, data);
      assertThat(Files.isSymbolicLink(name)).isFalse();
      fixture.store().move(name, deleted, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel successor = fixture.store().open(name, CREATE)) {
        append(successor, bytes(1_000, 2));
      }
      final ByteBuffer read = ByteBuffer.allocate(1_000);
      assertThat(first.read(read, 1_500_000)).isEqualTo(1_000);
      assertThat(read.array()).isEqualTo(Arrays.copyOfRange(data, 1_500_000, 1_501_000));
      fixture.store().delete(deleted);
      assertThat(second.read(read.clear(), 1_600_000)).isEqualTo(1_000);
      assertThat(read.array()).isEqualTo(Arrays.copyOfRange(data, 1_600_000, 1_601_000));
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(1_000, 2));
  }

  @Test
  void anInterruptDuringTheMoveClosesTheChannelAndNothingElse() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "8MiB");
    final byte[] data = bytes(9_000_000, 1);
    for (int round = 0; round < 10; round++) {
      final Path name = segment(fixture.partition("t-" + round), 0);
      final FileChannel channel = fixture.store().open(name, CREATE);
      final long end = 8 << 20;
      append(channel, Arrays.copyOf(data, (int) end - 100_000));
      final Throwable[] thrown = new Throwable[1];
      final Thread writer =
          new Thread(
              () -> {
                try {
                  append(channel, Arrays.copyOfRange(data, (int) end - 100_000, data.length));
                } catch (final Throwable e) {
                  thrown[0] = e;
                }
              });
      writer.start();
      final int spins = round * 2_000;
      for (int i = 0; i < spins; i++) {
        Thread.onSpinWait();
      }
      writer.interrupt();
      writer.join();
      if (thrown[0] != null) {
        assertThat(thrown[0]).isInstanceOf(ClosedByInterruptException.class);
      }
      channel.close();
      final byte[] found = Files.readAllBytes(name);
      assertThat(found).isEqualTo(Arrays.copyOf(data, found.length));
      assertThat(found.length).isGreaterThanOrEqualTo((int) end - 100_000);
      fixture.store().delete(name);
      await("space", () -> usedBytes(fixture.store(), fixture.tier) == 0);
    }
  }

  @Test
  void aFullFastTierOverflowsToTheNextTierAndThenHome() throws Exception {
    final Path slow = Files.createDirectory(fixture.root.resolve("slow"));
    fixture
        .with("headpond.tiers", "pmem,nvme")
        .with("headpond.tier.pmem.capacity", "1MiB")
        .with("headpond.tier.nvme.paths", slow.toString())
        .with("headpond.tier.nvme.capacity", "3MiB");
    final Path name = segment(fixture.partition("t-0"), 0);
    final byte[] data = bytes(5_000_000, 1);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, Arrays.copyOf(data, 900_000));
      assertThat(Files.readSymbolicLink(name)).startsWith(fixture.tier);
      append(channel, Arrays.copyOfRange(data, 900_000, 2_000_000));
      assertThat(Files.readSymbolicLink(name)).startsWith(slow);
      await("space", () -> usedBytes(fixture.store(), fixture.tier) == 0);
      append(channel, Arrays.copyOfRange(data, 2_000_000, data.length));
      assertThat(Files.isSymbolicLink(name)).isFalse();
    }
    assertThat(Files.readAllBytes(name)).isEqualTo(data);
    await("space", () -> usedBytes(fixture.store(), slow) == 0);
    fixture.restart();
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void aFailedTierWhoseFilesAreGoneIsNotSaidToBeEmptied() throws Exception {
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 2; i++) {
      try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
        append(channel, bytes(1_000, i));
      }
    }
    final Path file = Files.readSymbolicLink(segment(partition, 0));
    Files.delete(file);
    assertThat(waits()).isEmpty();
    fixture.store().tiers().get(0).get(0).fail(new IOException("EIO"));
    await("it is tried", () -> !waits().isEmpty() && !Files.isSymbolicLink(segment(partition, 1)));
    assertThat(waits())
        .isEqualTo(
            "a segment couldn't be moved, and is tried again: "
                + segment(partition, 0)
                + " leads to "
                + file
                + ", which is missing; mount or restore the tier");
    assertThat(fixture.store().facts().tiers().get(0).contents().sealedSegments()).isEqualTo(1);
  }

  private String waits() throws IOException {
    return fixture.store().facts().tiers().get(0).waits();
  }

  @Test
  void aForceThatFailedIsRememberedWhenItsFileIsOpenedAgain() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.start();
      run.disk.createDirectory(run.real("home0/t-0"));
      final Path name = segment(run.path("home0/t-0"), 0);
      final FileChannel channel = run.store().open(name, CREATE);
      append(channel, bytes(10_000, 1));
      run.disk.faults().fillFiles(run.real("home0"));
      run.disk.faults().failForce(1, path -> path.startsWith(run.real("tier00")));
      assertThatThrownBy(() -> channel.force(true)).isInstanceOf(IOException.class);
      try {
        channel.close();
      } catch (final IOException e) {
        assertThat(e).hasMessageContaining("t-0");
      }
      try (FileChannel again = run.store().open(name, CREATE)) {
        assertThatThrownBy(() -> again.force(true)).isInstanceOf(IOException.class);
      }
      run.disk.faults().heal();
    }
  }
}
