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

import io.headpond.store.claim.StartCheck;
import io.headpond.store.claim.TierLocks;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.tier.TierDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the owner's start accepts, sweeps and refuses; a refusal changes nothing on disk. */
final class ClaimTest {
  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  private Path write(final Path name, final int length) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(length, length));
    }
    return name;
  }

  private Path segment0() throws IOException {
    return segment(fixture.partition("t-0"), 0);
  }

  private static TreeMap<String, String> everything(final Path... roots) throws IOException {
    final TreeMap<String, String> found = new TreeMap<>();
    for (final Path root : roots) {
      try (Stream<Path> paths = Files.walk(root)) {
        for (final Path path : paths.toList()) {
          final String name = path.getFileName().toString();
          if (Files.isSymbolicLink(path)) {
            found.put(path.toString(), "-> " + Files.readSymbolicLink(path));
          } else if (Files.isRegularFile(path)
              && !name.equals(TierLocks.FILE_NAME)
              && !name.equals(LiveCounters.FILE_NAME)) {
            found.put(path.toString(), Files.size(path) + " " + inode(path));
          }
        }
      }
    }
    return found;
  }

  private static Object inode(final Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
  }

  /** A start that is refused, as the check says before; both leave every file and link. */
  private AbstractThrowableAssert<?, ? extends Throwable> refusal() throws IOException {
    final TreeMap<String, String> before = everything(fixture.root, fixture.tier);
    final List<String> foreseen = fixture.foreseen();
    assertThat(everything(fixture.root, fixture.tier)).isEqualTo(before);
    final AbstractThrowableAssert<?, ? extends Throwable> refusal =
        assertThatThrownBy(() -> fixture.store().claim())
            .isInstanceOf(StoreRefusedException.class)
            .satisfies(refused -> assertThat(foreseen).contains(refused.getMessage()));
    assertThat(everything(fixture.root, fixture.tier)).isEqualTo(before);
    fixture.stop();
    return refusal;
  }

  @Test
  void aCapacityThatTheDeviceHasNotGotIsSaid() throws Exception {
    assertThat(said(() -> fixture.restart())).doesNotContain("HP0209");
    fixture.stop();
    fixture.with("headpond.tier.pmem.capacity", "9000TiB");
    assertThat(new StartCheck(fixture.config()).findings())
        .extracting(each -> each.words().code().code())
        .containsExactly("HP0209");
    assertThat(said(() -> fixture.store()))
        .contains("HP0209 tier pmem: " + fixture.tier, "Lower headpond.tier.pmem.capacity");
  }

  private interface Start {
    void run() throws IOException;
  }

  private static String said(final Start start) throws IOException {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      start.run();
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aStartThatIsInterruptedSaysSo() throws Exception {
    fixture.store();
    fixture.stop();
    try (TieredStore store = new TieredStore(fixture.config())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(store::claim)
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining(fixture.tier.toString())
          .hasMessageContaining("the thread was interrupted");
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void whatACrashLeavesOfACreationIsAcceptedOrSwept() throws Exception {
    write(segment0(), 10);
    final Path tierFile = Files.readSymbolicLink(segment0());
    fixture.stop();
    // After the first step: a tier file without a link, in which there is nothing to keep.
    final Path nothing = Files.createFile(tierFile.resolveSibling("t-0.nothing"));
    final Path orphan = Files.write(tierFile.resolveSibling("t-0.orphan"), bytes(10, 2));
    // After the second: a link to an empty tier file.
    final Path empty = Files.createFile(tierFile.resolveSibling("t-0.empty"));
    final Path link = segment(fixture.partition("t-0"), 1);
    Files.createSymbolicLink(link, empty);
    fixture.store();
    assertThat(orphan).doesNotExist();
    assertThat(nothing).doesNotExist();
    try (FileChannel channel = fixture.store().open(link, CREATE)) {
      assertThat(channel.size()).isZero();
      append(channel, bytes(10, 1));
    }
    assertThat(Files.readAllBytes(empty)).isEqualTo(bytes(10, 1));
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(1);
  }

  @Test
  void theRestOfAnInterruptedMoveIntoATierIsRemovedAndNotCounted() throws Exception {
    final Path tierFile = Files.readSymbolicLink(write(segment0(), 10));
    fixture.stop();
    final Path copy =
        Files.write(tierFile.resolveSibling("headpond-0123456789abcdef.move"), new byte[5]);
    final TieredStore store = fixture.store();
    assertThat(copy).doesNotExist();
    assertThat(StoreFixture.usedBytes(store, fixture.tier)).isEqualTo(10);
    assertThat(store.counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void theRestOfAnInterruptedMoveIsRemoved() throws Exception {
    final Path name = write(segment0(), 10);
    final Path tierFile = Files.readSymbolicLink(name);
    fixture.stop();
    final Path copy =
        Files.write(name.resolveSibling("headpond-0123456789abcdef.move"), new byte[5]);
    final Path target = Files.createFile(tierFile.resolveSibling("t-0.target"));
    final Path link = name.resolveSibling("headpond-fedcba9876543210.move");
    Files.createSymbolicLink(link, target);
    final Path other = Files.write(name.resolveSibling("headpond.txt"), new byte[5]);
    fixture.store();
    assertThat(copy).doesNotExist();
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(target).doesNotExist();
    assertThat(other).exists();
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(10, 10));
  }

  /** As where the tier's own directory belongs to root, and only those below it to the engine. */
  @Test
  void anOrphanThatCannotBeMovedKeepsNoEngineFromStarting() throws Exception {
    final Path name = write(segment0(), 100);
    final Path folder = name.toRealPath().getParent();
    fixture.stop();
    final Path unreadable = Files.createDirectory(folder.resolve("t-0.next.0123456789abcdef"));
    assertThat(said(() -> fixture.store()))
        .contains("HP0210 tier pmem", fixture.tier.resolve("quarantine").toString());
    assertThat(Files.size(name)).isEqualTo(100);
    fixture.stop();
    Files.delete(unreadable);
    final Path orphan = Files.write(folder.resolve("t-0.orphan"), bytes(10, 2));
    assertThat(said(() -> fixture.store())).doesNotContain("HP0210");
    assertThat(orphan).doesNotExist();
  }

  @Test
  void besideAnOrphanThatCannotBeMovedTheOthersAreAndCount() throws Exception {
    final Path name = write(segment0(), 100);
    final Path folder = name.toRealPath().getParent();
    fixture.stop();
    Files.write(folder.resolve("t-0.a"), bytes(10, 2));
    Files.createDirectory(folder.resolve("t-0.next.0123456789abcdef")); // it can't be read
    Files.write(folder.resolve("t-0.z"), bytes(20, 3));
    assertThat(said(() -> fixture.store())).contains("HP0210", "HP0202", "2 files (30 B)");
    assertThat(quarantined()).hasSize(2);
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(2);
  }

  @Test
  void anOrphanIsDeletedWhenItsGracePeriodIsOverAndNotBefore() throws Exception {
    final Path name = write(segment0(), 1_000);
    fixture.stop();
    Files.delete(name);
    fixture.store();
    assertThat(quarantined()).hasSize(1);
    assertThat(inQuarantine()).isEqualTo(1_000);
    fixture.restart();
    assertThat(quarantined()).hasSize(1);
    assertThat(inQuarantine()).isEqualTo(1_000);
    final LaterTime later = new LaterTime();
    later.pass(Duration.ofDays(7));
    fixture.time(later).restart();
    await("the purge", () -> quarantined().isEmpty());
    await("space", () -> inQuarantine() == 0);
  }

  @Test
  void aDanglingLinkOfAnInterruptedMoveHidesNoOrphan() throws Exception {
    final Path name = write(segment0(), 1_000);
    fixture.stop();
    final Path link = SegmentMove.temporary(name);
    Files.createSymbolicLink(link, Files.readSymbolicLink(name).resolveSibling("gone"));
    Files.delete(name);
    fixture.store();
    assertThat(quarantined()).hasSize(1);
    assertThat(Files.isSymbolicLink(link)).isFalse();
  }

  private long inQuarantine() throws IOException {
    final StoreFacts.Tier tier = fixture.store().facts().tiers().get(0);
    assertThat(tier.usedBytes()).as("quarantined files aren't used").isZero();
    return fixture.store().tiers().get(0).get(0).space.quarantinedBytes();
  }

  @Test
  void aQuarantineDoesNotMakeTheDeviceOverfull() throws Exception {
    final TierDirectory directory = fixture.store().tiers().get(0).get(0);
    directory.space.quarantineHolds(40_000, directory.capacityBytes + 10_000);
    assertThat(directory.space.reserve(directory.capacityBytes - 30_000)).isTrue();
    assertThat(directory.space.reserve(1)).as("the device hasn't got more").isFalse();
    assertThat(directory.roomBytes()).isZero();
    directory.space.quarantined(-40_000);
    assertThat(directory.space.reserve(30_000)).as("the whole capacity").isTrue();
    directory.space.release(directory.capacityBytes);
  }

  private List<Path> quarantined() throws IOException {
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> homes =
        Files.newDirectoryStream(fixture.tier.resolve("quarantine"))) {
      for (final Path home : homes) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
          files.forEach(found::add);
        }
      }
    }
    return found;
  }

  @Test
  void anAbsentHomeKeepsItsTierFilesAndIsTakenOverLater() throws Exception {
    final Path second = Files.createDirectory(fixture.root.resolve("second"));
    fixture.with("headpond.log.dirs", fixture.home + "," + second);
    final Path name = segment(Files.createDirectory(second.resolve("u-0")), 0);
    write(name, 1_000);
    write(segment0(), 10);
    fixture.stop();
    final Path away = Files.move(second, fixture.root.resolve("away"));
    fixture.store();
    assertThat(fixture.tierFiles()).hasSize(2);
    assertThat(usedBytes(fixture.store(), fixture.tier)).isEqualTo(1_010);
    Files.move(away, second);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      assertThat(channel.size()).isEqualTo(1_000);
    }
    fixture.restart();
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(1_000, 1_000));
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void aHomeThatIsAnEmptyMountPointTouchesNothingOfTheRealOne() throws Exception {
    final Path name = write(segment0(), 1_000);
    fixture.stop();
    final Path away = Files.move(fixture.home, fixture.root.resolve("away"));
    Files.createDirectory(fixture.home);
    fixture.restart();
    assertThat(fixture.tierFiles()).hasSize(1);
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
    fixture.stop();
    StoreFixture.remove(fixture.home);
    Files.move(away, fixture.home);
    fixture.store();
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(1_000, 1_000));
  }

  @Test
  void aLogDirectoryCopiedWithItsLinksIsRefused() throws Exception {
    write(segment0(), 10);
    fixture.stop();
    final Path copy = fixture.root.resolve("copy");
    assertThat(
            new ProcessBuilder("cp", "-a", fixture.home.toString(), copy.toString())
                .start()
                .waitFor())
        .isZero();
    fixture.with("headpond.log.dirs", fixture.home + "," + copy);
    refusal().hasMessageContaining(copy.toString()).hasMessageContaining("rsync -L");
  }

  @Test
  void aPartitionCopiedWithItsLinksIsRefused() throws Exception {
    final Path name = write(segment0(), 10);
    fixture.stop();
    final Path copy = segment(fixture.partition("t-1"), 0);
    Files.createSymbolicLink(copy, Files.readSymbolicLink(name));
    refusal()
        .hasMessageContainingAll(
            name.toString(), copy.toString(), "same file", Files.readSymbolicLink(name).toString());
    assertThat(name).as("nothing goes").hasBinaryContent(bytes(10, 10));
  }

  @Test
  void aLinkThatLeadsOutsideTheTiersIsRefused() throws Exception {
    write(segment0(), 10);
    fixture.stop();
    final Path outside = Files.write(fixture.root.resolve("passwd"), new byte[1]);
    final Path name = segment(fixture.partition("t-0"), 1);
    Files.createSymbolicLink(name, outside);
    refusal().hasMessageContaining(name.toString()).hasMessageContaining(outside.toString());
  }

  @Test
  void aTierByAnotherPathIsNotToldToLoseItsLinks() throws Exception {
    for (int i = 0; i < 5; i++) {
      write(segment(fixture.partition("t-" + i), 0), 10);
    }
    fixture.stop();
    final Path other = Files.createSymbolicLink(fixture.root.resolve("other"), fixture.tier);
    fixture.with("headpond.tier.pmem.paths", other.toString());
    refusal()
        .hasMessageContainingAll(
            "HP0111", "and 3 more lead outside", "is there by another path now")
        .hasMessageNotContaining("remove");
    fixture.with("headpond.tier.pmem.paths", fixture.tier.toString());
    assertThat(segment(fixture.partition("t-4"), 0)).hasSize(10);
    fixture.store().claim();
  }

  @Test
  void aLinkIntoTheTierButOutsideItsSegmentsIsRefused() throws Exception {
    write(segment0(), 10);
    fixture.stop();
    final Path name = segment(fixture.partition("t-0"), 1);
    Files.createSymbolicLink(name, fixture.tier.resolve(".headpond"));
    refusal().hasMessageContaining(name.toString());
    Files.delete(name);
    Files.createSymbolicLink(name, fixture.tier.resolve("segments/../.headpond"));
    refusal().hasMessageContaining(name.toString());
  }

  @Test
  void aTierTakenOutOfTheConfigurationWhileLinksLeadThereIsRefused() throws Exception {
    final Path other = Files.createTempDirectory(fixture.tier.getParent(), "headpond-other");
    try {
      final Path name = write(segment0(), 10);
      fixture.stop();
      fixture.with("headpond.tier.pmem.paths", other.toString());
      refusal().hasMessageContaining(name.toString()).hasMessageContaining("headpond drain");
      fixture.properties.keySet().removeIf(key -> key.toString().startsWith("headpond.tier"));
      refusal().hasMessageContaining(name.toString());
      assertThat(other.resolve("segments")).doesNotExist();
    } finally {
      StoreFixture.remove(other);
    }
  }

  @Test
  void aTierThatIsNotThereIsRefusedWithItsNameAndItsPath() throws Exception {
    write(segment0(), 10);
    fixture.stop();
    final Path away = fixture.tier.resolveSibling(fixture.tier.getFileName() + ".away");
    Files.move(fixture.tier, away);
    try {
      assertThatThrownBy(() -> fixture.store().claim())
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("tier pmem")
          .hasMessageContainingAll(fixture.tier.toString(), "HP0102", fixture.home + " knows it");
      assertThat(fixture.tier).doesNotExist();
    } finally {
      Files.move(away, fixture.tier);
    }
    fixture.stop();
    assertThat(fixture.store().owner()).isTrue();
  }

  @Test
  void tiersThatWereSwappedAreRefused() throws Exception {
    final Path other = Files.createTempDirectory(fixture.tier.getParent(), "headpond-other");
    try {
      fixture.with("headpond.tier.pmem.paths", fixture.tier + "," + other);
      write(segment0(), 10);
      fixture.stop();
      final Path third = other.resolveSibling(other.getFileName() + ".third");
      Files.move(fixture.tier, third);
      Files.move(other, fixture.tier);
      Files.move(third, other);
      refusal()
          .hasMessageContaining("tier pmem")
          .hasMessageContaining(fixture.tier.toString())
          .hasMessageContaining("another tier directory");
    } finally {
      StoreFixture.remove(other);
    }
  }

  @Test
  void aDirectoryWithSomebodyElsesFilesIsRefusedAsATier() throws Exception {
    Files.write(fixture.tier.resolve("thesis.tex"), new byte[1]);
    refusal().hasMessageContaining("thesis.tex").hasMessageContaining("directory of its own");
  }

  @Test
  void aSecondTierDirectoryWithTheSameIdentityIsRefused() throws Exception {
    fixture.store();
    fixture.stop();
    final Path copy = Files.createDirectory(fixture.root.resolve("copy"));
    Files.copy(fixture.tier.resolve(".headpond"), copy.resolve(".headpond"));
    fixture.with("headpond.tier.pmem.paths", fixture.tier + "," + copy);
    refusal().hasMessageContaining(copy.toString()).hasMessageContaining("the same tier");
  }

  @Test
  void twoHomesShareATierAndEachKeepsItsOwn() throws Exception {
    final Path second = Files.createDirectory(fixture.root.resolve("second"));
    fixture.with("headpond.log.dirs", fixture.home + "," + second);
    final Path mine = write(segment0(), 100);
    final Path other = segment(Files.createDirectory(second.resolve("t-0")), 0);
    write(other, 200);
    assertThat(Files.readSymbolicLink(mine).getParent())
        .isNotEqualTo(Files.readSymbolicLink(other).getParent());
    fixture.stop();
    Files.delete(mine);
    fixture.store();
    assertThat(fixture.tierFiles()).containsExactly(Files.readSymbolicLink(other));
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(1);
  }

  @Test
  void linksOfWhatTheEngineIsAboutToDeleteMayDangle() throws Exception {
    final Path deleted = fixture.partition("t-0").resolve("00000000000000000000.log.deleted");
    final Path cleaned = fixture.partition("t-0").resolve("00000000000000000005.log.cleaned");
    final Path dropped = segment(fixture.partition("u-0.0123456789abcdef-delete"), 0);
    write(segment(fixture.partition("t-0"), 5), 10); // what is cleaned goes where it was
    for (final Path name : List.of(deleted, cleaned, dropped)) {
      write(name, 10);
      Files.delete(Files.readSymbolicLink(name));
    }
    fixture.restart();
    for (final Path name : List.of(deleted, cleaned, dropped)) {
      fixture.store().delete(name);
      assertThat(Files.isSymbolicLink(name)).isFalse();
    }
    fixture.stop();
    final Path swap = write(fixture.partition("t-0").resolve("00000000000000000000.log.swap"), 10);
    fixture.stop();
    Files.delete(Files.readSymbolicLink(swap));
    refusal().hasMessageContaining(swap.toString()).hasMessageContaining("headpond recover");
  }

  @Test
  void aHomeWhoseIdentityFileIsGoneIsRefusedWhileItHasLinks() throws Exception {
    final Path name = write(segment0(), 10);
    fixture.stop();
    Files.delete(fixture.home.resolve(".headpond"));
    refusal().hasMessageContaining(name.toString());
    assertThat(fixture.tierFiles()).hasSize(1);
  }

  @Test
  void aDanglingPartitionDirectoryKeepsTheSweepFromGuessing() throws Exception {
    final Path elsewhere = Files.createDirectory(fixture.root.resolve("elsewhere"));
    final Path partition = Files.createSymbolicLink(fixture.home.resolve("t-0"), elsewhere);
    write(segment(partition, 0), 1_000);
    fixture.stop();
    final Path away = Files.move(elsewhere, fixture.root.resolve("away"));
    fixture.store();
    assertThat(fixture.tierFiles()).hasSize(1);
    fixture.stop();
    Files.move(away, elsewhere);
    fixture.store();
    assertThat(Files.readAllBytes(segment(partition, 0))).isEqualTo(bytes(1_000, 1_000));
  }

  @Test
  void aRefusedStoreStaysRefusedAndOpensNothingForWriting() throws Exception {
    final Path name = write(segment0(), 10);
    fixture.stop();
    final Path file = Files.readSymbolicLink(name);
    final Path away = Files.move(file, fixture.root.resolve("away"));
    try (TieredStore store = new TieredStore(fixture.config())) {
      assertThatThrownBy(() -> store.open(name, CREATE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString());
      assertThat(file).as("not made anew through the link").doesNotExist();
      Files.move(away, file);
      assertThatThrownBy(store::claim).isInstanceOf(StoreRefusedException.class);
    }
    assertThat(fixture.store().owner()).as("a new start sees that it is mended").isTrue();
  }

  @Test
  void aRefusedStartLetsGoOfItsLocks() throws Exception {
    final Path name = write(segment0(), 10);
    fixture.stop();
    final Path away = Files.move(Files.readSymbolicLink(name), fixture.root.resolve("away"));
    refusal();
    Files.move(away, Files.readSymbolicLink(name));
    assertThat(fixture.store().owner()).isTrue();
  }

  @Test
  void topicsThatStayHomeAreNotTouched() throws Exception {
    final Path metadata = segment(fixture.partition("__cluster_metadata-0"), 0);
    assertThat(fixture.store().diverts(metadata)).isFalse();
    assertThat(fixture.store().diverts(segment0())).isTrue();
  }
}
