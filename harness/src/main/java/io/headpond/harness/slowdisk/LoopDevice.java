// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A block device whose content is a file, or another device's.
 *
 * @param name as {@code loop0}
 * @param number major and minor, as {@code 7:0}
 * @param folder of the kernel's files about it
 */
record LoopDevice(String name, String number, Path folder) {

  /**
   * The largest operation. It can't have more than 128 pieces of memory, which are pages where
   * memory is in use: without a limit the same write would count as one operation or as two, by
   * chance.
   */
  static final int OPERATION_KIB = 512;

  /**
   * What the kernel reads ahead of a sequential reader: two of the largest operations. By itself it
   * is 128 KiB, as of most disks, or what the file that this device last had was given: megabytes
   * on some disks. A hard disk goes on at its full rate from one operation to the next, where a
   * limit of operations counts each: with 128 KiB a sequential reader would get a quarter of what
   * the disk gives.
   */
  private static final int READ_AHEAD_KIB = 2 * OPERATION_KIB;

  /** The kernel's default for a disk with one queue. */
  private static final String SCHEDULER = "mq-deadline";

  /** The kernel's suffix of the name of a removed file. */
  private static final String REMOVED = " (deleted)";

  /**
   * The device that has this file, if there is one. A device is only ever found by its file, never
   * by its name: names are given again.
   */
  static Optional<LoopDevice> of(SystemFiles system, Path file) throws IOException {
    try (Stream<Path> all = Files.list(system.blockDevices())) {
      for (Path folder : all.toList()) {
        String name = folder.getFileName().toString();
        if (name.startsWith("loop") && has(folder, file)) {
          return Optional.of(new LoopDevice(name, SystemFiles.text(folder.resolve("dev")), folder));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean has(Path folder, Path file) throws IOException {
    Path backing = folder.resolve("loop/backing_file");
    if (!Files.exists(backing)) {
      return false;
    }
    String name = SystemFiles.text(backing);
    return name.equals(file.toString()) || name.equals(file + REMOVED);
  }

  /**
   * A new one, whose reads and writes go past the page cache to the file's own device, in
   * operations of {@link #OPERATION_KIB}.
   */
  static LoopDevice attach(SystemFiles system, Programs programs, Path file)
      throws IOException, InterruptedException {
    programs.run("losetup", "--find", "--direct-io=on", file);
    LoopDevice device =
        of(system, file).orElseThrow(() -> new IOException("no loop device has " + file));
    if (!SystemFiles.text(device.folder.resolve("loop/dio")).equals("1")) {
      throw new IOException(
          device.path()
              + " can't go past the page cache to "
              + file
              + "; name a folder on ext4 or XFS by --home, or in memory from Linux 6.6 on");
    }
    SystemFiles.write(
        device.folder.resolve("queue/max_sectors_kb"), Integer.toString(OPERATION_KIB));
    return device;
  }

  /**
   * A new one above a device, with the queue of a disk: adjacent operations that wait there become
   * one, and sequential readers are read ahead of by {@link #READ_AHEAD_KIB}. The block layer
   * limits operations as they are submitted, before they are merged: each block of a journal's
   * commit would count as one, where a disk writes all of them at once.
   */
  static LoopDevice above(SystemFiles system, Programs programs, LoopDevice lower)
      throws IOException, InterruptedException {
    LoopDevice device = attach(system, programs, lower.path());
    SystemFiles.write(device.folder.resolve("queue/scheduler"), SCHEDULER);
    SystemFiles.write(
        device.folder.resolve("queue/read_ahead_kb"), Integer.toString(READ_AHEAD_KIB));
    return device;
  }

  /** The one above this one, if there is one; as long as that is, this one's name is its own. */
  Optional<LoopDevice> above(SystemFiles system) throws IOException {
    return of(system, path());
  }

  /** The device node. */
  Path path() {
    return Path.of("/dev", name);
  }

  /** The counters of its operations. */
  Path counters() {
    return folder.resolve("stat");
  }
}
