// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.config.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DivertedSegmentsTest extends RoutedLogDir {
  @Test
  void aSegmentLiesInTheTierBehindALink() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    assertThat(Files.readSymbolicLink(segment)).asString().startsWith(tier.toString());
    assertThat(Files.readString(unwrapped(segment))).isEqualTo("records");
    assertThat(Files.readString(segment)).isEqualTo("records");
    assertThat(Files.readAllLines(segment)).containsExactly("records");
  }

  /** As the built-in provider does, which takes its options one after the other. */
  @Test
  void aStreamIsOpenedByAnOptionThatComesTwice() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    for (final Path file :
        List.of(segment, Files.writeString(logDir.resolve("plain"), "records"))) {
      try (InputStream in =
          Files.newInputStream(file, StandardOpenOption.READ, StandardOpenOption.READ)) {
        assertThat(in.readAllBytes()).hasSize(7);
      }
    }
  }

  @Test
  void otherNamesStayPlainFilesAtHome() throws IOException {
    claim();
    for (final String name :
        List.of("00000000000000000000.index", "0000000000000000000.log", FIRST + "x", "x.log")) {
      assertThat(Files.writeString(partition.resolve(name), "x")).isRegularFile();
      assertThat(Files.isSymbolicLink(partition.resolve(name))).as(name).isFalse();
    }
    assertThat(tierFiles()).isEmpty();
  }

  /** With preallocate=true Kafka makes a segment by a RandomAccessFile, then writes a snapshot. */
  @Test
  void aSegmentEndsWhereItsLogGoesOnAroundUs() throws IOException {
    claim();
    final Path first = partition.resolve(FIRST);
    try (FileChannel channel =
        FileChannel.open(first, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[1_000]));
      assertThat(Files.size(unwrapped(first))).as("grown ahead").isGreaterThan(1_000);
      Files.write(unwrapped(partition.resolve(SECOND)), new byte[4_096]);
      Files.write(partition.resolve(SECOND.replace(".log", ".snapshot")), new byte[10]);
      assertThat(Files.size(unwrapped(first))).isEqualTo(1_000);
    }
  }

  @Test
  void aTopicThatStaysHomeIsNotDiverted() throws IOException {
    final Path metadata = Files.createDirectory(logDir.resolve("__cluster_metadata-0"));
    Files.writeString(metadata.resolve(FIRST), "x");
    assertThat(Files.isSymbolicLink(metadata.resolve(FIRST))).isFalse();
    assertThat(router.store().owner()).isFalse();
  }

  @Test
  void segmentsInOtherLogDirectoriesAreSaidOnce() throws IOException {
    final Path other = logDir.resolveSibling("other");
    assertThat(saidBy(other.resolve("__cluster_metadata-0"))).doesNotContain("HP0603");
    assertThat(saidBy(other.resolve("t-0")))
        .contains("HP0603 " + other.resolve("t-0").resolve(FIRST), "test", "log dir");
    assertThat(saidBy(other.resolve("t-1"))).as("said already").doesNotContain("HP0603");
  }

  @Test
  void aLogDirectoryBesideThoseThatAreOwnedIsNotSaid() throws IOException {
    claim();
    assertThat(saidBy(logDir.resolveSibling("other").resolve("t-0"))).doesNotContain("HP0603");
  }

  @Test
  void aSegmentAtHomeThatWeMadeIsNotSaidToBeWrittenAround() throws Exception {
    start(folder.resolve("log dir ü").toString(), "1B");
    claim();
    final Path segment = Files.writeString(partition.resolve(FIRST), "at home");
    assertThat(segment).isRegularFile();
    Files.setLastModifiedTime(segment, FileTime.fromMillis(Long.MAX_VALUE >> 20));
    assertThat(saidBy(partition)).doesNotContain("HP0602");
  }

  private static String saidBy(final Path... partitions) throws IOException {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      for (final Path each : partitions) {
        final Path name = Files.createDirectories(each).resolve(FIRST);
        FileChannel.open(name, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
      }
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aRelativeOrLinkedSpellingOfTheLogDirectoryIsFound() throws IOException {
    final Path link = Files.createSymbolicLink(logDir.resolveSibling("link"), logDir);
    final Path workingDirectory = logDir.getFileSystem().getPath("").toAbsolutePath();
    final List<Path> spellings =
        List.of(
            link.resolve("t-0"),
            workingDirectory.relativize(partition),
            logDir.resolve("t-0/../t-0/."),
            logDir.resolve("./t-0/"));
    for (int i = 0; i < spellings.size(); i++) {
      final String name = FIRST.replace("00.log", "0" + i + ".log");
      Files.writeString(spellings.get(i).resolve(name), "x");
      assertThat(Files.isSymbolicLink(partition.resolve(name))).as("" + spellings.get(i)).isTrue();
    }
  }

  @Test
  void aLogDirectoryThatIsALinkIsFoundByItsTarget() throws IOException, ConfigException {
    Files.createSymbolicLink(folder.resolve("configured"), folder.resolve("log dir ü"));
    start(folder.resolve("configured") + "/");
    Files.writeString(partition.resolve(FIRST), "x");
    assertThat(Files.isSymbolicLink(partition.resolve(FIRST))).isTrue();
  }

  @Test
  void aLogDirectoryMayBeMadeAfterTheStart() throws IOException, ConfigException {
    start(folder.resolve("later") + "," + folder.resolve("log dir ü"));
    final Path later = logDir.resolveSibling("later");
    Files.writeString(partition.resolve(FIRST), "x");
    Files.createDirectories(later.resolve("t-1"));
    Files.writeString(later.resolve("t-1").resolve(FIRST), "y");
    assertThat(Files.isSymbolicLink(later.resolve("t-1").resolve(FIRST))).isTrue();
  }

  @Test
  void onlyAnOpenForWritingClaimsTheStore() throws IOException {
    Files.writeString(unwrapped(partition).resolve(FIRST), "vanilla");
    Files.createFile(logDir.resolve("other.lock"));
    Files.createFile(unwrapped(logDir).resolve(".lock"));
    assertThat(Files.readString(partition.resolve(FIRST))).isEqualTo("vanilla");
    assertThat(Files.readString(logDir.resolve(".lock"))).isEmpty();
    assertThat(Files.size(partition.resolve(FIRST))).isEqualTo(7);
    assertThat(router.store().owner()).isFalse();
    claim();
    assertThat(router.store().owner()).isTrue();
  }

  @Test
  void theSizeOfAnActiveSegmentIsItsLogicalEnd() throws IOException {
    final Path segment = partition.resolve(FIRST);
    try (FileChannel channel =
        FileChannel.open(segment, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[100]));
      assertThat(Files.size(unwrapped(segment))).isGreaterThan(100);
      assertThat(Files.size(segment)).isEqualTo(100);
      assertThat(Files.readAttributes(segment, PosixFileAttributes.class).size()).isEqualTo(100);
      assertThat(Files.readAttributes(segment, "unix:*").get("size")).isEqualTo(100L);
      assertThat(Files.getFileAttributeView(segment, BasicFileAttributeView.class).readAttributes())
          .satisfies(attributes -> assertThat(attributes.size()).isEqualTo(100));
      assertThat(Files.getFileAttributeView(segment, PosixFileAttributeView.class).readAttributes())
          .satisfies(attributes -> assertThat(attributes.size()).isEqualTo(100));
      assertThat(Files.readAllBytes(segment)).hasSize(100);
      try (InputStream in = Files.newInputStream(segment)) {
        assertThat(in.readAllBytes()).hasSize(100);
      }
      assertThat(Files.getAttribute(segment, "size", LinkOption.NOFOLLOW_LINKS)).isNotEqualTo(100L);
      Files.copy(segment, folder.resolve("copy"));
      Files.copy(segment, logDir.resolve("copy"));
      assertThat(folder.resolve("copy")).hasSize(100);
      assertThat(unwrapped(logDir).resolve("copy")).hasSize(100);
    }
    assertThat(Files.size(unwrapped(segment))).isEqualTo(100);
  }

  /** As Kafka's cleaner does, which gives its output the time of the last of its sources. */
  @Test
  void aCompactedSegmentKeepsTheTimeThatItWasGiven() throws IOException {
    final FileTime time = FileTime.fromMillis(1_600_000_000_000L);
    final Path cleaned = partition.resolve(FIRST + ".cleaned");
    Files.writeString(partition.resolve(FIRST), "sources");
    try (FileChannel channel =
        FileChannel.open(cleaned, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[100]));
      channel.force(true);
      Files.setLastModifiedTime(cleaned, time);
      final Path swap = partition.resolve(FIRST + ".swap");
      Files.move(cleaned, swap, StandardCopyOption.ATOMIC_MOVE);
      Files.move(swap, partition.resolve(FIRST), StandardCopyOption.ATOMIC_MOVE);
      assertThat(Files.getLastModifiedTime(partition.resolve(FIRST))).isEqualTo(time);
      Files.setAttribute(partition.resolve(FIRST), "unix:lastModifiedTime", time);
    }
    assertThat(unwrapped(partition.resolve(FIRST))).hasSize(100);
    assertThat(Files.getLastModifiedTime(unwrapped(partition.resolve(FIRST)))).isEqualTo(time);
  }

  @Test
  void aRenamedAndDeletedSegmentLeavesNothingInTheTier() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "x");
    final Path deleted = partition.resolve(FIRST + ".deleted");
    Files.move(segment, deleted, StandardCopyOption.ATOMIC_MOVE);
    assertThat(tierFiles()).hasSize(1);
    assertThat(Files.deleteIfExists(deleted)).isTrue();
    assertThat(Files.deleteIfExists(deleted)).isFalse();
    assertThatThrownBy(() -> Files.delete(deleted)).isInstanceOf(NoSuchFileException.class);
    awaitNoTierFile();
  }

  @Test
  void aRenamedPartitionDirectoryKeepsItsOpenSegments() throws IOException {
    final Path renamed = logDir.resolve("t-0.0123-delete");
    try (FileChannel channel =
        FileChannel.open(
            partition.resolve(FIRST), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[10]));
      Files.move(partition, renamed, StandardCopyOption.ATOMIC_MOVE);
      channel.write(ByteBuffer.wrap(new byte[10]));
      assertThat(Files.size(renamed.resolve(FIRST))).isEqualTo(20);
    }
    Files.delete(renamed.resolve(FIRST));
    Files.delete(renamed);
    awaitNoTierFile();
  }

  @Test
  void aSecureDirectoryStreamIsRoutedToo() throws IOException {
    Files.writeString(partition.resolve(FIRST), "x");
    final Path name = logDir.getFileSystem().getPath(FIRST);
    final Path second = logDir.getFileSystem().getPath(SECOND);
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(partition)) {
      final SecureDirectoryStream<Path> secure = (SecureDirectoryStream<Path>) stream;
      secure.move(name, secure, second);
      try (SeekableByteChannel channel =
          secure.newByteChannel(second, Set.of(StandardOpenOption.WRITE))) {
        channel.write(ByteBuffer.wrap(new byte[5]));
        assertThat(Files.size(partition.resolve(SECOND))).isEqualTo(5);
        final BasicFileAttributeView view =
            secure.getFileAttributeView(second, BasicFileAttributeView.class);
        assertThat(view.readAttributes().size()).isEqualTo(5);
      }
      secure.deleteFile(second);
    }
    awaitNoTierFile();
  }

  @Test
  void aSecureStreamsSubdirectoryIsRoutedToo() throws IOException {
    final Path name = logDir.getFileSystem().getPath(FIRST);
    final Path other = Files.createDirectory(logDir.resolve("t-1"));
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(logDir);
        SecureDirectoryStream<Path> from =
            ((SecureDirectoryStream<Path>) stream).newDirectoryStream(partition.getFileName());
        SecureDirectoryStream<Path> to =
            ((SecureDirectoryStream<Path>) stream).newDirectoryStream(other.getFileName())) {
      from.newByteChannel(name, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))
          .close();
      assertThat(Files.isSymbolicLink(partition.resolve(FIRST))).isTrue();
      from.move(name, to, name);
      assertThat(Files.isSymbolicLink(other.resolve(FIRST))).isTrue();
      to.deleteFile(name);
      ((SecureDirectoryStream<Path>) stream).deleteDirectory(partition.getFileName());
      ((SecureDirectoryStream<Path>) stream).deleteDirectory(other.getFileName());
    }
    awaitNoTierFile();
  }

  @Test
  void anAsynchronousWriteIsRefusedAndAReadIsNot() throws IOException {
    for (final Path path : List.of(partition.resolve(FIRST), logDir.resolve(".lock"))) {
      assertThatThrownBy(
              () ->
                  AsynchronousFileChannel.open(
                      path, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(path.toString());
    }
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(segment)) {
      assertThat(channel.size()).isEqualTo(7);
    }
  }

  /** It would show the zeros behind the segment's end. */
  @Test
  void noAsynchronousChannelIsOpenedOnAGrowingSegment() throws IOException {
    final Path segment = partition.resolve(FIRST);
    try (FileChannel channel =
        FileChannel.open(segment, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[100]));
      assertThatThrownBy(() -> AsynchronousFileChannel.open(segment))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(segment.toString());
    }
    try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(segment)) {
      assertThat(channel.size()).isEqualTo(100);
    }
  }
}
