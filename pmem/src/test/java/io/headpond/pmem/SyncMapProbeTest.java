// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

  /** A tier that is full at a start is still the device that it was. Takes root, to mount. */
  @Test
  void aDeviceThatIsFullAnswersAsOneWithRoom() throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64k", "headpond-test", directory.toString()),
        "mounting a small tmpfs takes root");
    try {
      SyncMapProbe probe = new SyncMapProbe();
      probe.succeeds(directory);
      String withRoom = probe.lastRefusal();
      Files.write(directory.resolve("full"), new byte[64 << 10]);

      probe.succeeds(directory);

      assertThat(probe.lastRefusal()).isEqualTo(withRoom);
    } finally {
      run("umount", "--lazy", directory.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}
