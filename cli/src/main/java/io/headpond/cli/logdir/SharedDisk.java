// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * What two directories have in common below them: a fast tier and a home that wait for the same
 * disk gain nothing.
 */
public final class SharedDisk {
  private SharedDisk() {}

  /**
   * What they share, as in "lies on ...".
   *
   * @return empty if it is nothing, or isn't known
   */
  public static Optional<String> below(Path fast, Path home) {
    try {
      if (Files.getFileStore(fast).equals(Files.getFileStore(home))) {
        return Optional.of("the same file system");
      }
      Set<String> shared = Device.detect(fast).disks();
      shared.retainAll(Device.detect(home).disks());
      return shared.stream().findFirst().map(disk -> "the same disk (" + disk + ")");
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }
}
