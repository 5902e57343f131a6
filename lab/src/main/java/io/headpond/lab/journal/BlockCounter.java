// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Bytes that a block device has written, by the block layer's own count: the seventh field of
 * {@code /sys/class/block/NAME/stat}, in units of 512 bytes (kernel: Documentation/block/stat.rst).
 * Writes of others to the device count too.
 */
public final class BlockCounter {
  private static final int SECTORS_WRITTEN = 6;
  private static final int SECTOR_BYTES = 512;

  private final Path stat;

  /**
   * A device's counter.
   *
   * @param sysfs where it is mounted
   * @param device the kernel's name, as nvme0n1p1
   */
  public BlockCounter(Path sysfs, String device) {
    stat = sysfs.resolve("class/block").resolve(device).resolve("stat");
  }

  /** Bytes written since the machine started; empty: nobody counts them. */
  public OptionalLong writtenBytes() {
    try {
      String[] fields = Files.readString(stat).trim().split("\\s+");
      return OptionalLong.of(Long.parseLong(fields[SECTORS_WRITTEN]) * SECTOR_BYTES);
    } catch (IOException | RuntimeException uncounted) {
      return OptionalLong.empty();
    }
  }
}
