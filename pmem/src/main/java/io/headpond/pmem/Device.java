// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Storage below a directory: its file system, whether that is DAX, and its durability across a
 * power cut. Detected once; immutable.
 *
 * <p>A mapping with {@code MAP_SYNC} that succeeds is DAX, but proves nothing about power: DRAM
 * that the kernel was told to take for persistent memory accepts it too. Only a region that shows a
 * persistence domain in sysfs is believed.
 */
public final class Device {
  private final Path directory;
  private final String fileSystemType;
  private final boolean dax;
  private final BlockDevice block;
  private final Durability durability;
  private final String explanation;

  private Device(
      Path directory, String fileSystemType, boolean dax, BlockDevice block, SyncMapProbe probe) {
    this.directory = directory;
    this.fileSystemType = fileSystemType;
    this.dax = dax;
    this.block = block;
    if (inMemory()) {
      this.durability = Durability.VOLATILE;
      this.explanation = fileSystemType + " is memory: a power cut or a reboot empties it";
    } else if (block.ramDisk()) {
      this.durability = Durability.VOLATILE;
      this.explanation = block.name() + " is a RAM disk: a power cut or a reboot empties it";
    } else if (dax || block.persistentMemory()) {
      boolean proven = block.persistenceDomainProven();
      this.durability = proven ? Durability.DURABLE : Durability.EMULATED;
      this.explanation =
          (dax ? "DAX" : "persistent memory without DAX")
              + " on "
              + block.name()
              + (proven
                  ? ", persistence domain " + block.persistenceDomain()
                  : ", whose region shows no persistence domain in sysfs ("
                      + (block.persistenceDomain().isEmpty()
                          ? "nothing"
                          : block.persistenceDomain())
                      + "): treated as emulated");
    } else {
      this.durability = Durability.DURABLE;
      this.explanation =
          fileSystemType
              + (block.name().isEmpty() ? "" : " on " + block.name())
              + ": durable when forced; no DAX ("
              + probe.lastRefusal()
              + ")";
    }
  }

  /** Detects the storage below an existing directory. Writes and deletes a small probe file. */
  public static Device detect(Path directory) throws IOException {
    return detect(
        directory,
        directory.getFileSystem().getPath("/sys"),
        directory.getFileSystem().getPath("/proc/self/mountinfo"),
        new SyncMapProbe());
  }

  static Device detect(Path directory, Path sysfs, Path mountInfo, SyncMapProbe probe)
      throws IOException {
    Path real = directory.toRealPath();
    Mount mount = Mount.of(real, mountInfo);
    String type = mount.type().isEmpty() ? Files.getFileStore(real).type() : mount.type();
    BlockDevice block = BlockDevice.of(mount.majorMinor(), sysfs);
    boolean dax = !inMemory(type) && probe.succeeds(real);
    return new Device(directory, type, dax, block, probe);
  }

  /** The directory that was examined. */
  public Path directory() {
    return directory;
  }

  /** File system type as in /proc/self/mountinfo: tmpfs, ext4, xfs ... */
  public String fileSystemType() {
    return fileSystemType;
  }

  /**
   * True if a file system that overwrites a file's blocks where they are: a write into an extent
   * that was written before then needs no change of the file system's own data. Known of ext4 and
   * XFS without reflinks' sharing; a file system that copies on write (Btrfs, ZFS), one in a
   * network and an overlay aren't.
   */
  public boolean writesInPlace() {
    return fileSystemType.equals("ext4") || fileSystemType.equals("xfs");
  }

  /** True if files here can be mapped with {@code MAP_SYNC}. */
  public boolean dax() {
    return dax;
  }

  /** State of bytes persisted here after a power cut. */
  public Durability durability() {
    return durability;
  }

  /** The block device's kernel name, as pmem0 or nvme0n1p1. */
  public Optional<String> blockDevice() {
    return block.name().isEmpty() ? Optional.empty() : Optional.of(block.name());
  }

  /** The persistence domain that sysfs shows for the device's region; empty if none. */
  public String persistenceDomain() {
    return block.persistenceDomain();
  }

  /** The NUMA node the device is attached to, where sysfs tells. */
  public OptionalInt numaNode() {
    return block.numaNode();
  }

  /** One line that says why {@link #durability()} is what it is. */
  public String explanation() {
    return explanation;
  }

  /** True for tmpfs and ramfs. */
  boolean inMemory() {
    return inMemory(fileSystemType);
  }

  private static boolean inMemory(String type) {
    return type.equals("tmpfs") || type.equals("ramfs");
  }

  @Override
  public String toString() {
    return directory + " (" + fileSystemType + ", " + durability + ": " + explanation + ")";
  }
}
