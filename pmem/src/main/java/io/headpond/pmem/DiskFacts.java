// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A disk as the kernel describes it in {@code queue/} and {@code device/model} (kernel:
 * Documentation/ABI/stable/sysfs-block). A partition's are its disk's, those of a mapped device the
 * kernel's own sum of its parts. What the kernel doesn't tell is null.
 *
 * @param model what the disk calls itself
 * @param rotational true if it turns, or a hypervisor says so of a virtual one
 * @param writeCache {@code write back}: a force must flush it; {@code write through}: there is
 *     none, or it is protected against a loss of power
 * @param fua true if one write can be forced alone, without a flush of the whole cache
 * @param logicalBlockBytes the least that can be written
 * @param physicalBlockBytes the least that it writes without reading before
 * @param zoned {@code none}, {@code host-aware} or {@code host-managed}
 */
public record DiskFacts(
    String model,
    Boolean rotational,
    String writeCache,
    Boolean fua,
    Integer logicalBlockBytes,
    Integer physicalBlockBytes,
    String zoned) {
  /** Nothing is told. */
  public static final DiskFacts UNKNOWN = new DiskFacts(null, null, null, null, null, null, null);

  private static final String WRITE_BACK = "write back";
  private static final String WRITE_THROUGH = "write through";

  /**
   * Models of disks that belong to the machine that a cloud lends: Amazon EC2 instance store, Azure
   * temporary NVMe disks, Google local SSD by NVMe (one or many controllers; a persistent disk is
   * {@code nvme_card-pd}) and by SCSI (a persistent disk is {@code PersistentDisk}).
   */
  private static final Pattern INSTANCE_STORAGE =
      Pattern.compile(
          "Amazon EC2 NVMe Instance Storage|Microsoft NVMe Direct Disk( v\\d+)?"
              + "|nvme_card\\d*|EphemeralDisk");

  /** Reads the facts of a whole disk's folder in sysfs. */
  static DiskFacts of(Path disk) throws IOException {
    Path queue = disk.resolve("queue");
    return new DiskFacts(
        KernelFiles.text(disk.resolve("device/model")).orElse(null),
        flag(queue.resolve("rotational")),
        KernelFiles.text(queue.resolve("write_cache")).orElse(null),
        flag(queue.resolve("fua")),
        bytes(queue.resolve("logical_block_size")),
        bytes(queue.resolve("physical_block_size")),
        KernelFiles.text(queue.resolve("zoned")).orElse(null));
  }

  /** The same of a device that is made of parts, by the model of one of them. */
  DiskFacts withModel(String partsModel) {
    return new DiskFacts(
        partsModel, rotational, writeCache, fua, logicalBlockBytes, physicalBlockBytes, zoned);
  }

  private static Boolean flag(Path file) throws IOException {
    return KernelFiles.text(file).map(text -> text.equals("1")).orElse(null);
  }

  private static Integer bytes(Path file) throws IOException {
    return KernelFiles.text(file)
        .filter(text -> text.matches("\\d{1,9}"))
        .map(Integer::valueOf)
        .orElse(null);
  }

  /** True if its content is gone with the machine. */
  boolean instanceStorage() {
    return model != null && INSTANCE_STORAGE.matcher(model).matches();
  }

  /** True if a force must flush a cache, or pass a flush on. */
  boolean writesBack() {
    return WRITE_BACK.equals(writeCache);
  }

  /** True if no cache needs a flush. */
  boolean writesThrough() {
    return WRITE_THROUGH.equals(writeCache);
  }
}
