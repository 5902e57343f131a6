// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchStoreTest {

  @TempDir Path fast;

  @Test
  void withoutAHomeNothingIsLeftOnTheFastDevice() {
    MigrationBench.Options options =
        new MigrationBench.Options(
            fast, fast.resolve("gone"), Set.of(), 1 << 20, 1 << 20, 1, System.err);

    assertThatThrownBy(() -> new BenchStore(options, 1 << 20))
        .isInstanceOf(NoSuchFileException.class);

    assertThat(fast).isEmptyDirectory();
  }
}
