// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
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

  /** A look in a process that has used up its descriptors. Argument: the directory. */
  static final class WithoutDescriptors {
    public static void main(String[] arguments) throws IOException {
      Path directory = Path.of(arguments[0]);
      new SyncMapProbe().succeeds(directory); // which loads its classes
      Queue<InputStream> held = new ArrayDeque<>();
      boolean told = false;
      try {
        while (true) {
          held.add(new FileInputStream("/dev/null"));
        }
      } catch (FileNotFoundException noneLeft) {
        told = tells(directory);
      }
      while (!held.isEmpty()) {
        held.remove().close();
      }
      new SyncMapProbe().succeeds(directory);
      System.exit(told ? 1 : 0);
    }

    private static boolean tells(Path directory) {
      try {
        new SyncMapProbe().succeeds(directory);
        return true;
      } catch (IOException lack) {
        return false;
      }
    }
  }

  @Test
  void aLackOfDescriptorsSaysNothingOfADevice() throws Exception {
    String java =
        String.join(
            " ",
            "exec",
            "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "'",
            "-cp '" + System.getProperty("java.class.path") + "'",
            "'" + WithoutDescriptors.class.getName() + "'",
            "'" + directory + "'");
    assertThat(run("sh", "-c", "ulimit -n 128; " + java)).isTrue();
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
