// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessUserTest {
  @TempDir Path folder;

  @Test
  void aUserWithoutANameIsCalledByItsNumber() throws IOException {
    final Path status = folder.resolve("status");
    Files.writeString(status, "Name:\tjava\nUid:\t1000\t1001\t1001\t1001\nGid:\t7\t7\t7\t7\n");
    assertThat(ProcessUser.name("?", status.toString())).isEqualTo("uid 1001");
    assertThat(ProcessUser.owner("?", status.toString())).isEqualTo("1001");
    assertThat(ProcessUser.owner("?", "/proc/self/status"))
        .isEqualTo(Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString());
  }

  @Test
  void aUserWithANameIsCalledByIt() {
    assertThat(ProcessUser.name("kafka", "/proc/self/status")).isEqualTo("kafka");
    assertThat(ProcessUser.owner("kafka", "/proc/self/status")).isEqualTo("kafka");
  }

  @Test
  void nothingFailsWhereTheNumberCantBeRead() throws IOException {
    assertThat(ProcessUser.name("?", folder.resolve("none").toString())).isEqualTo("?");
    final Path other = Files.writeString(folder.resolve("other"), "Name:\tjava\n");
    assertThat(ProcessUser.owner("?", other.toString())).isEqualTo("?");
  }
}
