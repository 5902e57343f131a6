// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.spi.FileSystemProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedLinkTest {
  @TempDir Path folder;
  private FileSystemProvider provider;
  private Path name;
  private int moves;
  private int asked;

  @BeforeEach
  void aSegmentInATier() throws IOException {
    provider = folder.getFileSystem().provider();
    name = folder.resolve("00000000000000000000.log");
    Files.createSymbolicLink(name, Files.writeString(folder.resolve("tier-0"), "records"));
  }

  /** As a migration does: a copy, the name replaced, the source dropped. */
  private void move(final boolean home) throws IOException {
    final Path source = Files.readSymbolicLink(name);
    moves++;
    final Path copy = Files.copy(source, folder.resolve("tier-" + moves));
    final Path replacement =
        home ? copy : Files.createSymbolicLink(folder.resolve("link-" + moves), copy);
    Files.move(replacement, name, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(source);
  }

  /** The size of the file that the link led to before so many moves overtook the question. */
  private long overtaken(final int times, final boolean home) throws IOException {
    return FollowedLink.ask(
        provider,
        name,
        () -> {
          asked++;
          if (asked > times) {
            return Files.size(name);
          }
          final Path followed = Files.readSymbolicLink(name);
          move(home && asked == times);
          return Files.size(followed);
        });
  }

  @Test
  void aQuestionThatAMoveOvertakesIsAskedAgain() throws IOException {
    assertThat(overtaken(1, false)).isEqualTo(7);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void aQuestionThatManyMovesOvertakeIsAskedAgain() throws IOException {
    assertThat(overtaken(5, false)).isEqualTo(7);
  }

  @Test
  void aMoveHomeOvertakesAQuestionToo() throws IOException {
    assertThat(overtaken(2, true)).isEqualTo(7);
    assertThat(Files.isSymbolicLink(name)).isFalse();
  }

  @Test
  void aLinkThatLeadsNowhereIsAskedTwiceAtMost() throws IOException {
    Files.delete(folder.resolve("tier-0"));
    assertThatThrownBy(() -> overtaken(0, false)).isInstanceOf(NoSuchFileException.class);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void aNameThatIsNotThereIsAskedOnce() throws IOException {
    Files.delete(name);
    assertThatThrownBy(() -> overtaken(0, false)).isInstanceOf(NoSuchFileException.class);
    assertThat(asked).isEqualTo(1);
  }
}
