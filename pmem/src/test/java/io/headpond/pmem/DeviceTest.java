// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices as mount table and sysfs describe them; both are made up in a folder. */
class DeviceTest {
  @AutoClose private FakeKernel kernel;

  @BeforeEach
  void makeUp() throws IOException {
    kernel = new FakeKernel();
  }

  @Test
  void daxOnARegionWithAPersistenceDomainIsDurable() throws IOException {
    kernel.mount("259:1", kernel.directory(), "xfs");
    kernel.block("259:1", "ndbus0/region0/pfn0.0/block/pmem0");
    kernel.attribute("ndbus0/region0/persistence_domain", "memory_controller");

    Device device = kernel.detect(true);

    assertThat(device.durability()).isEqualTo(Durability.DURABLE);
    assertThat(device.dax()).isTrue();
    assertThat(device.fileSystemType()).isEqualTo("xfs");
    assertThat(device.blockDevice()).contains("pmem0");
    assertThat(device.persistenceDomain()).isEqualTo("memory_controller");
  }

  @Test
  void daxWithoutAPersistenceDomainIsEmulated() throws IOException {
    kernel.mount("259:1", kernel.directory(), "ext4");
    kernel.block("259:1", "platform/e820_pmem/ndbus0/region0/namespace0.0/block/pmem0");

    assertThat(kernel.detect(true).durability()).isEqualTo(Durability.EMULATED);
    assertThat(kernel.detect(false).durability()).isEqualTo(Durability.EMULATED);

    kernel.attribute("platform/e820_pmem/ndbus0/region0/persistence_domain", "unknown");
    assertThat(kernel.detect(true).durability()).isEqualTo(Durability.EMULATED);
    assertThat(kernel.detect(true).explanation()).contains("unknown");
  }

  @Test
  void aPartitionBelongsToItsDevicesRegion() throws IOException {
    kernel.mount("259:2", kernel.directory(), "ext4");
    kernel.block("259:2", "ndbus0/region0/namespace0.0/block/pmem0/pmem0p1");
    kernel.attribute("ndbus0/region0/persistence_domain", "cpu_cache");

    assertThat(kernel.detect(true).durability()).isEqualTo(Durability.DURABLE);
  }

  @Test
  void aMappedDeviceIsAsDurableAsItsWeakestPart() throws IOException {
    kernel.mount("253:0", kernel.directory(), "ext4");
    Path dm = kernel.block("253:0", "virtual/block/dm-0");
    Path good = kernel.block("259:0", "ndbus0/region0/namespace0.0/block/pmem0");
    Path other = kernel.block("259:1", "ndbus0/region1/namespace1.0/block/pmem1");
    Files.createDirectories(dm.resolve("slaves"));
    Files.createSymbolicLink(dm.resolve("slaves/pmem0"), good);
    Files.createSymbolicLink(dm.resolve("slaves/pmem1"), other);
    kernel.attribute("ndbus0/region0/persistence_domain", "cpu_cache");

    assertThat(kernel.detect(true).durability()).isEqualTo(Durability.EMULATED);

    kernel.attribute("ndbus0/region1/persistence_domain", "cpu_cache");
    assertThat(kernel.detect(true).durability()).isEqualTo(Durability.DURABLE);
  }

  @Test
  void theDiskOfAPartitionIsTheWholeOne() throws IOException {
    kernel.disk("8:0", "pci/sda");
    kernel.mount("8:1", kernel.directory(), "ext4");
    kernel.block("8:1", "pci/sda/sda1");
    assertThat(kernel.detect(false).blockDevice()).contains("sda1");
    assertThat(kernel.detect(false).disks()).containsExactly("sda");
  }

  @Test
  void theDisksOfAMappedDeviceAreThoseOfItsParts() throws IOException {
    kernel.mount("253:0", kernel.directory(), "ext4");
    Path dm = kernel.block("253:0", "virtual/block/dm-0");
    kernel.disk("8:0", "pci/sda");
    Files.createDirectories(dm.resolve("slaves"));
    Files.createSymbolicLink(dm.resolve("slaves/sda2"), kernel.block("8:2", "pci/sda/sda2"));
    Files.createSymbolicLink(dm.resolve("slaves/sdb"), kernel.disk("8:16", "pci/sdb"));
    assertThat(kernel.detect(false).disks()).containsExactly("sda", "sdb");
  }

  @ParameterizedTest
  @CsvSource({"/dev/sda1, sda", "/dev/cciss/c0d0p1, cciss!c0d0", "/dev/c0d0p1, loop8"})
  void theDiskOfALoopDeviceIsThatOfWhatItShows(String shown, String disk) throws IOException {
    kernel.disk("8:0", "pci/sda");
    kernel.block("8:1", "pci/sda/sda1");
    kernel.disk("104:0", "pci/cciss!c0d0");
    kernel.block("104:1", "pci/cciss!c0d0/cciss!c0d0p1");
    kernel.mount("7:8", kernel.directory(), "ext4");
    kernel.block("7:8", "virtual/block/loop8");
    kernel.attribute("virtual/block/loop8/loop/backing_file", shown);
    assertThat(kernel.detect(false).disks()).containsExactly(disk);
  }

  @Test
  void theDiskOfALoopDeviceIsThatOfItsFile() throws IOException {
    Path file = Files.createDirectories(kernel.beside("images")).resolve("a disk.img");
    Files.createFile(file);
    kernel.mount("8:1", file.getParent(), "xfs");
    kernel.disk("8:0", "pci/sda");
    kernel.block("8:1", "pci/sda/sda1");
    kernel.mount("7:8", kernel.directory(), "ext4");
    kernel.block("7:8", "virtual/block/loop8");
    kernel.attribute("virtual/block/loop8/loop/backing_file", file.toString());
    assertThat(kernel.detect(false).disks()).containsExactly("sda");
    Files.delete(file);
    assertThat(kernel.detect(false).disks()).as("it isn't seen").containsExactly("loop8");
  }

  /** As a RAID controller of HP; Btrfs has a number that sysfs doesn't know. */
  @Test
  void aDiskWhoseNodeLiesInAFolderIsFound() throws IOException {
    kernel.disk("104:0", "pci/cciss!c0d0");
    kernel.mount("0:44", kernel.directory(), "btrfs", "/dev/cciss/c0d0", "rw");
    assertThat(kernel.detect(false).disks()).containsExactly("cciss!c0d0");
  }

  @Test
  void aRamDiskIsVolatileWhateverItsFileSystem() throws IOException {
    kernel.mount("1:0", kernel.directory(), "ext4");
    kernel.block("1:0", "virtual/block/ram0");
    assertThat(kernel.detect(false).durability()).isEqualTo(Durability.VOLATILE);
  }

  @Test
  void anOrdinaryDiskIsDurable() throws IOException {
    kernel.mount("259:5", kernel.directory(), "xfs");
    kernel.disk("259:5", "pci0000:00/nvme/nvme0/nvme0n1");

    Device device = kernel.detect(false);

    assertThat(device.durability()).isEqualTo(Durability.DURABLE);
    assertThat(device.dax()).isFalse();
    assertThat(device.blockDevice()).contains("nvme0n1");
    assertThat(device.explanation()).contains("durable when forced");
  }

  @ParameterizedTest
  @CsvSource({"ext4, true", "xfs, true", "btrfs, false", "ext2, false", "fuse.sshfs, false"})
  void onlyOneJournalForAllFilesKeepsOrder(String type, boolean keeps) throws IOException {
    kernel.mount("259:5", kernel.directory(), type);
    kernel.disk("259:5", "pci0000:00/nvme/nvme0/nvme0n1");
    kernel.journalTask("nvme0n1", "1234");
    assertThat(kernel.detect(false).keepsOrder()).isEqualTo(keeps);
  }

  @Test
  void anExt4WithoutJournalKeepsNoOrderAndIsCalledSo() throws IOException {
    kernel.mount("259:5", kernel.directory(), "ext4");
    kernel.disk("259:5", "pci0000:00/nvme/nvme0/nvme0n1");
    kernel.journalTask("nvme0n1", "<none>");

    Device device = kernel.detect(false);

    assertThat(device.keepsOrder()).isFalse();
    assertThat(device.lacksJournal()).isTrue();
    assertThat(device.explanation()).startsWith("ext4 without a journal on nvme0n1: durable when");
  }

  @Test
  void anExt4OfAnotherNamespacesJournalThreadKeepsOrder() throws IOException {
    kernel.mount("259:5", kernel.directory(), "ext4");
    kernel.disk("259:5", "pci0000:00/nvme/nvme0/nvme0n1");
    kernel.journalTask("nvme0n1", "0");
    assertThat(kernel.detect(false).keepsOrder()).isTrue();
  }

  @Test
  void anExt4OfWhoseJournalNothingIsSaidKeepsNoOrder() throws IOException {
    kernel.mount("259:5", kernel.directory(), "ext4");
    kernel.disk("259:5", "pci0000:00/nvme/nvme0/nvme0n1");

    Device device = kernel.detect(false);

    assertThat(device.keepsOrder()).isFalse();
    assertThat(device.lacksJournal()).isFalse();
  }

  @Test
  void theLastMountOfTheLongestPrefixCounts() throws IOException {
    kernel.mount("259:5", kernel.directory().getParent(), "xfs");
    kernel.mount("259:6", kernel.directory(), "ext4");
    kernel.mount("0:50", kernel.directory(), "tmpfs");
    kernel.mount("259:7", Path.of(kernel.directory() + "-other"), "btrfs");

    assertThat(kernel.detect(false).fileSystemType()).isEqualTo("tmpfs");
    assertThat(kernel.detect(false).durability()).isEqualTo(Durability.VOLATILE);
  }

  @Test
  void theRealMachinesDiskIsCalledSomethingWithAReason() throws IOException {
    Path disk = Folders.onDisk();
    try {
      Device device = Device.detect(disk);
      assertThat(device.durability()).isNotNull();
      assertThat(device.explanation()).isNotBlank();
      assertThat(device.disk()).isNotNull();
      assertThat(device.dirtyShutdowns()).isNotNull();
      assertThat(disk).isEmptyDirectory();
    } finally {
      Folders.delete(disk);
    }
  }

  @Test
  void theRealMachineTellsMemoryFromDisk() throws IOException {
    Path memory = Folders.inMemory();
    try {
      assertThat(Device.detect(memory).durability()).isEqualTo(Durability.VOLATILE);
      assertThat(Device.detect(memory).fileSystemType()).isEqualTo("tmpfs");
      assertThat(Device.detect(memory).dax()).isFalse();
      assertThat(memory).isEmptyDirectory();
    } finally {
      Folders.delete(memory);
    }
  }
}
