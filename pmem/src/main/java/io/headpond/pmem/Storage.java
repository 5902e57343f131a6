// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file system and the block devices that it lies on, as mount table and sysfs describe them.
 *
 * @param type as in the mount table: tmpfs, ext4, xfs ...
 * @param mount its line there
 * @param devices empty: none that sysfs shows
 * @param journal its own, of changes of names and lengths
 */
record Storage(String type, Mount mount, List<BlockDevice> devices, Journal journal) {
  /** One for all files: a change that is durable then has every earlier one beside it. */
  enum Journal {
    PRESENT,
    /** An ext4 that was made, or mounted, without. */
    ABSENT,
    UNKNOWN
  }

  /** File systems on disks of this machine, whose fsync flushes the disk, but for JFS. */
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "bcachefs", "nilfs2");

  /** Neither jfs_fsync (fs/jfs/file.c) nor its log's writes (jfs_logmgr.c) ask for a flush. */
  private static final String NEVER_FLUSHES = "jfs";

  /** Options by which a force doesn't flush the disk; the last one is of f2fs. */
  private static final Set<String> WITHOUT_FLUSH =
      Set.of("nobarrier", "barrier=0", "fsync_mode=nobarrier");

  /** Beginnings of those by which it makes nothing durable: of f2fs, of bcachefs. */
  private static final Set<String> WITHOUT_FORCE =
      Set.of("checkpoint=disable", "journal_flush_disabled");

  private static final Set<String> SERVED =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb3",
          "9p",
          "virtiofs",
          "ceph",
          "glusterfs",
          "lustre",
          "gpfs",
          "beegfs",
          "afs");

  /**
   * The storage below an absolute, real path.
   *
   * @param depth of devices above it
   */
  static Storage below(Path real, KernelFiles kernel, int depth) throws IOException {
    Mount mount = Mount.of(real, kernel.mountInfo());
    String type = mount.type().isEmpty() ? Files.getFileStore(real).type() : mount.type();
    List<BlockDevice> devices = devices(mount, kernel, depth);
    return new Storage(type, mount, devices, journal(type, devices, kernel));
  }

  /**
   * XFS always has one. Of ext4 {@code fs/ext4/DEVICE/journal_task} tells, since Linux 5.1: the
   * thread that commits it, 0 where another PID namespace has that, or {@code <none>}.
   */
  private static Journal journal(String type, List<BlockDevice> devices, KernelFiles kernel)
      throws IOException {
    if (type.equals("xfs")) {
      return Journal.PRESENT;
    }
    if (!type.equals("ext4") || devices.isEmpty()) {
      return Journal.UNKNOWN;
    }
    Path task =
        kernel.sysfs().resolve("fs/ext4").resolve(devices.get(0).name()).resolve("journal_task");
    return KernelFiles.text(task)
        .map(text -> text.equals("<none>") ? Journal.ABSENT : Journal.PRESENT)
        .orElse(Journal.UNKNOWN);
  }

  private static List<BlockDevice> devices(Mount mount, KernelFiles kernel, int depth)
      throws IOException {
    Path numbered = kernel.sysfs().resolve("dev/block").resolve(mount.number());
    if (Files.exists(numbered)) {
      return List.of(BlockDevice.at(numbered.toRealPath(), kernel, depth));
    }
    // Btrfs has a number of its own, and may have many disks.
    Path source = kernel.sysfs().getFileSystem().getPath(mount.source());
    Optional<Path> named =
        mount.source().startsWith("/") ? kernel.ofNode(node(source)) : Optional.empty();
    if (named.isEmpty()) {
      return List.of();
    }
    List<BlockDevice> devices = new ArrayList<>();
    for (Path member : members(named.get(), kernel.sysfs().resolve("fs/btrfs"))) {
      devices.add(BlockDevice.at(member.toRealPath(), kernel, depth));
    }
    return devices;
  }

  /** {@code /dev/mapper/data} leads to {@code /dev/dm-0}. */
  private static String node(Path source) {
    try {
      return source.toRealPath().toString();
    } catch (IOException notHere) {
      return source.toString();
    }
  }

  /** All devices of the Btrfs file system that one belongs to: {@code fs/btrfs/UUID/devices/}. */
  private static List<Path> members(Path named, Path btrfs) throws IOException {
    for (Path fileSystem : Files.isDirectory(btrfs) ? list(btrfs) : List.<Path>of()) {
      Path devices = fileSystem.resolve("devices");
      if (Files.exists(devices.resolve(named.getFileName()))) {
        return list(devices);
      }
    }
    return List.of(named);
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> names = Files.list(folder)) {
      return names.sorted().toList();
    }
  }

  /** True for tmpfs and ramfs. */
  boolean inMemory() {
    return type.equals("tmpfs") || type.equals("ramfs");
  }

  /**
   * Evidence for the durability of a force here, or of a store if files are mapped by {@code dax}.
   */
  Evidence evidence(boolean dax) {
    if (inMemory()) {
      return new Evidence(
          Durability.VOLATILE, type + " is memory: a power cut or a reboot empties it");
    }
    if (!LOCAL.contains(type)) {
      return ofOtherFileSystem();
    }
    if (devices.isEmpty()) {
      return dax
          ? new PersistentRegion("", List.of()).evidence("DAX")
          : Evidence.unknown(type + " shows no block device in sysfs");
    }
    Evidence found = Evidence.worst(devices.stream().map(device -> device.evidence(dax)).toList());
    boolean cached = devices.stream().anyMatch(device -> device.facts().writesBack());
    if (found.durability() != Durability.DURABLE) {
      return found;
    }
    Optional<String> without = WITHOUT_FORCE.stream().filter(mount::hasBeginning).findAny();
    if (without.isPresent()) {
      return Evidence.unknown(
          type + " is mounted with " + without.get() + ": a force does nothing");
    }
    if (cached && type.equals(NEVER_FLUSHES)) {
      return Evidence.unknown(type + " doesn't flush the disk's write cache when it is forced");
    }
    return cached && WITHOUT_FLUSH.stream().anyMatch(mount::has)
        ? Evidence.unknown(
            type + " is mounted without barriers: a force doesn't flush the disk's write cache")
        : found;
  }

  private Evidence ofOtherFileSystem() {
    if (type.equals("overlay") && mount.has("volatile")) {
      return new Evidence(
          Durability.VOLATILE, "the overlay is mounted as volatile: a force does nothing");
    }
    if (type.equals("overlay")) {
      return Evidence.unknown("the file system below an overlay can't be seen from here");
    }
    if (SERVED.contains(type) || type.startsWith("fuse")) {
      return Evidence.unknown(
          "what a force makes durable on " + type + " is up to whoever serves it");
    }
    return Evidence.unknown("what a force makes durable on " + type + " isn't known");
  }

  /** {@code ext4 on nvme0n1}. */
  String words() {
    String named = journal == Journal.ABSENT ? type + " without a journal" : type;
    return devices.isEmpty()
        ? named
        : named
            + " on "
            + devices.stream().map(BlockDevice::words).collect(Collectors.joining(" and "));
  }
}
