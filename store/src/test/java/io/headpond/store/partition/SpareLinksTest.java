// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.pmem.Background;
import io.headpond.store.claim.Home;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links that are there before the segments that they will name. */
class SpareLinksTest {
  @TempDir private Path folder;
  private Path logDir;
  private Path file;
  private PartitionDirectory partition;
  private NameForces names;
  private SpareLinks links;

  @BeforeEach
  void makeDirectories() throws IOException {
    logDir = Files.createDirectory(folder.resolve("home")).toRealPath();
    file = Files.createFile(folder.resolve("t-0.next.0123456789abcdef"));
    partition = partition(Files.createDirectory(logDir.resolve("t-0")));
    final Background background = new Background((thread, failures, cause) -> {});
    names = new NameForces(new DirectoryForce(), background);
    links = new SpareLinks(names, background, "a test");
  }

  @AfterEach
  void stopThreads() {
    names.close();
  }

  private PartitionDirectory partition(final Path path) {
    return new PartitionDirectory(new Home(logDir, new UUID(0, 1)), path);
  }

  private List<Path> found() throws IOException {
    return LogDirScan.spareLinks(logDir);
  }

  private Path made() throws Exception {
    final AtomicReference<Path> made = new AtomicReference<>();
    links.begin(
        partition,
        file,
        () -> true,
        link -> {
          made.set(link);
          return true;
        });
    await("a link", () -> made.get() != null);
    return made.get();
  }

  @Test
  void aSegmentsNameIsASecondNameOfTheLink() throws Exception {
    final Path link = made();
    final Object inode = Files.getAttribute(link, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    final Path name = partition.path().resolve("00000000000000000000.log");

    assertThat(links.name(partition, name, link)).isTrue();

    assertThat(NameLook.target(name)).isEqualTo(file);
    assertThat(Files.getAttribute(name, "unix:ino", LinkOption.NOFOLLOW_LINKS)).isEqualTo(inode);
    assertThat(found()).containsExactly(link);
    links.named(partition);
    await("its first name to go", () -> found().isEmpty());
  }

  @Test
  void aNameThatCameMeanwhileIsNotReplaced() throws Exception {
    final Path link = made();
    final Path name = partition.path().resolve("00000000000000000000.log");
    Files.write(name, bytes(10, 2));

    assertThatThrownBy(() -> links.name(partition, name, link))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(10, 2));
    links.discardUsed();
    assertThat(found()).isEmpty();
  }

  @Test
  void aLinkThatIsGoneNamesNothing() throws Exception {
    final Path link = made();
    Files.delete(link);
    final Path name = partition.path().resolve("00000000000000000000.log");

    assertThat(links.name(partition, name, link)).isFalse();
    assertThat(links.name(partition, name, null)).isFalse();

    assertThat(NameLook.exists(name)).isFalse();
  }

  @Test
  void aLinkThatNobodyKeepsIsDeleted() throws Exception {
    final CountDownLatch asked = new CountDownLatch(1);
    links.begin(
        partition,
        file,
        () -> true,
        link -> {
          asked.countDown();
          return false;
        });
    asked.await();
    await("no link", () -> found().isEmpty());
  }

  @Test
  void aPartitionBehindALinkGetsNone() throws Exception {
    final Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    final Path path = Files.createSymbolicLink(logDir.resolve("t-1"), elsewhere);
    final CountDownLatch looked = new CountDownLatch(1);
    links.begin(
        partition(path),
        file,
        () -> {
          looked.countDown();
          return true;
        },
        link -> true);
    looked.await();
    names.close(); // what has begun there has ended
    assertThat(found()).isEmpty();
  }
}
