// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A block device as sysfs describes it. {@code /sys/dev/block/MAJOR:MINOR} leads to its folder, for
 * example {@code .../region0/namespace0.0/block/pmem0}.
 *
 * <p>A mapped device (LVM, dm, md) has its parts in {@code slaves/}, a loop device names its file,
 * or the one device that it shows: they keep their bytes only if all that they lie on does.
 *
 * @param name the kernel's name
 * @param disk the name of its whole disk
 * @param facts of that
 * @param region of persistent memory that it lies in
 * @param parts of a mapped device, or of a loop device above another device
 * @param file of a loop device; empty: it is none, or has none
 */
record BlockDevice(
    String name,
    String disk,
    DiskFacts facts,
    PersistentRegion region,
    List<BlockDevice> parts,
    Optional<LoopFile> file) {
  /** A chain of devices this deep is a loop of them. */
  static final int DEPTH_MAX = 16;

  private static final Pattern RAM_DISK = Pattern.compile("z?ram\\d+");
  private static final Pattern LOOP = Pattern.compile("loop\\d+(p\\d+)?");
  private static final Pattern MAPPED = Pattern.compile("(dm-|md|bcache).*");

  /** Their bytes go to a server or to a program, of which sysfs shows nothing. */
  private static final Pattern ELSEWHERE = Pattern.compile("(nbd|rbd|drbd|ublkb|zd)\\d+.*");

  /**
   * The file that a loop device shows as a disk.
   *
   * @param path as the kernel names it
   * @param storage below it; empty if this process can't see the file
   */
  record LoopFile(String path, Optional<Storage> storage) {}

  /** The device of a folder in sysfs. */
  static BlockDevice at(Path folder, KernelFiles kernel, int depth) throws IOException {
    // A partition has no queue of its own.
    Path above = folder.getParent();
    boolean partition =
        !Files.isDirectory(folder.resolve("queue")) && Files.isDirectory(above.resolve("queue"));
    Path disk = partition ? above : folder;
    return new BlockDevice(
        folder.getFileName().toString(),
        disk.getFileName().toString(),
        DiskFacts.of(disk),
        PersistentRegion.above(folder),
        depth < DEPTH_MAX ? parts(disk, kernel, depth + 1) : List.of(),
        depth < DEPTH_MAX ? file(disk, kernel, depth + 1) : Optional.empty());
  }

  /** The folder in sysfs of the device that a loop device shows; empty: it shows a file. */
  private static Optional<Path> shown(Path disk, KernelFiles kernel) throws IOException {
    Optional<Path> shown =
        KernelFiles.text(disk.resolve("loop/backing_file")).flatMap(kernel::ofNode);
    return shown.isPresent() ? Optional.of(shown.get().toRealPath()) : shown;
  }

  private static List<BlockDevice> parts(Path disk, KernelFiles kernel, int depth)
      throws IOException {
    List<BlockDevice> parts = new ArrayList<>();
    Path slaves = disk.resolve("slaves");
    if (Files.isDirectory(slaves)) {
      try (DirectoryStream<Path> each = Files.newDirectoryStream(slaves)) {
        for (Path slave : each) {
          parts.add(at(slave.toRealPath(), kernel, depth));
        }
      }
    }
    Optional<Path> shown = shown(disk, kernel);
    if (shown.isPresent()) {
      parts.add(at(shown.get(), kernel, depth));
    }
    parts.sort(Comparator.comparing(BlockDevice::name));
    return parts;
  }

  private static Optional<LoopFile> file(Path disk, KernelFiles kernel, int depth)
      throws IOException {
    Optional<String> name = KernelFiles.text(disk.resolve("loop/backing_file"));
    if (name.isEmpty() || shown(disk, kernel).isPresent()) {
      return Optional.empty();
    }
    // A real path, but perhaps one of another mount namespace, or deleted.
    Path path = disk.getFileSystem().getPath(name.get());
    return Optional.of(
        new LoopFile(
            name.get(),
            Files.exists(path)
                ? Optional.of(Storage.below(path, kernel, depth))
                : Optional.empty()));
  }

  /** Evidence for the durability of a force, or of a store if files are mapped by {@code dax}. */
  Evidence evidence(boolean dax) {
    if (ramDisk()) {
      return new Evidence(
          Durability.VOLATILE, name + " is a RAM disk: a power cut or a reboot empties it");
    }
    if (!parts.isEmpty()) {
      return ofParts(dax);
    }
    if (LOOP.matcher(name).matches()) {
      return ofFile();
    }
    if (dax || persistentMemory()) {
      return region.evidence((dax ? "DAX on " : "persistent memory without DAX on ") + name);
    }
    if (ELSEWHERE.matcher(name).matches() || MAPPED.matcher(name).matches()) {
      return Evidence.unknown("what " + name + " lies on can't be seen from here");
    }
    return ofDisk();
  }

  private Evidence ofParts(boolean dax) {
    Evidence worst = Evidence.worst(parts.stream().map(part -> part.evidence(dax)).toList());
    boolean cached = parts.stream().anyMatch(part -> part.facts().writesBack());
    if (worst.durability() == Durability.DURABLE && cached && facts.writesThrough()) {
      return Evidence.unknown(name + " passes no flush on to its parts");
    }
    return worst;
  }

  private Evidence ofFile() {
    if (file.flatMap(LoopFile::storage).isEmpty()) {
      return Evidence.unknown("the file below " + name + " can't be seen from here");
    }
    Evidence below = file.get().storage().get().evidence(false);
    if (below.durability() == Durability.DURABLE && !facts.writesBack()) {
      return Evidence.unknown(name + " passes no flush on to its file");
    }
    return below;
  }

  private Evidence ofDisk() {
    if (facts.instanceStorage()) {
      return new Evidence(
          Durability.EPHEMERAL,
          name
              + " is instance storage ("
              + facts.model()
              + "), which is gone when the cloud stops or moves the machine; a power cut or a"
              + " reboot it outlives");
    }
    if (facts.writesBack()) {
      return new Evidence(Durability.DURABLE, "a force flushes the write cache");
    }
    if (facts.writesThrough()) {
      return new Evidence(Durability.DURABLE, "no write cache that a power cut empties");
    }
    return Evidence.unknown(
        "sysfs shows nothing of " + name + "'s write cache (queue/write_cache)");
  }

  /** The first of the parts that {@link #evidence} comes from; itself, if it isn't mapped. */
  BlockDevice weakest(boolean dax) {
    Evidence worst = evidence(dax);
    return parts.stream()
        .filter(part -> part.evidence(dax).equals(worst))
        .findFirst()
        .map(part -> part.weakest(dax))
        .orElse(this);
  }

  /** The whole disks at the bottom, as far as they are seen; its own, if it lies on none. */
  Set<String> disks() {
    List<BlockDevice> below = file.flatMap(LoopFile::storage).map(Storage::devices).orElse(parts);
    Set<String> disks = new TreeSet<>();
    below.forEach(each -> disks.addAll(each.disks()));
    return disks.isEmpty() ? Set.of(disk) : disks;
  }

  /** True if it lies on no other device. */
  boolean direct() {
    return parts.isEmpty() && file.isEmpty();
  }

  /** Adds those of all its modules, by their identifiers. */
  void dirtyShutdowns(Map<String, Long> counts) {
    region
        .modules()
        .forEach(
            module -> module.dirtyShutdowns().ifPresent(count -> counts.put(module.id(), count)));
    parts.forEach(part -> part.dirtyShutdowns(counts));
  }

  boolean ramDisk() {
    return RAM_DISK.matcher(name).matches();
  }

  boolean persistentMemory() {
    return name.startsWith("pmem");
  }

  /** Its name, and what it lies on. */
  String words() {
    if (file.isPresent()) {
      return name
          + ", a file ("
          + file.get().path()
          + ")"
          + file.get().storage().map(storage -> " on " + storage.words()).orElse("");
    }
    return parts.isEmpty()
        ? name
        : name
            + " of "
            + parts.stream().map(BlockDevice::words).collect(Collectors.joining(" and "));
  }
}
