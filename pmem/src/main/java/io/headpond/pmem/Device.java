// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Storage below a directory: its file system, whether that is DAX, and its durability across a
 * power cut. Detected once; immutable.
 *
 * <p>A mapping with {@code MAP_SYNC} that succeeds is DAX, but proves nothing about power: DRAM
 * that the kernel was told to take for persistent memory accepts it too. Only a region that shows a
 * persistence domain in sysfs is believed. A disk is durable where sysfs shows what a force does to
 * its write cache, and a file system of this machine asks for it.
 */
public final class Device {
  private final Path directory;
  private final Storage storage;
  private final boolean dax;
  private final Optional<BlockDevice> weakest;
  private final Durability durability;
  private final String explanation;

  private Device(Path directory, Storage storage, boolean dax, SyncMapProbe probe) {
    this.directory = directory;
    this.storage = storage;
    this.dax = dax;
    Evidence evidence = storage.evidence(dax);
    this.durability = evidence.durability();
    this.weakest =
        storage.devices().stream()
            .max(Comparator.comparing(device -> device.evidence(dax).durability()))
            .map(device -> device.weakest(dax));
    boolean mapped = dax || weakest.map(BlockDevice::persistentMemory).orElse(false);
    if (durability == Durability.DURABLE && !mapped) {
      this.explanation =
          storage.words()
              + ": durable when forced ("
              + evidence.reason()
              + "); no DAX ("
              + probe.lastRefusal()
              + ")";
    } else {
      // A device above another one isn't named by what is known of the lower one.
      boolean direct = storage.devices().stream().allMatch(BlockDevice::direct);
      this.explanation = (direct ? "" : storage.words() + ": ") + evidence.reason();
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
    Storage storage = Storage.below(directory.toRealPath(), new KernelFiles(sysfs, mountInfo), 0);
    boolean dax = !storage.inMemory() && probe.succeeds(directory.toRealPath());
    return new Device(directory, storage, dax, probe);
  }

  /** The directory that was examined. */
  public Path directory() {
    return directory;
  }

  /** File system type as in /proc/self/mountinfo: tmpfs, ext4, xfs ... */
  public String fileSystemType() {
    return storage.type();
  }

  /**
   * True if a file system that overwrites a file's blocks where they are: a write into an extent
   * that was written before then needs no change of the file system's own data. Known of ext4 and
   * XFS without reflinks' sharing; a file system that copies on write (Btrfs, ZFS), one in a
   * network and an overlay aren't.
   */
  public boolean writesInPlace() {
    return fileSystemType().equals("ext4") || fileSystemType().equals("xfs");
  }

  /**
   * True if a power cut that leaves a change of names or lengths here leaves every earlier one, of
   * whatever file: the journal of ext4 and XFS commits all in order. ext4 can be without one. A
   * force on Btrfs writes what it knows of one file or directory beside what was changed before.
   */
  public boolean keepsOrder() {
    return storage.journal() == Storage.Journal.PRESENT;
  }

  /** True if its file system is an ext4 that is known to have no journal. */
  public boolean lacksJournal() {
    return storage.journal() == Storage.Journal.ABSENT;
  }

  /** True if files here can be mapped with {@code MAP_SYNC}. */
  public boolean dax() {
    return dax;
  }

  /** State of bytes persisted here after a power cut. */
  public Durability durability() {
    return durability;
  }

  /**
   * The block device's kernel name, as pmem0 or nvme0n1p1. Of a mapped device's parts it is the one
   * that isn't a disk, if there is one.
   */
  public Optional<String> blockDevice() {
    return weakest
        .filter(device -> device.persistentMemory() || device.ramDisk())
        .or(() -> storage.devices().stream().findFirst())
        .map(BlockDevice::name);
  }

  /** The kernel's names of the whole disks at the bottom; none if that isn't known. */
  public Set<String> disks() {
    Set<String> disks = new TreeSet<>();
    storage.devices().forEach(device -> disks.addAll(device.disks()));
    return disks;
  }

  /** The kernel's facts of that device's disk; of a mapped device with the model of its part. */
  public DiskFacts disk() {
    return storage.devices().stream()
        .findFirst()
        .map(device -> device.facts().withModel(weakest.get().facts().model()))
        .orElse(DiskFacts.UNKNOWN);
  }

  /** The persistence domain that sysfs shows for the device's region; empty if none. */
  public String persistenceDomain() {
    return weakest.map(device -> device.region().persistenceDomain()).orElse("");
  }

  /**
   * Counts of power failures at which a module of persistent memory couldn't keep everything; only
   * of those that count. A module's own identifier (letters, digits, dashes and underscores)
   * outlives a restart of the machine.
   */
  public Map<String, Long> dirtyShutdowns() {
    Map<String, Long> counts = new TreeMap<>();
    storage.devices().forEach(device -> device.dirtyShutdowns(counts));
    return counts;
  }

  /** One line that says why {@link #durability()} is what it is. */
  public String explanation() {
    return explanation;
  }

  /** True for tmpfs and ramfs. */
  public boolean inMemory() {
    return storage.inMemory();
  }

  @Override
  public String toString() {
    return directory + " (" + fileSystemType() + ", " + durability + ": " + explanation + ")";
  }
}
