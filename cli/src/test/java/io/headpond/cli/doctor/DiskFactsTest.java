// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFactsTest {
  @TempDir Path root;

  /** As the kernel shows an NVMe disk with one partition. */
  private void disk(String model) throws IOException {
    Path disk = root.resolve("sys/devices/pci/nvme0/nvme0n1");
    write(disk.resolve("device/model"), model + "                  \n");
    write(disk.resolve("queue/rotational"), "0\n");
    write(disk.resolve("queue/write_cache"), "write through\n");
    write(disk.resolve("queue/physical_block_size"), "4096\n");
    write(disk.resolve("nvme0n1p1/partition"), "1\n");
    Path names = Files.createDirectories(root.resolve("sys/class/block"));
    Files.createSymbolicLink(names.resolve("nvme0n1"), disk);
    Files.createSymbolicLink(names.resolve("nvme0n1p1"), disk.resolve("nvme0n1p1"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void aPartitionIsDescribedByItsDisk() throws IOException {
    disk("SAMSUNG MZQL23T8HCLS");
    DiskFacts facts = DiskFacts.of(root, "nvme0n1p1");
    assertThat(facts)
        .isEqualTo(DiskFacts.of(root, "nvme0n1"))
        .isEqualTo(new DiskFacts("SAMSUNG MZQL23T8HCLS", false, "write through", 4096));
    assertThat(facts.words())
        .isEqualTo("SAMSUNG MZQL23T8HCLS, write cache: write through, blocks of 4.00 KiB");
    assertThat(facts.instanceStorage()).isFalse();
  }

  @Test
  void aDiskThatGoesWithItsMachineIsKnownByItsModel() throws IOException {
    disk("Amazon EC2 NVMe Instance Storage");
    assertThat(DiskFacts.of(root, "nvme0n1p1").instanceStorage()).isTrue();
  }

  @Test
  void ofWhatTheKernelDoesNotTellNothingIsSaid() {
    assertThat(DiskFacts.of(root, "dm-0")).isEqualTo(DiskFacts.UNKNOWN);
    assertThat(DiskFacts.UNKNOWN.words()).isEmpty();
    assertThat(DiskFacts.UNKNOWN.instanceStorage()).isFalse();
  }

  @Test
  void aFileSystemOfAnotherMachineIsKnown() {
    assertThat(DiskFacts.elsewhere("nfs4")).isTrue();
    assertThat(DiskFacts.elsewhere("fuse.sshfs")).isTrue();
    assertThat(DiskFacts.elsewhere("ext4")).isFalse();
  }
}
