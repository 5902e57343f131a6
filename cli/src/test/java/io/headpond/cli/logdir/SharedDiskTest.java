// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.Run.succeeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedDiskTest {
  @TempDir Path folder;

  @Test
  void oneFileSystemIsSharedWhateverLiesBelow() throws IOException {
    Path one = Files.createDirectory(folder.resolve("one"));
    assertThat(SharedDisk.below(one, folder)).contains("the same file system");
    assertThat(SharedDisk.below(one, folder.resolve("missing"))).isEmpty();
  }

  @Test
  void memorySharesNoDisk() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).isDirectory();
    assumeThat(Device.detect(folder).disks()).isNotEmpty();
    assertThat(SharedDisk.below(memory, folder)).isEmpty();
  }

  /** A file system in a file lies on the disk of the file. */
  @Test
  void aFileSystemInAFileSharesTheDiskOfTheFile() throws Exception {
    assumeThat(Device.detect(folder).disks()).hasSize(1);
    String disk = Device.detect(folder).disks().iterator().next();
    String image = Files.createFile(folder.resolve("a disk.img")).toString();
    String mounted = Files.createDirectory(folder.resolve("mounted")).toString();
    assumeThat(succeeds("truncate", "-s", "4M", image)).isTrue();
    assumeThat(succeeds("mkfs.ext4", "-q", "-F", image)).isTrue();
    assumeThat(succeeds("mount", "-o", "loop", image, mounted)).as("only root may").isTrue();
    try {
      assertThat(SharedDisk.below(Path.of(mounted), folder))
          .contains("the same disk (" + disk + ")");
    } finally {
      succeeds("umount", "--lazy", mounted);
    }
  }
}
