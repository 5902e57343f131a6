// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A look at a directory leaves nothing in it. */
class SyncMapProbeTest {
  @TempDir Path directory;

  @Test
  void whatAKillLeftOfAProbeGoesWithTheNextOne() throws IOException {
    Path left = Files.createFile(directory.resolve(".headpond-probe-of-a-killed-process"));
    Path other = Files.createFile(directory.resolve("1.txn"));
    new SyncMapProbe().succeeds(directory);
    assertThat(left).doesNotExist();
    assertThat(directory).isDirectoryContaining(other::equals);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(other);
    }
  }
}
