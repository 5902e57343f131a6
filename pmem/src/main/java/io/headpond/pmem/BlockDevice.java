// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A block device as sysfs describes it (kernel: Documentation/ABI/testing/sysfs-bus-nvdimm).
 *
 * <p>{@code /sys/dev/block/MAJOR:MINOR} leads to {@code .../region0/namespace0.0/block/pmem0}; the
 * region's folder holds {@code persistence_domain} and {@code numa_node}. A mapped device (LVM, dm)
 * has its parts in {@code slaves/}: it keeps its bytes only if all of them do.
 *
 * @param name the kernel's name; empty for a file system without a block device
 * @param persistenceDomain of the region, or of the first part that has none proven; empty if none
 * @param numaNode where known
 */
record BlockDevice(String name, String persistenceDomain, OptionalInt numaNode) {
  private static final BlockDevice NONE = new BlockDevice("", "", OptionalInt.empty());
  private static final Pattern RAM_DISK = Pattern.compile("z?ram\\d+");
  private static final int MAX_DEPTH = 16;

  static BlockDevice of(String majorMinor, Path sysfs) throws IOException {
    Path link = sysfs.resolve("dev/block").resolve(majorMinor.isEmpty() ? "none" : majorMinor);
    return Files.exists(link) ? at(link.toRealPath(), MAX_DEPTH) : NONE;
  }

  private static BlockDevice at(Path folder, int depth) throws IOException {
    String name = folder.getFileName().toString();
    List<BlockDevice> parts = depth > 0 ? parts(folder, depth - 1) : List.of();
    if (!parts.isEmpty()) {
      BlockDevice weakest =
          parts.stream()
              .filter(part -> !part.persistenceDomainProven())
              .findFirst()
              .orElse(parts.get(0));
      boolean telling = weakest.ramDisk() || weakest.persistentMemory();
      return new BlockDevice(
          telling ? weakest.name : name, weakest.persistenceDomain, weakest.numaNode);
    }
    OptionalInt node =
        attribute(folder, "numa_node")
            .filter(text -> text.matches("\\d+"))
            .map(text -> OptionalInt.of(Integer.parseInt(text)))
            .orElse(OptionalInt.empty());
    return new BlockDevice(name, attribute(folder, "persistence_domain").orElse(""), node);
  }

  private static List<BlockDevice> parts(Path folder, int depth) throws IOException {
    List<BlockDevice> parts = new ArrayList<>();
    Path slaves = folder.resolve("slaves");
    if (Files.isDirectory(slaves)) {
      try (DirectoryStream<Path> each = Files.newDirectoryStream(slaves)) {
        for (Path slave : each) {
          parts.add(at(slave.toRealPath(), depth));
        }
      }
    }
    return parts;
  }

  /** The nearest file of that name on the way up; -1 in numa_node means unknown and is passed. */
  private static Optional<String> attribute(Path folder, String name) throws IOException {
    for (Path at = folder; at != null && at.getNameCount() > 0; at = at.getParent()) {
      Path file = at.resolve(name);
      if (Files.isRegularFile(file)) {
        String text = Files.readString(file).strip();
        if (!text.equals("-1")) {
          return Optional.of(text);
        }
      }
    }
    return Optional.empty();
  }

  boolean persistenceDomainProven() {
    return persistenceDomain.equals("cpu_cache") || persistenceDomain.equals("memory_controller");
  }

  boolean ramDisk() {
    return RAM_DISK.matcher(name).matches();
  }

  boolean persistentMemory() {
    return name.startsWith("pmem");
  }
}
