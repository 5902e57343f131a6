// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.Mover;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Executes each row of the table of what a segment can't do as a plain file does. */
class PlainFileTableTest extends RoutedLogDir {
  private static final Path PAGE = Path.of("../docs/compatibility.md");
  private static final String TITLE = "## What a segment can't do as a plain file does";
  private static final Path MEMORY = Path.of("/dev/shm");

  private Path segment;
  private Path outside;

  /** The table's rows by their first cells. */
  private enum Row {
    SYMBOLIC("`Files.isSymbolicLink`, `NOFOLLOW_LINKS`"),
    COPY("`Files.copy` with `NOFOLLOW_LINKS`"),
    LINK("`Files.createLink`"),
    MOVE("`Files.move` out of the log directory"),
    NAMED_LINK("`Files.createSymbolicLink` to another segment"),
    DELETE("`DELETE_ON_CLOSE` through a symbolic link"),
    CHANNEL("`Files.newByteChannel` without options"),
    ASYNCHRONOUS("`AsynchronousFileChannel`"),
    WATCH("`WatchService`"),
    SECURE("`SecureDirectoryStream`"),
    OTHERS("`java.io.File`, `RandomAccessFile`, other processes");

    private final String use;

    Row(final String use) {
      this.use = use;
    }
  }

  static List<String> rows() throws IOException {
    try (Stream<String> lines = Files.lines(PAGE)) {
      return lines
          .dropWhile(line -> !line.equals(TITLE))
          .filter(line -> line.startsWith("| ") && !line.startsWith("| use |"))
          .map(line -> line.substring(2, line.indexOf(" | ")))
          .toList();
    }
  }

  @BeforeEach
  void aSegment() throws IOException {
    segment = Files.writeString(partition.resolve(FIRST), "records");
    outside = logDir.resolveSibling("outside");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowOfThePageIsExecuted(final String use) {
    assertThat(Stream.of(Row.values()).map(row -> row.use)).contains(use);
  }

  @ParameterizedTest
  @EnumSource
  void aSegmentDiffersAsThePageSays(final Row row) throws Exception {
    assertThat(rows()).contains(row.use);
    switch (row) {
      case SYMBOLIC -> {
        assertThat(Files.isSymbolicLink(segment)).isTrue();
        assertThat(Files.getAttribute(segment, "size", LinkOption.NOFOLLOW_LINKS)).isNotEqualTo(7L);
      }
      case COPY -> {
        Files.copy(segment, outside, LinkOption.NOFOLLOW_LINKS);
        assertThat(Files.isRegularFile(outside, LinkOption.NOFOLLOW_LINKS)).isTrue();
      }
      case LINK -> link();
      case MOVE -> {
        assertThatThrownBy(() -> Files.move(segment, outside))
            .isInstanceOf(FileSystemException.class);
        assertThat(Files.readString(segment)).isEqualTo("records");
      }
      case NAMED_LINK -> {
        final Path link = Files.createSymbolicLink(partition.resolve(SECOND), segment);
        assertThatThrownBy(() -> Files.readString(link)).isInstanceOf(IOException.class);
        assertThat(Files.readString(Files.createSymbolicLink(outside, segment)))
            .isEqualTo("records");
      }
      case DELETE -> {
        final Path link = Files.createSymbolicLink(outside, segment);
        assertThatThrownBy(() -> Files.newByteChannel(link, StandardOpenOption.DELETE_ON_CLOSE))
            .isInstanceOf(UnsupportedOperationException.class);
        assertThat(Files.readString(segment)).isEqualTo("records");
      }
      case CHANNEL -> interrupted();
      case ASYNCHRONOUS -> asynchronous();
      case WATCH -> watched();
      case SECURE -> secure();
      case OTHERS -> {
        try (FileChannel growing = FileChannel.open(segment, StandardOpenOption.APPEND)) {
          growing.write(ByteBuffer.allocate(1));
          assertThat(unwrapped(segment).toFile().length()).isGreaterThan(8);
        }
      }
    }
  }

  private void link() throws IOException {
    final Path elsewhere = logDir.getFileSystem().getPath(MEMORY.resolve("headpond-no").toString());
    assertThatThrownBy(() -> Files.createLink(elsewhere, segment))
        .isInstanceOf(FileSystemException.class);
    Files.createLink(outside, segment);
    assertThat(Mover.move(router.store(), unwrapped(segment), true)).isTrue();
    Files.writeString(segment, "later", StandardOpenOption.APPEND);
    assertThat(Files.readString(outside)).isEqualTo("records");
  }

  private void interrupted() throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(segment)) {
      Thread.currentThread().interrupt();
      assertThat(channel.size()).isEqualTo(7);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private void asynchronous() throws IOException {
    assertThatThrownBy(() -> AsynchronousFileChannel.open(segment, StandardOpenOption.WRITE))
        .isInstanceOf(UnsupportedOperationException.class);
    try (FileChannel growing = FileChannel.open(segment, StandardOpenOption.APPEND)) {
      growing.write(ByteBuffer.allocate(1));
      assertThatThrownBy(() -> AsynchronousFileChannel.open(segment))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  private void watched() throws Exception {
    try (WatchService service = logDir.getFileSystem().newWatchService();
        FileChannel channel = FileChannel.open(segment, StandardOpenOption.APPEND)) {
      partition.register(service, ENTRY_MODIFY, ENTRY_CREATE);
      channel.write(ByteBuffer.allocate(1));
      Files.createFile(partition.resolve("last"));
      final WatchKey key = service.poll(30, TimeUnit.SECONDS);
      assertThat(key.pollEvents())
          .extracting(event -> event.kind().name())
          .containsOnly("ENTRY_CREATE");
    }
  }

  private void secure() throws IOException {
    try (SecureDirectoryStream<Path> stream =
        (SecureDirectoryStream<Path>) Files.newDirectoryStream(partition)) {
      final Path absent = logDir.getFileSystem().getPath(SECOND);
      assertThatThrownBy(() -> stream.deleteFile(absent))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessage(partition.resolve(absent).toString());
    }
  }
}
