// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A disk as the kernel describes it in {@code /sys/class/block/NAME} (kernel:
 * Documentation/ABI/stable/sysfs-block). A partition's are its disk's. What it doesn't tell is
 * null.
 *
 * @param model what the disk calls itself
 * @param rotational true if it turns, or a hypervisor says so of a virtual one
 * @param writeCache {@code write back}: a force must flush it; {@code write through}: there is
 *     none, or it is protected against a loss of power
 * @param physicalBlockBytes the least that it writes without reading before
 */
record DiskFacts(String model, Boolean rotational, String writeCache, Integer physicalBlockBytes) {
  static final DiskFacts UNKNOWN = new DiskFacts(null, null, null, null);

  /**
   * Models of disks that belong to the machine that a cloud lends, and are empty after it has gone:
   * Amazon EC2 instance store, Azure temporary NVMe disks, Google local SSD.
   */
  private static final Set<String> INSTANCE_STORAGE =
      Set.of(
          "Amazon EC2 NVMe Instance Storage",
          "Microsoft NVMe Direct Disk",
          "Microsoft NVMe Direct Disk v2",
          "nvme_card");

  /** File systems whose device isn't this machine's, or isn't known. */
  private static final Set<String> ELSEWHERE =
      Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "glusterfs", "virtiofs", "overlay");

  /** Reads the facts of a block device, by the kernel's name. */
  static DiskFacts of(Path root, String device) {
    Path folder = root.resolve("sys/class/block").resolve(device);
    try {
      folder = folder.toRealPath();
    } catch (IOException none) {
      return UNKNOWN;
    }
    if (Files.exists(folder.resolve("partition"))) {
      folder = folder.getParent();
    }
    String rotational = text(folder.resolve("queue/rotational"));
    String block = text(folder.resolve("queue/physical_block_size"));
    return new DiskFacts(
        text(folder.resolve("device/model")),
        rotational == null ? null : rotational.equals("1"),
        text(folder.resolve("queue/write_cache")),
        block == null || !block.matches("\\d{1,9}") ? null : Integer.valueOf(block));
  }

  private static String text(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? null : text;
    } catch (IOException untold) {
      return null;
    }
  }

  /** True if it is gone with the machine. */
  boolean instanceStorage() {
    return model != null && INSTANCE_STORAGE.contains(model);
  }

  /** True for a file system of which this machine doesn't know what a force makes durable. */
  static boolean elsewhere(String fileSystem) {
    return ELSEWHERE.contains(fileSystem) || fileSystem.startsWith("fuse");
  }

  /** In words; empty if nothing is known. */
  String words() {
    List<String> words = new ArrayList<>();
    if (model != null) {
      words.add(model);
    }
    if (rotational != null && rotational) {
      words.add("rotational");
    }
    if (writeCache != null) {
      words.add("write cache: " + writeCache);
    }
    if (physicalBlockBytes != null) {
      words.add("blocks of " + Units.bytes(physicalBlockBytes));
    }
    return String.join(", ", words);
  }
}
