// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedDiskTest {
  @TempDir Path sys;
  private SharedDisk shared;

  @BeforeEach
  void twoDisks() throws IOException {
    disk("sda");
    partition("sda", "sda1");
    partition("sda", "sda2");
    disk("sdb");
    partition("sdb", "sdb1");
    disk("dm-0");
    Files.createDirectory(sys.resolve("devices/dm-0/slaves/sda2"));
    shared = new SharedDisk(sys);
  }

  private void disk(String name) throws IOException {
    Files.createDirectories(sys.resolve("devices").resolve(name).resolve("slaves"));
    link(name, sys.resolve("devices").resolve(name));
  }

  private void partition(String disk, String name) throws IOException {
    Path path = Files.createDirectories(sys.resolve("devices").resolve(disk).resolve(name));
    Files.writeString(path.resolve("partition"), "1\n");
    link(name, path);
  }

  private void link(String name, Path path) throws IOException {
    Files.createSymbolicLink(
        Files.createDirectories(sys.resolve("class/block")).resolve(name), path);
  }

  @Test
  void partitionsOfOneDiskShareIt() {
    assertThat(shared.disk("sda1", "sda2")).contains("the same disk (sda)");
    assertThat(shared.disk("sda1", "sda")).contains("the same disk (sda)");
    assertThat(shared.disk("sda1", "sdb1")).isEmpty();
  }

  @Test
  void aLogicalVolumeSharesTheDiskBelowIt() {
    assertThat(shared.disk("dm-0", "sda1")).contains("the same disk (sda)");
    assertThat(shared.disk("dm-0", "sdb1")).isEmpty();
  }

  /** Its file lies on a disk of this machine, which has no partitions in the copy of sysfs. */
  @Test
  void aLoopDeviceSharesTheDiskOfItsFile() throws IOException {
    Optional<String> own = Device.detect(sys).blockDevice();
    Assumptions.assumeTrue(own.isPresent(), "no disk is known below " + sys);
    disk("loop7");
    Path loop = Files.createDirectory(sys.resolve("devices/loop7/loop"));
    Path file = Files.writeString(sys.resolve("a disk.img"), "");
    Files.writeString(loop.resolve("backing_file"), file + "\n");
    assertThat(shared.disk("loop7", own.get())).contains("the same disk (" + own.get() + ")");
    assertThat(shared.disk("loop7", "sda1")).isEmpty();
    Files.delete(file);
    assertThat(shared.disk("loop7", own.get())).isEmpty();
  }

  @Test
  void aLoopDeviceSharesTheDeviceThatItShows() throws IOException {
    disk("loop8");
    Path loop = Files.createDirectory(sys.resolve("devices/loop8/loop"));
    Files.writeString(loop.resolve("backing_file"), "/dev/sda1\n");
    assertThat(shared.disk("loop8", "sda")).contains("the same disk (sda)");
    assertThat(shared.disk("loop8", "sdb1")).isEmpty();
  }

  @Test
  void oneFileSystemIsSharedWhateverLiesBelow() throws IOException {
    Path one = Files.createDirectory(sys.resolve("one"));
    assertThat(shared.below(one, sys)).contains("the same file system");
    assertThat(shared.below(one, sys.resolve("missing"))).isEmpty();
  }
}
