// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's counts of what a folder's block device did; -1 where it doesn't say.
 *
 * @param reads operations
 * @param readBytes of them
 * @param writes operations
 * @param writtenBytes of them
 * @param flushes of the device's cache
 * @param commits of the file system's journal (ext4)
 */
public record DeviceIo(
    long reads, long readBytes, long writes, long writtenBytes, long flushes, long commits) {

  private static final DeviceIo UNKNOWN = new DeviceIo(-1, -1, -1, -1, -1, -1);

  /** The unit of the kernel's counts, whatever the device's own. */
  private static final int SECTOR_BYTES = 512;

  /** Columns of {@code stat}: Documentation/block/stat.rst of the kernel. */
  private static final int READS = 0;

  private static final int SECTORS_READ = 2;
  private static final int WRITES = 4;
  private static final int SECTORS_WRITTEN = 6;
  private static final int FLUSHES = 15;

  /** Those of the device that has {@code folder}, since it is there. */
  static DeviceIo of(Path folder) throws IOException {
    long device = (Long) Files.getAttribute(folder, "unix:dev");
    Path sys = Path.of("/sys/dev/block/" + major(device) + ":" + minor(device));
    if (!Files.exists(sys)) {
      return UNKNOWN; // no block device: tmpfs and the like
    }
    String name = sys.toRealPath().getFileName().toString();
    Path journal = Path.of("/proc/fs/jbd2/" + name + "-8/info");
    return parse(
        Files.readString(sys.resolve("stat")),
        Files.exists(journal) ? Files.readString(journal) : "");
  }

  /**
   * Those of these texts of the kernel's.
   *
   * @param journal of the file system's journal; empty: there is none
   */
  static DeviceIo parse(String stat, String journal) {
    String[] fields = stat.strip().split("\\s+");
    return new DeviceIo(
        Long.parseLong(fields[READS]),
        SECTOR_BYTES * Long.parseLong(fields[SECTORS_READ]),
        Long.parseLong(fields[WRITES]),
        SECTOR_BYTES * Long.parseLong(fields[SECTORS_WRITTEN]),
        fields.length > FLUSHES ? Long.parseLong(fields[FLUSHES]) : -1,
        journal.isBlank() ? -1 : Long.parseLong(journal.strip().split("\\s+")[0]));
  }

  /** The difference to {@code before}. */
  DeviceIo since(DeviceIo before) {
    return new DeviceIo(
        since(reads, before.reads),
        since(readBytes, before.readBytes),
        since(writes, before.writes),
        since(writtenBytes, before.writtenBytes),
        since(flushes, before.flushes),
        since(commits, before.commits));
  }

  private static long since(long now, long before) {
    return now < 0 || before < 0 ? -1 : now - before;
  }

  /** As in the kernel's {@code MAJOR} of a number that {@code stat} gives. */
  static long major(long device) {
    return device >> 8 & 0xfff | device >> 32 & ~0xfffL;
  }

  /** As in the kernel's {@code MINOR}. */
  static long minor(long device) {
    return device & 0xff | device >> 12 & ~0xffL;
  }
}
