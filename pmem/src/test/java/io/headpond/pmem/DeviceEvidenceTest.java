// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Words for a device, and what they are found by. */
class DeviceEvidenceTest {
  private static final String NVME = "pci0000:00/nvme/nvme0/nvme0n1";

  @AutoClose private FakeKernel kernel;

  @BeforeEach
  void makeUp() throws IOException {
    kernel = new FakeKernel();
  }

  private Device on(String majorMinor, String type) throws IOException {
    kernel.mount(majorMinor, kernel.directory(), type);
    return kernel.detect(false);
  }

  private void called(Durability word, String... reasons) throws IOException {
    Device device = kernel.detect(false);
    assertThat(device.durability()).as(device.explanation()).isEqualTo(word);
    assertThat(List.of(reasons)).allMatch(device.explanation()::contains, device.explanation());
  }

  @Test
  void theFactsOfADiskAreThoseOfItsPartitions() throws IOException {
    kernel.disk("259:0", NVME);
    kernel.attribute(NVME + "/device/model", "SAMSUNG MZQL23T8HCLS                  ");
    kernel.attribute(NVME + "/queue/rotational", "0");
    kernel.attribute(NVME + "/queue/fua", "1");
    kernel.attribute(NVME + "/queue/logical_block_size", "512");
    kernel.attribute(NVME + "/queue/physical_block_size", "4096");
    kernel.attribute(NVME + "/queue/zoned", "none");
    kernel.block("259:1", NVME + "/nvme0n1p1");
    DiskFacts facts =
        new DiskFacts("SAMSUNG MZQL23T8HCLS", false, "write back", true, 512, 4096, "none");
    assertThat(on("259:0", "ext4").disk()).isEqualTo(facts);
    assertThat(on("259:1", "ext4").disk()).isEqualTo(facts);
    called(Durability.DURABLE, "ext4 on nvme0n1p1", "a force flushes the write cache");
  }

  @Test
  void aDiskWithoutAVolatileCacheIsDurable() throws IOException {
    kernel.block("259:0", NVME);
    kernel.attribute(NVME + "/queue/write_cache", "write through");
    on("259:0", "xfs");
    called(Durability.DURABLE, "no write cache");
  }

  @Test
  void aDiskOfWhichNothingIsToldIsUnknown() throws IOException {
    kernel.block("259:0", NVME);
    assertThat(on("259:0", "ext4").disk()).isEqualTo(DiskFacts.UNKNOWN);
    called(Durability.UNKNOWN, "nvme0n1", "queue/write_cache");
    on("259:77", "ext4");
    called(Durability.UNKNOWN, "no block device in sysfs");
  }

  @Test
  void aForceWithoutBarriersIsNoEvidence() throws IOException {
    kernel.disk("259:0", NVME);
    for (String option : List.of("nobarrier", "barrier=0", "fsync_mode=nobarrier")) {
      kernel.mount("259:0", kernel.directory(), "ext4", "/dev/nvme0n1", "rw," + option);
      called(Durability.UNKNOWN, "without barriers");
    }
    kernel.attribute(NVME + "/queue/write_cache", "write through");
    called(Durability.DURABLE);
  }

  @Test
  void aFileSystemThatFlushesNoCacheIsNoEvidenceOverOne() throws IOException {
    kernel.disk("259:0", NVME);
    on("259:0", "jfs");
    called(Durability.UNKNOWN, "jfs doesn't flush");
    kernel.attribute(NVME + "/queue/write_cache", "write through");
    called(Durability.DURABLE, "no write cache");
  }

  @Test
  void aForceThatAMountOptionSwitchesOffIsNoEvidence() throws IOException {
    kernel.block("259:0", NVME);
    kernel.attribute(NVME + "/queue/write_cache", "write through");
    kernel.mount("259:0", kernel.directory(), "f2fs", "/dev/x", "rw,checkpoint=disable:0");
    called(Durability.UNKNOWN, "f2fs is mounted with checkpoint=disable");
    kernel.mount("259:0", kernel.directory(), "bcachefs", "/dev/x", "rw,journal_flush_disabled");
    called(Durability.UNKNOWN, "bcachefs is mounted with journal_flush_disabled");
    kernel.mount("259:0", kernel.directory(), "f2fs", "/dev/x", "rw,checkpoint_merge");
    called(Durability.DURABLE);
  }

  @Test
  void instanceStorageOfCloudsIsEphemeral() throws IOException {
    kernel.disk("259:0", NVME);
    on("259:0", "xfs");
    for (String model :
        List.of(
            "Amazon EC2 NVMe Instance Storage",
            "Microsoft NVMe Direct Disk",
            "Microsoft NVMe Direct Disk v2",
            "nvme_card",
            "nvme_card7",
            "EphemeralDisk")) {
      kernel.attribute(NVME + "/device/model", model);
      called(Durability.EPHEMERAL, model, "nvme0n1");
    }
    for (String model :
        List.of(
            "Amazon Elastic Block Store",
            "nvme_card-pd",
            "PersistentDisk",
            "MSFT NVMe Accelerator " + "v1.0")) {
      kernel.attribute(NVME + "/device/model", model);
      called(Durability.DURABLE);
    }
  }

  @Test
  void aFileSystemOfAServerIsUnknown() throws IOException {
    for (String type : List.of("nfs4", "cifs", "ceph", "9p", "virtiofs", "fuse.sshfs", "fuse")) {
      on("0:50", type);
      called(Durability.UNKNOWN, type, "up to whoever serves it");
    }
    on("0:50", "zfs");
    called(Durability.UNKNOWN, "zfs", "isn't known");
  }

  @Test
  void aFileSystemThatIsNotKnownIsUnknownOnAnyDisk() throws IOException {
    kernel.disk("259:0", NVME);
    on("259:0", "newfs");
    called(Durability.UNKNOWN, "newfs");
  }

  @Test
  void anOverlayIsUnknownAndAVolatileOneVolatile() throws IOException {
    on("0:60", "overlay");
    called(Durability.UNKNOWN, "overlay");
    kernel.mount("0:60", kernel.directory(), "overlay", "overlay", "rw,upperdir=/u,volatile");
    called(Durability.VOLATILE, "a force does nothing");
  }

  private void loop(Path file, String cache) throws IOException {
    kernel.block("7:0", "virtual/block/loop0");
    kernel.attribute("virtual/block/loop0/loop/backing_file", file.toString());
    kernel.attribute("virtual/block/loop0/queue/write_cache", cache);
    on("7:0", "ext4");
  }

  private Path image(String majorMinor, String type) throws IOException {
    Path folder = Files.createDirectories(kernel.beside("images of " + type));
    kernel.mount(majorMinor, folder, type);
    return Files.createFile(folder.resolve("disk.img"));
  }

  @Test
  void aLoopDeviceIsAsGoodAsTheDeviceOfItsFile() throws IOException {
    kernel.disk("259:0", NVME);
    Path image = image("259:0", "xfs");
    loop(image, "write back");
    called(Durability.DURABLE, "ext4 on loop0, a file (" + image + ") on xfs on nvme0n1");
    assertThat(kernel.detect(false).blockDevice()).contains("loop0");

    kernel.attribute(NVME + "/device/model", "nvme_card");
    called(Durability.EPHEMERAL, "loop0", "nvme0n1 is instance storage (nvme_card)");
  }

  /** Not as the file system that has the device's node, which is memory. */
  @Test
  void aLoopDeviceOfADeviceIsAsGoodAsThat() throws IOException {
    kernel.disk("259:0", NVME);
    kernel.mount("0:6", Path.of("/dev"), "devtmpfs");
    loop(Path.of("/dev/nvme0n1"), "write back");
    called(Durability.DURABLE, "ext4 on loop0 of nvme0n1");

    kernel.attribute(NVME + "/device/model", "nvme_card");
    called(Durability.EPHEMERAL, "loop0", "nvme0n1 is instance storage (nvme_card)");
  }

  @Test
  void aLoopDeviceOnMemoryIsVolatile() throws IOException {
    loop(image("0:40", "tmpfs"), "write back");
    called(Durability.VOLATILE, "loop0", "tmpfs is memory");
  }

  @Test
  void aLoopDeviceThatPassesNoFlushOnIsUnknown() throws IOException {
    kernel.disk("259:0", NVME);
    loop(image("259:0", "xfs"), "write through");
    called(Durability.UNKNOWN, "loop0 passes no flush on");
  }

  @Test
  void aLoopDeviceWhoseFileIsNotSeenIsUnknown() throws IOException {
    loop(kernel.beside("gone.img (deleted)"), "write back");
    called(Durability.UNKNOWN, "the file below loop0");
  }

  @Test
  void aLoopDeviceOnItselfIsUnknownAndEnds() throws IOException {
    Path image = image("7:0", "ext4");
    loop(image, "write back");
    called(Durability.UNKNOWN, "loop0");
  }

  private void part(String mapped, Path device) throws IOException {
    kernel.link("devices/virtual/block/" + mapped + "/slaves/" + device.getFileName(), device);
  }

  @Test
  void theWorstPartOfAMappedDeviceCounts() throws IOException {
    for (String name : List.of("dm-0", "md127")) {
      String number = name.equals("dm-0") ? "253:0" : "9:127";
      kernel.disk(number, "virtual/block/" + name);
      String cloud = "pci/" + name + "/nvme1n1";
      part(name, kernel.disk(number + "1", "pci/" + name + "/nvme0n1"));
      part(name, kernel.disk(number + "2", cloud));
      on(number, "xfs");
      called(Durability.DURABLE, "xfs on " + name + " of nvme0n1 and nvme1n1");

      kernel.attribute(cloud + "/device/model", "Amazon EC2 NVMe Instance Storage");
      called(Durability.EPHEMERAL, name, "nvme1n1 is instance storage");
      assertThat(kernel.detect(false).blockDevice()).contains(name);
      assertThat(kernel.detect(false).disk().model()).startsWith("Amazon");

      Files.delete(kernel.beside("sys/devices").resolve(cloud).resolve("queue/write_cache"));
      Files.delete(kernel.beside("sys/devices").resolve(cloud).resolve("device/model"));
      called(Durability.UNKNOWN, name, "nvme1n1's write cache");
      Files.delete(kernel.beside("sys/class/block/nvme0n1"));
      Files.delete(kernel.beside("sys/class/block/nvme1n1"));
    }
  }

  @Test
  void aMappedDeviceThatPassesNoFlushOnIsUnknown() throws IOException {
    kernel.block("253:0", "virtual/block/dm-0");
    kernel.attribute("virtual/block/dm-0/queue/write_cache", "write through");
    part("dm-0", kernel.disk("259:0", NVME));
    on("253:0", "ext4");
    called(Durability.UNKNOWN, "dm-0 passes no flush on");
    kernel.attribute(NVME + "/queue/write_cache", "write through");
    called(Durability.DURABLE);
  }

  @Test
  void aPartitionOfAMappedDeviceHasItsParts() throws IOException {
    kernel.disk("9:127", "virtual/block/md127");
    kernel.block("259:9", "virtual/block/md127/md127p1");
    part("md127", kernel.disk("259:0", NVME));
    kernel.attribute(NVME + "/device/model", "nvme_card3");
    on("259:9", "ext4");
    called(Durability.EPHEMERAL, "nvme_card3");
  }

  @Test
  void aDeviceWhosePartsAreNotSeenIsUnknown() throws IOException {
    for (String name : List.of("dm-1", "md1", "nbd0", "rbd0", "drbd1", "ublkb0", "zd16")) {
      kernel.disk("250:" + name, "virtual/block/" + name);
      on("250:" + name, "ext4");
      called(Durability.UNKNOWN, "what " + name + " lies on");
    }
  }

  @Test
  void allDisksOfABtrfsCount() throws IOException {
    Path first = kernel.disk("259:0", "pci/nvme0n1");
    Path second = kernel.disk("259:1", "pci/nvme1n1");
    kernel.mount("0:35", kernel.directory(), "btrfs", "/dev/nvme0n1", "rw");
    called(Durability.DURABLE, "btrfs on nvme0n1");
    kernel.link("fs/btrfs/some-uuid/devices/nvme0n1", first);
    kernel.link("fs/btrfs/some-uuid/devices/nvme1n1", second);
    kernel.attribute("pci/nvme1n1/device/model", "nvme_card");
    called(Durability.EPHEMERAL, "nvme1n1");
  }
}
