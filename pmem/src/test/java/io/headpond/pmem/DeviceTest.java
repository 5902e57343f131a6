// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices as mount table and sysfs describe them; both are made up in a folder. */
class DeviceTest {
  private Path folder;
  private Path sysfs;
  private Path mountInfo;
  private Path directory;

  @BeforeEach
  void createFolders() throws IOException {
    folder = Folders.onDisk().toRealPath();
    sysfs = Files.createDirectories(folder.resolve("sys"));
    mountInfo = folder.resolve("mountinfo");
    directory = Files.createDirectories(folder.resolve("mnt/fast tier-ü"));
    mount("254:0", "/", "ext4");
  }

  @AfterEach
  void deleteFolders() throws IOException {
    Folders.delete(folder);
  }

  private void mount(String majorMinor, String at, String type) throws IOException {
    String line =
        "27 1 "
            + majorMinor
            + " / "
            + at.replace(" ", "\\040")
            + " rw,relatime shared:1 - "
            + type
            + " /dev/x rw\n";
    Files.writeString(
        mountInfo,
        (Files.exists(mountInfo) ? Files.readString(mountInfo) : "") + line,
        StandardCharsets.UTF_8);
  }

  /** A block device below a region, as the kernel lays them out; answers its folder. */
  private Path block(String majorMinor, String pathInDevices) throws IOException {
    Path device = Files.createDirectories(sysfs.resolve("devices").resolve(pathInDevices));
    Path link = sysfs.resolve("dev/block").resolve(majorMinor);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, device);
    return device;
  }

  private void attribute(String file, String text) throws IOException {
    Files.writeString(sysfs.resolve("devices").resolve(file), text + "\n");
  }

  private Device detect(boolean syncMapWorks) throws IOException {
    return Device.detect(
        directory,
        sysfs,
        mountInfo,
        new SyncMapProbe() {
          @Override
          boolean succeeds(Path ignored) {
            return syncMapWorks;
          }
        });
  }

  @Test
  void daxOnARegionWithAPersistenceDomainIsDurable() throws IOException {
    mount("259:1", directory.toString(), "xfs");
    block("259:1", "ndbus0/region0/pfn0.0/block/pmem0");
    attribute("ndbus0/region0/persistence_domain", "memory_controller");
    attribute("ndbus0/region0/numa_node", "1");

    Device device = detect(true);

    assertThat(device.durability()).isEqualTo(Durability.DURABLE);
    assertThat(device.dax()).isTrue();
    assertThat(device.fileSystemType()).isEqualTo("xfs");
    assertThat(device.blockDevice()).contains("pmem0");
    assertThat(device.persistenceDomain()).isEqualTo("memory_controller");
    assertThat(device.numaNode()).hasValue(1);
  }

  @Test
  void daxWithoutAPersistenceDomainIsEmulated() throws IOException {
    mount("259:1", directory.toString(), "ext4");
    block("259:1", "platform/e820_pmem/ndbus0/region0/namespace0.0/block/pmem0");
    attribute("platform/e820_pmem/ndbus0/region0/numa_node", "-1");

    assertThat(detect(true).durability()).isEqualTo(Durability.EMULATED);
    assertThat(detect(true).numaNode()).isEmpty();
    assertThat(detect(false).durability()).isEqualTo(Durability.EMULATED);

    attribute("platform/e820_pmem/ndbus0/region0/persistence_domain", "unknown");
    assertThat(detect(true).durability()).isEqualTo(Durability.EMULATED);
    assertThat(detect(true).explanation()).contains("unknown");
  }

  @Test
  void aPartitionBelongsToItsDevicesRegion() throws IOException {
    mount("259:2", directory.toString(), "ext4");
    block("259:2", "ndbus0/region0/namespace0.0/block/pmem0/pmem0p1");
    attribute("ndbus0/region0/persistence_domain", "cpu_cache");

    assertThat(detect(true).durability()).isEqualTo(Durability.DURABLE);
  }

  @Test
  void aMappedDeviceIsAsDurableAsItsWeakestPart() throws IOException {
    mount("253:0", directory.toString(), "ext4");
    Path dm = block("253:0", "virtual/block/dm-0");
    Path good = block("259:0", "ndbus0/region0/namespace0.0/block/pmem0");
    Path other = block("259:1", "ndbus0/region1/namespace1.0/block/pmem1");
    Files.createDirectories(dm.resolve("slaves"));
    Files.createSymbolicLink(dm.resolve("slaves/pmem0"), good);
    Files.createSymbolicLink(dm.resolve("slaves/pmem1"), other);
    attribute("ndbus0/region0/persistence_domain", "cpu_cache");

    assertThat(detect(true).durability()).isEqualTo(Durability.EMULATED);

    attribute("ndbus0/region1/persistence_domain", "cpu_cache");
    assertThat(detect(true).durability()).isEqualTo(Durability.DURABLE);
  }

  @Test
  void aRamDiskIsVolatileWhateverItsFileSystem() throws IOException {
    mount("1:0", directory.toString(), "ext4");
    block("1:0", "virtual/block/ram0");
    assertThat(detect(false).durability()).isEqualTo(Durability.VOLATILE);
  }

  @Test
  void anOrdinaryDiskIsDurable() throws IOException {
    mount("259:5", directory.toString(), "xfs");
    block("259:5", "pci0000:00/nvme/nvme0/nvme0n1");

    Device device = detect(false);

    assertThat(device.durability()).isEqualTo(Durability.DURABLE);
    assertThat(device.dax()).isFalse();
    assertThat(device.blockDevice()).contains("nvme0n1");
    assertThat(device.explanation()).contains("durable when forced");
  }

  @Test
  void theLastMountOfTheLongestPrefixCounts() throws IOException {
    mount("259:5", directory.getParent().toString(), "xfs");
    mount("259:6", directory.toString(), "ext4");
    mount("0:50", directory.toString(), "tmpfs");
    mount("259:7", directory + "-other", "btrfs");

    assertThat(detect(false).fileSystemType()).isEqualTo("tmpfs");
    assertThat(detect(false).durability()).isEqualTo(Durability.VOLATILE);
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
