// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.StoreRefusedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may enter a log directory: the engine that holds its lock, once its tiers are there. */
class ClaimedLogDirTest extends RoutedLogDir {
  /** A Kafka that is controller and broker recovers that log before it asks for the lock. */
  @ParameterizedTest
  @ValueSource(strings = {"leader-epoch-checkpoint", FIRST})
  void aRefusedStartEndsBeforeTheMetadataLogIsTouched(final String file) throws IOException {
    final Path metadata = Files.createDirectory(logDir.resolve("__cluster_metadata-0"));
    Files.delete(tier);
    assertThatThrownBy(() -> Files.createFile(metadata.resolve(file)))
        .isInstanceOf(StoreRefusedException.class);
    assertThat(ended).extracting(each -> each.words().code().code()).containsExactly("HP0102");
    assertThat(unwrapped(metadata)).isEmptyDirectory();
  }

  /** As of a broker that was started without Headpond, which holds no tier's lock. */
  @Test
  @Tag("HP0121")
  void aLogDirectoryThatAnotherProcessHoldsIsLeftAlone() throws Exception {
    final Path lock = Files.createFile(unwrapped(logDir).resolve(".lock"));
    final Process other = locking(lock);
    try {
      assertThatThrownBy(this::claim)
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContainingAll("HP0121", lock.toString());
      assertThat(router.store().owner()).isFalse();
      assertThat(unwrapped(logDir).resolve(".headpond")).doesNotExist();
      assertThat(tier).isEmptyDirectory();
    } finally {
      other.destroyForcibly().waitFor();
    }
    start(unwrapped(logDir).toString());
    claim();
    assertThat(router.store().owner()).isTrue();
  }

  /** A second Kafka, by mistake, opens it before it asks for the lock. */
  @Test
  void theMetadataLogOfAnotherProcessIsLeftAlone() throws Exception {
    final Path lock = Files.createFile(unwrapped(logDir).resolve(".lock"));
    final Path metadata = Files.createDirectory(logDir.resolve("__cluster_metadata-0"));
    final Path segment = Files.writeString(unwrapped(metadata).resolve(FIRST), "theirs");
    final Process other = locking(lock);
    try {
      assertThatThrownBy(() -> FileChannel.open(metadata.resolve(FIRST), StandardOpenOption.WRITE))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContainingAll("HP0121", lock.toString());
      assertThat(segment).hasContent("theirs");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** Another process that asks for the lock. */
  private static ProcessBuilder asking(final Path lock) {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        ChildMain.class.getName(),
        "lock",
        lock.toString());
  }

  /** Another process that has the lock. */
  private static Process locking(final Path lock) throws IOException {
    final Process other = asking(lock).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    final BufferedReader said = other.inputReader();
    while (!"locked".equals(said.readLine())) {
      assertThat(other.isAlive()).isTrue();
    }
    return other;
  }

  /** A process gives up all its locks on a file with any descriptor of it. */
  @Test
  void theEnginesLockOutlivesAnotherOpenOfItsFile() throws Exception {
    final Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    final Path lock = logDir.resolve(".lock");
    try (FileChannel engine = FileChannel.open(lock, options);
        FileLock held = engine.tryLock();
        FileChannel again = FileChannel.open(lock, options)) {
      assertThat(held.isValid()).isTrue();
      assertThatThrownBy(again::tryLock).isInstanceOf(OverlappingFileLockException.class);
      final Process other = asking(lock).start();
      try (BufferedReader said = other.inputReader()) {
        assertThat(said.lines().toList()).doesNotContain("locked");
        assertThat(other.waitFor()).isEqualTo(1);
      } finally {
        other.destroyForcibly().waitFor();
      }
    }
  }
}
