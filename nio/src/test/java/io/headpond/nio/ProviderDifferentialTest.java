// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

class ProviderDifferentialTest {
  private static final FileSystemProvider BUILT_IN = FileSystems.getDefault().provider();

  @TempDir Path folder;

  @RepeatedTest(20)
  void theSameOperationsHaveTheSameOutcomesAsOnTheBuiltInProvider() throws IOException {
    final long seed = System.nanoTime();
    final Path ourFolder = new HeadpondFileSystemProvider(BUILT_IN).getPath(folder.toUri());
    final Differential differential =
        new Differential(folder.resolve("built-in"), ourFolder.resolve("ours"), seed);
    assertThat(differential.firstDifference(3000)).isNull();
  }
}
