// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headpond.store.Mover;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Segments through symbolic links elsewhere, and hard links to segments. */
class LinkedSegmentsTest extends RoutedLogDir {
  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
  private static final byte[] WORLD = "world".getBytes(StandardCharsets.UTF_8);

  private FileChannel growing(final Path segment) throws IOException {
    final FileChannel channel =
        FileChannel.open(segment, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    channel.write(ByteBuffer.wrap(HELLO));
    assertThat(Files.size(unwrapped(segment))).as("grown ahead").isGreaterThan(5);
    return channel;
  }

  /** Each spelled another way: by a link to it, to its directory, to a link, relative. */
  private List<Path> links(final Path segment) throws IOException {
    final Path elsewhere = Files.createDirectory(logDir.resolveSibling("elsewhere"));
    final Path link = Files.createSymbolicLink(elsewhere.resolve("link"), segment);
    final Path directory = Files.createSymbolicLink(elsewhere.resolve("t"), segment.getParent());
    return List.of(
        link,
        Files.createSymbolicLink(elsewhere.resolve("chain"), link.getFileName()),
        Files.createSymbolicLink(elsewhere.resolve(SECOND), elsewhere.relativize(segment)),
        Files.createSymbolicLink(
            elsewhere.resolve("through"), directory.getFileName().resolve(segment.getFileName())),
        Files.createSymbolicLink(segment.resolveSibling("beside"), segment.getFileName()));
  }

  @Test
  void anAppendThroughALinkIsInTheSegment() throws IOException {
    final Path segment = partition.resolve(FIRST);
    try (FileChannel channel = growing(segment)) {
      for (final Path link : links(segment)) {
        channel.truncate(5);
        assertThat(Files.size(link)).as("" + link).isEqualTo(5);
        Files.write(link, WORLD, StandardOpenOption.APPEND);
        assertThat(Files.size(link)).as("" + link).isEqualTo(10);
        assertThat(channel.size()).as("" + link).isEqualTo(10);
        assertThat(Files.readString(segment)).as("" + link).isEqualTo("helloworld");
        assertThat(Files.isSymbolicLink(link)).as("" + link).isTrue();
      }
    }
  }

  @Test
  void aSegmentThatIsAppendedToEndsAtItsLogicalEndForALink() throws IOException {
    final Path segment = partition.resolve(FIRST);
    try (FileChannel channel = growing(segment)) {
      assertThat(channel.size()).isEqualTo(5);
      for (final Path link : links(segment)) {
        assertThat(Files.readString(link)).as("" + link).isEqualTo("hello");
        assertThat(Files.getAttribute(link, "size")).as("" + link).isEqualTo(5L);
        assertThat(Files.readAttributes(link, BasicFileAttributes.class).size()).isEqualTo(5);
        final BasicFileAttributeView view =
            Files.getFileAttributeView(link, BasicFileAttributeView.class);
        assertThat(view.readAttributes().size()).as("" + link).isEqualTo(5);
        assertThat(
                Files.copy(
                    link, logDir.resolveSibling("copy"), StandardCopyOption.REPLACE_EXISTING))
            .hasBinaryContent(HELLO);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(link.getParent())) {
          final SecureDirectoryStream<Path> secure = (SecureDirectoryStream<Path>) stream;
          try (var in = secure.newByteChannel(link.getFileName(), Set.of())) {
            assertThat(in.size()).as("" + link).isEqualTo(5);
          }
          assertThat(
                  secure
                      .getFileAttributeView(link.getFileName(), BasicFileAttributeView.class)
                      .readAttributes()
                      .size())
              .as("" + link)
              .isEqualTo(5);
        }
        assertThatThrownBy(() -> AsynchronousFileChannel.open(link))
            .isInstanceOf(UnsupportedOperationException.class);
      }
    }
  }

  @Test
  void theRealPathOfALinkIsTheSegments() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "hello");
    for (final Path link : links(segment)) {
      assertThat(link.toRealPath()).isEqualTo(partition.toRealPath().resolve(FIRST));
      assertThat(link.toRealPath(LinkOption.NOFOLLOW_LINKS).getFileName())
          .isEqualTo(link.getFileName());
    }
    assertThat(segment.toRealPath()).isEqualTo(partition.toRealPath().resolve(FIRST));
    assertThatThrownBy(() -> partition.resolve(SECOND).toRealPath())
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void theTimesOfALinkAreTheSegments() throws IOException {
    final FileTime time = FileTime.fromMillis(1_600_000_000_000L);
    final Path segment = partition.resolve(FIRST);
    try (FileChannel channel = growing(segment)) {
      for (final Path link : links(segment)) {
        channel.write(ByteBuffer.wrap(HELLO));
        Files.setLastModifiedTime(link, time);
        assertThat(Files.getLastModifiedTime(segment)).as("" + link).isEqualTo(time);
      }
    }
    assertThat(Files.getLastModifiedTime(unwrapped(segment))).isEqualTo(time);
  }

  @Test
  void aWriteThroughADanglingLinkMakesTheSegment() throws IOException {
    claim();
    final Path segment = partition.resolve(FIRST);
    final Path link = Files.createSymbolicLink(logDir.resolveSibling("link"), segment);
    assertThatThrownBy(() -> Files.readString(link))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(link.toString());
    assertThatThrownBy(() -> Files.size(link)).hasMessage(link.toString());
    assertThatThrownBy(() -> Files.writeString(link, "x", StandardOpenOption.CREATE_NEW))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(link.toString());
    Files.writeString(link, "records");
    assertThat(Files.readString(segment)).isEqualTo("records");
    assertThat(tierFiles()).hasSize(1);
  }

  @Test
  void whatConcernsALinkItselfLeavesTheSegment() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    final Path link = Files.createSymbolicLink(logDir.resolveSibling("link"), segment);
    assertThat(Files.size(link)).isEqualTo(7);
    assertThat(Files.readAttributes(link, "size", LinkOption.NOFOLLOW_LINKS))
        .containsEntry("size", (long) segment.toString().getBytes(StandardCharsets.UTF_8).length);
    final Path copy = logDir.resolveSibling("copy");
    Files.copy(link, copy, LinkOption.NOFOLLOW_LINKS);
    assertThat(Files.readSymbolicLink(copy)).isEqualTo(segment);
    Files.move(link, copy, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(copy);
    assertThat(Files.readString(segment)).isEqualTo("records");
  }

  @Test
  void linksThatLeadInARingAreRefusedAsElsewhere() throws IOException {
    claim();
    final Path ring = logDir.resolveSibling("ring");
    Files.createSymbolicLink(ring, ring);
    assertThatThrownBy(() -> Files.writeString(ring, "x"))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(ring.toString());
    assertThatThrownBy(() -> Files.size(ring)).isInstanceOf(FileSystemException.class);
  }

  @Test
  void aHardLinkHasTheBytesOfADeletedSegment() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    final Path link = Files.createLink(logDir.resolveSibling("link"), segment);
    assertThat(Files.isSameFile(link, segment)).isTrue();
    Files.delete(segment);
    awaitNoTierFile();
    assertThat(Files.readString(link)).isEqualTo("records");
    assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void aHardLinkHasTheBytesOfASegmentThatMoved() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    final Path link = Files.createLink(logDir.resolveSibling("link"), segment);
    assertThat(Mover.move(router.store(), unwrapped(segment), true)).isTrue();
    awaitNoTierFile();
    assertThat(Files.readString(link)).isEqualTo("records");
    final Path second = Files.createLink(logDir.resolveSibling("second"), segment);
    assertThat(Mover.move(router.store(), unwrapped(segment), false)).isTrue();
    assertThat(Files.readString(second)).isEqualTo("records");
  }

  @Test
  void aHardLinkToASegmentThatIsAppendedToEndsWhereTheSegmentEnds() throws IOException {
    final Path segment = partition.resolve(FIRST);
    try (FileChannel channel = growing(segment)) {
      final Path link = Files.createLink(logDir.resolveSibling("link"), segment);
      assertThat(Files.readString(link)).isEqualTo("hello");
      channel.write(ByteBuffer.wrap(WORLD));
      assertThat(Files.readString(link)).startsWith("helloworld");
    }
    assertThat(Files.readString(logDir.resolveSibling("link"))).isEqualTo("helloworld");
  }

  @Test
  void aHardLinkIsRefusedWhereOneToAPlainFileIs() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    final Path plain = Files.writeString(logDir.resolve("plain"), "records");
    for (final String refused : List.of("/dev/shm/headpond-link", plain.toString(), "/none/link")) {
      final Path link = logDir.getFileSystem().getPath(refused);
      final FileSystemException expected =
          catchThrowableOfType(FileSystemException.class, () -> Files.createLink(link, plain));
      assertThatThrownBy(() -> Files.createLink(link, segment))
          .isInstanceOf(expected.getClass())
          .hasMessage(expected.getMessage().replace("-> " + plain, "-> " + segment));
    }
  }
}
