// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What two directories have in common below them: a fast tier and a home that wait for the same
 * disk gain nothing.
 */
public final class SharedDisk {
  private static final int LAYERS_MAX = 16;

  private final Path sys;

  /** Reads {@code /sys}, or in a test a copy of it. */
  public SharedDisk(Path sys) {
    this.sys = sys;
  }

  /**
   * What they share, as in "lies on ...".
   *
   * @return empty if it is nothing, or isn't known
   */
  public Optional<String> below(Path fast, Path home) {
    try {
      if (Files.getFileStore(fast).equals(Files.getFileStore(home))) {
        return Optional.of("the same file system");
      }
      Optional<String> one = Device.detect(fast).blockDevice();
      Optional<String> other = Device.detect(home).blockDevice();
      return one.isEmpty() || other.isEmpty() ? Optional.empty() : disk(one.get(), other.get());
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  /** The disk that two block devices, as {@code nvme0n1p1}, have in common. */
  Optional<String> disk(String one, String other) {
    Set<String> shared = disks(one, LAYERS_MAX);
    shared.retainAll(disks(other, LAYERS_MAX));
    return shared.stream().findFirst().map(disk -> "the same disk (" + disk + ")");
  }

  /**
   * The whole disks below a block device: of a partition, of what LVM or md put together, and of
   * what a loop device shows.
   */
  private Set<String> disks(String name, int layers) {
    Set<String> disks = new TreeSet<>();
    try {
      Path device = sys.resolve("class/block").resolve(name).toRealPath();
      if (Files.exists(device.resolve("partition"))) {
        device = device.getParent();
      }
      try (DirectoryStream<Path> below = Files.newDirectoryStream(device.resolve("slaves"))) {
        for (Path each : below) {
          if (layers > 0) {
            disks.addAll(disks(each.getFileName().toString(), layers - 1));
          }
        }
      }
      Path backing = device.resolve("loop/backing_file");
      if (layers > 0 && Files.exists(backing)) {
        shown(Path.of(Files.readString(backing).strip()))
            .ifPresent(below -> disks.addAll(disks(below, layers - 1)));
      }
      if (disks.isEmpty()) {
        disks.add(device.getFileName().toString());
      }
    } catch (IOException unknown) {
      disks.add(name);
    }
    return disks;
  }

  /** The block device that a loop device shows, or that the file which it shows lies on. */
  private Optional<String> shown(Path backing) throws IOException {
    boolean device =
        backing.startsWith("/dev")
            && Files.exists(sys.resolve("class/block").resolve(backing.getFileName()));
    return device
        ? Optional.of(backing.getFileName().toString())
        : Device.detect(backing).blockDevice();
  }
}
