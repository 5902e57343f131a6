// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A secure directory stream whose directory was renamed, while another took its name. */
class SecureStreamTest extends RoutedLogDir {
  private Path name;
  private Path renamed;
  private SecureDirectoryStream<Path> stream;
  private BasicFileAttributeView view;

  @BeforeEach
  void anotherDirectoryTakesTheName() throws IOException {
    name = logDir.getFileSystem().getPath(FIRST);
    Files.writeString(partition.resolve(FIRST), "old");
    stream = (SecureDirectoryStream<Path>) Files.newDirectoryStream(partition);
    view = stream.getFileAttributeView(name, BasicFileAttributeView.class);
    renamed = Files.move(partition, logDir.resolve("t-0.0123-delete"));
    Files.createDirectory(partition);
    Files.writeString(partition.resolve(FIRST), "taken");
  }

  @AfterEach
  void close() throws IOException {
    stream.close();
    assertThat(Files.readString(partition.resolve(FIRST))).isEqualTo("taken");
  }

  @Test
  void itReadsAndWritesInTheDirectoryThatWasOpened() throws IOException {
    try (SeekableByteChannel channel =
        stream.newByteChannel(name, Set.of(StandardOpenOption.APPEND))) {
      assertThat(channel.size()).isEqualTo(3);
      channel.write(ByteBuffer.allocate(4));
      assertThat(view.readAttributes().size()).isEqualTo(7);
      assertThat(
              stream
                  .getFileAttributeView(name, BasicFileAttributeView.class)
                  .readAttributes()
                  .size())
          .isEqualTo(7);
    }
    assertThat(Files.size(renamed.resolve(FIRST))).isEqualTo(7);
  }

  @Test
  void itSetsTimesInTheDirectoryThatWasOpened() throws IOException {
    final FileTime time = FileTime.fromMillis(1_000);
    view.setTimes(time, null, null);
    assertThat(Files.getLastModifiedTime(renamed.resolve(FIRST))).isEqualTo(time);
  }

  @Test
  void itRenamesInTheDirectoryThatWasOpened() throws IOException {
    stream.move(name, stream, logDir.getFileSystem().getPath(SECOND));
    assertThat(Files.readString(renamed.resolve(SECOND))).isEqualTo("old");
  }

  @Test
  void itDeletesInTheDirectoryThatWasOpened() throws IOException {
    stream.deleteFile(name);
    assertThat(renamed.resolve(FIRST)).doesNotExist();
    Files.delete(partition.resolve(FIRST));
    awaitNoTierFile();
    Files.writeString(partition.resolve(FIRST), "taken");
  }

  @Test
  void itTellsFilesFromDirectories() throws IOException {
    try (SecureDirectoryStream<Path> logs =
        (SecureDirectoryStream<Path>) Files.newDirectoryStream(logDir)) {
      final Path empty = Files.createDirectory(logDir.resolve("e-0")).getFileName();
      assertThatThrownBy(() -> logs.deleteFile(empty)).isInstanceOf(FileSystemException.class);
      assertThatThrownBy(() -> stream.deleteDirectory(name))
          .isInstanceOf(FileSystemException.class);
    }
    assertThat(Files.readString(renamed.resolve(FIRST))).isEqualTo("old");
    assertThat(logDir.resolve("e-0")).isEmptyDirectory();
  }

  @Test
  void aClosedOneDoesNothing() throws IOException {
    stream.close();
    assertThatThrownBy(() -> stream.deleteFile(name))
        .isInstanceOf(ClosedDirectoryStreamException.class);
    assertThat(Files.readString(renamed.resolve(FIRST))).isEqualTo("old");
  }
}
