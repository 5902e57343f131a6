// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine meets that starts with two log directories, one of which can't be taken over. */
class LeftOutLogDirTest {
  private static final FileSystemProvider BUILT_IN = FileSystems.getDefault().provider();
  private static final String FIRST = "00000000000000000000.log";
  private static final String CHECKPOINT = "recovery-point-offset-checkpoint";

  /** The built-in provider's paths. */
  @TempDir Path folder;

  private Router router;

  /** Our provider's. */
  private Path good;

  private Path bad;

  @BeforeEach
  void twoLogDirectoriesWithASegmentEach() throws Exception {
    for (final String name : List.of("tier", "good/t-0", "bad/u-0")) {
      Files.createDirectories(folder.resolve(name));
    }
    start("good", "bad");
    for (final Path segment : List.of(good.resolve("t-0").resolve(FIRST), segment())) {
      Files.writeString(segment, "records");
    }
    router.store().close();
    Files.createFile(folder.resolve("bad").resolve(CHECKPOINT));
    Files.writeString(folder.resolve("bad/meta.properties"), "directory.id=x");
    Files.delete(Files.readSymbolicLink(folder.resolve("bad/u-0").resolve(FIRST)));
  }

  private Path segment() {
    return bad.resolve("u-0").resolve(FIRST);
  }

  private void start(final String... logDirs) throws ConfigException {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.tier.fast.paths", folder.resolve("tier").toString());
    properties.setProperty("headpond.tier.fast.capacity", "64MiB");
    properties.setProperty(
        "log.dirs",
        String.join(",", List.of(logDirs).stream().map(n -> folder.resolve(n) + "").toList()));
    router =
        new Router(
            StoreConfig.parse(properties, "test", folder.getFileSystem()),
            folder.getFileSystem(),
            refusal -> {});
    final HeadpondFileSystemProvider provider = new HeadpondFileSystemProvider(BUILT_IN, router);
    good = provider.getPath(folder.resolve("good").toUri());
    bad = provider.getPath(folder.resolve("bad").toUri());
  }

  private static FileChannel lock(final Path logDir) throws IOException {
    return FileChannel.open(
        logDir.resolve(".lock"),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  @AfterEach
  void stop() throws IOException {
    router.store().close();
  }

  private static void assertRefused(final ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("HP0117")
        .hasMessageContaining("HP0112")
        .hasMessageContaining(FIRST);
  }

  @Test
  void theOtherLogDirectoryIsOwnedAndWorks() throws Exception {
    start("good", "bad");
    assertRefused(() -> lock(bad));
    lock(good).close();
    assertThat(Files.readString(good.resolve("t-0").resolve(FIRST))).isEqualTo("records");
    final Path next = good.resolve("t-0").resolve(FIRST.replace("0.log", "9.log"));
    Files.writeString(next, "more");
    assertThat(Files.isSymbolicLink(next)).isTrue();
    Files.delete(next);
    assertThat(router.store().owner()).isTrue();
  }

  @Test
  void nothingBelowTheOneLeftOutCanBeDone() throws Exception {
    start("good", "bad");
    lock(good).close();
    assertRefused(() -> lock(bad));
    assertRefused(() -> lock(bad));
    final Path other = bad.getFileSystem().getPath(folder.resolve("link").toString());
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("bad"));
    final Path outside = Files.createFile(bad.resolveSibling("outside"));
    final WatchService watches = bad.getFileSystem().newWatchService();
    for (final Path logDir : List.of(bad, other)) {
      final Path segment = logDir.resolve("u-0").resolve(FIRST);
      assertRefused(() -> Files.newByteChannel(segment));
      assertRefused(() -> FileChannel.open(segment, StandardOpenOption.WRITE));
      assertRefused(() -> Files.createFile(segment));
      assertRefused(() -> Files.createFile(segment.resolveSibling("00000000000000000000.index")));
      assertRefused(() -> Files.delete(segment));
      assertRefused(() -> Files.deleteIfExists(logDir.resolve("u-0")));
      assertRefused(() -> Files.move(logDir.resolve("u-0"), logDir.resolve("u-0.x-delete")));
      assertRefused(() -> Files.readAttributes(segment, BasicFileAttributes.class));
      assertRefused(() -> Files.newDirectoryStream(logDir));
      assertRefused(() -> Files.newInputStream(segment));
      assertRefused(() -> Files.createDirectory(logDir.resolve("u-1")));
      assertRefused(() -> Files.createSymbolicLink(logDir.resolve("x"), segment));
      assertRefused(() -> Files.createLink(logDir.resolve("x"), outside));
      assertRefused(() -> Files.createLink(outside.resolveSibling("x"), segment));
      assertRefused(() -> Files.move(outside, logDir.resolve("x")));
      assertRefused(() -> Files.move(logDir.resolve(CHECKPOINT), outside.resolveSibling("x")));
      assertRefused(() -> Files.copy(outside, logDir.resolve("x")));
      assertRefused(() -> Files.copy(logDir.resolve(CHECKPOINT), outside.resolveSibling("x")));
      assertRefused(() -> Files.readSymbolicLink(segment));
      assertRefused(() -> Files.isSameFile(segment, outside));
      assertRefused(() -> Files.isHidden(segment));
      assertRefused(() -> Files.getFileStore(segment));
      assertRefused(() -> Files.setAttribute(segment, "lastModifiedTime", FileTime.fromMillis(0)));
      assertRefused(() -> segment.toRealPath());
      assertRefused(() -> AsynchronousFileChannel.open(segment));
      assertRefused(() -> logDir.register(watches, StandardWatchEventKinds.ENTRY_CREATE));
      assertRefused(() -> FileChannel.open(logDir.resolve("u-0"), StandardOpenOption.READ));
    }
    watches.close();
    assertThat(folder.resolve("bad/u-0").resolve(FIRST)).isSymbolicLink();
  }

  @Test
  void kafkaFindsThereWhatItNeedsToGoOnWithTheOthers() throws Exception {
    start("good", "bad");
    assertRefused(() -> lock(bad));
    assertThatThrownBy(() -> Files.createFile(bad.resolve(CHECKPOINT)))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.createFile(bad.resolve("log-start-offset-checkpoint"));
    assertThat(Files.readString(bad.resolve("meta.properties"))).isEqualTo("directory.id=x");
    assertRefused(() -> Files.writeString(bad.resolve(CHECKPOINT), "0"));
    assertRefused(() -> FileChannel.open(bad.resolve(CHECKPOINT), StandardOpenOption.WRITE));
    assertRefused(() -> Files.delete(bad.resolve(CHECKPOINT)));
  }

  /** Kafka ends without it, with a stack trace, though others can be used. */
  @Test
  void theOneOfTheMetadataLogEndsTheStart() throws Exception {
    start("good", "bad");
    final Path metadata = Files.createDirectory(bad.resolve("__cluster_metadata-0"));
    assertThatThrownBy(() -> Files.createFile(metadata.resolve("leader-epoch-checkpoint")))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageStartingWith("HP0112");
    assertThat(folder.resolve("bad/__cluster_metadata-0")).isEmptyDirectory();
  }

  @Test
  void theOnlyLogDirectoryEndsTheStart() throws Exception {
    start("bad");
    assertThatThrownBy(() -> lock(bad))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageStartingWith("HP0112");
  }

  @Test
  void theLastOneThatIsLeftEndsTheStart() throws Exception {
    Files.delete(Files.readSymbolicLink(folder.resolve("good/t-0").resolve(FIRST)));
    start("good", "bad");
    assertRefused(() -> lock(good));
    assertThatThrownBy(() -> lock(bad))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageStartingWith("HP0112");
  }
}
