// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@link java.nio.file.Files#copy} from and onto segments. */
class CopiedSegmentsTest extends RoutedLogDir {
  @Test
  void aCopyOntoASegmentIsASegment() throws IOException {
    final Path source = Files.writeString(logDir.resolve("plain"), "new");
    final Path segment = Files.writeString(partition.resolve(FIRST), "old content");
    assertThatThrownBy(() -> Files.copy(source, segment))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.copy(source, segment, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(segment, segment, StandardCopyOption.REPLACE_EXISTING);
    assertThat(Files.readString(segment)).as("copied to itself").isEqualTo("new");
    assertThatThrownBy(
            () -> Files.copy(segment, partition.resolve(SECOND), StandardCopyOption.ATOMIC_MOVE))
        .isInstanceOf(UnsupportedOperationException.class);
    Files.setLastModifiedTime(segment, FileTime.fromMillis(1_000));
    assertThat(Files.getLastModifiedTime(unwrapped(segment)).toMillis()).isEqualTo(1_000);
    Files.copy(segment, partition.resolve(SECOND), StandardCopyOption.COPY_ATTRIBUTES);
    assertThat(Files.readString(partition.resolve(SECOND))).isEqualTo("new");
    assertThat(Files.isSymbolicLink(partition.resolve(SECOND))).isTrue();
    assertThat(Files.getLastModifiedTime(partition.resolve(SECOND)))
        .isEqualTo(Files.getLastModifiedTime(segment));
    Files.delete(segment);
    Files.delete(partition.resolve(SECOND));
    Files.delete(partition); // and with it the file that is ready for its next segment
    awaitNoTierFile();
  }

  /** Reading a process's memory at its first byte is an error, of which the size tells nothing. */
  @Test
  void aCopyThatFailsLeavesNoSegment() throws IOException {
    claim();
    final Path unreadable = logDir.getFileSystem().getPath("/proc/self/mem");
    final Path segment = partition.resolve(FIRST);
    assertThatThrownBy(() -> Files.copy(unreadable, segment)).isInstanceOf(IOException.class);
    assertThat(segment).doesNotExist();
    awaitNoTierFile();
  }

  @Test
  void aCopyOfASegmentHasItsMode() throws IOException {
    final Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    Files.setPosixFilePermissions(segment, mode);
    for (final Path copy : List.of(logDir.resolveSibling("copy"), partition.resolve(SECOND))) {
      Files.copy(segment, copy);
      assertThat(Files.getPosixFilePermissions(copy)).as("" + copy).isEqualTo(mode);
    }
    final Set<PosixFilePermission> wide = PosixFilePermissions.fromString("rw-rw-rw-");
    Files.setPosixFilePermissions(segment, wide); // which no umask lets a new file have
    final Path kept = logDir.resolveSibling("kept");
    Files.copy(segment, kept, StandardCopyOption.COPY_ATTRIBUTES);
    assertThat(Files.getPosixFilePermissions(kept)).isEqualTo(wide);
  }

  /** As the built-in copy has them; each of a plain file and of a segment to both. */
  @Test
  void aCopyWithAttributesHasThoseOfUsers() throws IOException {
    final Path plain = Files.writeString(logDir.resolve("plain"), "records");
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    for (final Path source : List.of(plain, segment)) {
      Files.setAttribute(source, "user:origin", ByteBuffer.wrap(new byte[] {1, 2, 3}));
      Files.setAttribute(source, "user:empty", ByteBuffer.allocate(0));
      final List<Path> copies = List.of(logDir.resolveSibling("copy"), partition.resolve(SECOND));
      for (final Path copy : copies) {
        Files.copy(source, copy);
        assertThat(users(copy).list()).as("without").isEmpty();
        Files.copy(
            source, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(users(copy).list()).containsExactlyInAnyOrder("origin", "empty");
        assertThat((byte[]) Files.getAttribute(copy, "user:origin")).containsExactly(1, 2, 3);
        Files.delete(copy);
      }
    }
  }

  private static UserDefinedFileAttributeView users(final Path file) {
    return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
  }

  @Test
  void anInterruptEndsNoCopyOfASegment() throws IOException {
    final Path segment = Files.writeString(partition.resolve(FIRST), "records");
    for (final Path copy : List.of(logDir.resolveSibling("copy"), partition.resolve(SECOND))) {
      Thread.currentThread().interrupt();
      Files.copy(segment, copy);
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      assertThat(Files.readString(copy)).isEqualTo("records");
    }
  }
}
