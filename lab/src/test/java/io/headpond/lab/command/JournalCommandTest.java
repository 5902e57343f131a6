// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCommandTest {
  @TempDir Path root;

  @Test
  void whatCanNotBeMeasuredIsWrongUsage() {
    String folder = root.toString();
    assertThat(Run.of("run", "journal", folder, "--entry=5MiB").err()).contains("64B to 4MiB");
    assertThat(Run.of("run", "journal", folder, "--rounds=0").exitCode()).isEqualTo(2);
    assertThat(Run.of("run", "journal", folder, "--under-way=0").err()).contains("1 to 65536");
    assertThat(Run.of("run", "journal", folder, "--slice=2m").exitCode()).isEqualTo(2);
    assertThat(Run.of("run", "journal", folder, "--journal-size=4KiB").err()).contains("1MiB");
    assertThat(Run.of("run", "journal", root.resolve("nowhere").toString()).exitCode())
        .isEqualTo(1);
    assertThat(root).isEmptyDirectory();
  }
}
