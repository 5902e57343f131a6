// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.systemtests.Workspace;
import io.headpond.systemtests.faulty.Fault.Call;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The file system that other tests rely on does what it says. */
@Tag("extra")
class FaultyMountIT {

  @Test
  void whatAFailedForceHasLostIsGoneAfterAPowerCutAndNothingElse() throws Exception {
    assumeTrue(FaultyMount.impossible().isEmpty(), FaultyMount.impossible());
    try (Workspace workspace = Workspace.create("faulty")) {
      Path folder = workspace.folder("mounted");
      try (FaultyMount mount = FaultyMount.on(folder, workspace)) {
        Path file = folder.resolve("file.log");
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          channel.write(text("forced "));
          channel.force(true);
          channel.write(text("lost "));
          mount.fail(Call.FORCE, FaultyMount.EIO, 1, "/.*[.]log");
          assertThatThrownBy(() -> channel.force(true)).isInstanceOf(IOException.class);
          channel.force(true); // as Linux has it: this one succeeds
          channel.write(text("later"));
          channel.force(true);
        }
        assertThat(file).hasContent("forced lost later");
        assertThat(mount.repair()).isOne();
        assertThat(mount.cutPower()).isEqualTo(5);
        assertThat(file).hasContent("forced \0\0\0\0\0later");
      }
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void readsWritesAndNewFilesFailAsTold() throws Exception {
    assumeTrue(FaultyMount.impossible().isEmpty(), FaultyMount.impossible());
    try (Workspace workspace = Workspace.create("faulty")) {
      Path folder = workspace.folder("mounted");
      try (FaultyMount mount = FaultyMount.on(folder, workspace)) {
        Path file = Files.writeString(folder.resolve("file.log"), "text");
        mount.fail(Call.READ, FaultyMount.EIO, 1, "/file[.]log");
        assertThatThrownBy(() -> Files.readString(file)).hasMessageContaining("Input/output error");
        assertThat(file).hasContent("text");
        mount.fail(Call.WRITE, FaultyMount.ENOSPC, -1, "/file[.]log");
        assertThatThrownBy(() -> Files.writeString(file, "other")).hasMessageContaining("No space");
        assertThatThrownBy(() -> Files.writeString(file, "other")).hasMessageContaining("No space");
        mount.repair();
        mount.fail(Call.CREATE, FaultyMount.ENOSPC, 1, "/new");
        assertThatThrownBy(() -> Files.createFile(folder.resolve("new")))
            .hasMessageContaining("No space");
        assertThat(mount.hits()).isOne();
      }
    }
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
