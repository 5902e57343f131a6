// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which log directory a path is in, and what it costs to know. */
class LogDirsTest {
  private static final int COUNT = 12;

  @TempDir Path folder;

  private final CountedPath counted = new CountedPath();
  private final List<Path> configured = new ArrayList<>();
  private LogDirs logDirs;

  @BeforeEach
  void makeLogDirectories() throws IOException {
    folder = folder.toRealPath();
    for (int i = 0; i < COUNT; i++) {
      Files.createDirectories(folder.resolve("d" + i).resolve("t-0"));
      configured.add(counted.of(folder.resolve("d" + i)));
    }
    logDirs = new LogDirs(configured);
  }

  private Path path(final String name) {
    return counted.of(folder.resolve(name));
  }

  @Test
  void aCheckpointIsFoundOutWithoutARealPath() {
    for (final String name :
        List.of("d3/t-0/leader-epoch-checkpoint.tmp", "d11/t-0/leader-epoch-checkpoint")) {
      assertThat(logDirs.entry(path(name))).as(name).isNull();
    }
    final Path entry = logDirs.entry(path("d11/recovery-point-offset-checkpoint.tmp"));
    assertThat(entry).hasToString(folder + "/d11/recovery-point-offset-checkpoint.tmp");
    assertThat(counted.taken()).isZero();
  }

  @Test
  void anotherSpellingCostsOneRealPathOnceTheLogDirsAreOwned() throws IOException {
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("d7"));
    for (final Path logDir : configured) {
      logDirs.owned(logDir);
    }
    counted.taken();
    assertThat(logDirs.entry(path("link/t-0"))).hasToString(folder + "/d7/t-0");
    assertThat(counted.taken()).isEqualTo(1);
    assertThat(logDirs.entry(path("elsewhere/a-b.log"))).isNull();
    assertThat(counted.taken()).isEqualTo(1);
  }

  @Test
  void aLogDirectoryThatIsNotOwnedMayBeLinkedAnew() throws IOException {
    final Path later = Files.createDirectory(folder.resolve("later"));
    final Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("d0"));
    final LogDirs one = new LogDirs(List.of(link));
    assertThat(one.of(later)).isNull();
    assertThat(one.of(folder.resolve("d0"))).isEqualTo(link);
    Files.delete(link);
    Files.createSymbolicLink(link, later);
    assertThat(one.of(later)).isEqualTo(link);
    assertThat(one.of(folder.resolve("d0"))).isNull();
  }
}
