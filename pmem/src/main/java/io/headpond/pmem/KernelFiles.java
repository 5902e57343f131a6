// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kernel's own files that describe devices.
 *
 * @param sysfs where it is mounted
 * @param mountInfo the table of this process's mounts
 */
record KernelFiles(Path sysfs, Path mountInfo) {
  /** Where device nodes lie. */
  private static final String NODES = "/dev/";

  /**
   * The folder of the block device of a node, as {@code /dev/nvme0n1}; empty if it is none. In
   * sysfs a slash in a device's name is an exclamation mark.
   */
  Optional<Path> ofNode(String node) {
    return Optional.of(node)
        .filter(path -> path.startsWith(NODES))
        .map(path -> path.substring(NODES.length()).replace('/', '!'))
        .map(name -> sysfs.resolve("class/block").resolve(name))
        .filter(Files::isDirectory);
  }

  /**
   * An attribute's text; empty if the kernel doesn't tell.
   *
   * @throws ClosedByInterruptException because then nobody knows whether it would have
   */
  static Optional<String> text(Path file) throws ClosedByInterruptException {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException untold) {
      return Optional.empty();
    }
  }
}
