// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.pmem.Mount;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An empty device that is really there, as opposed to a directory whose device isn't mounted.
 *
 * <p>The directory must be the mount point itself, of a whole file system: if nothing is mounted
 * there, it is a directory of the file system above it, and if a directory of another file system
 * is bound there, as a container's runtime does with a host's folder, nobody can tell whether that
 * one's device was mounted. And nothing may lie in it: what holds files is somebody's. Files that a
 * killed trial of the device has left are nobody's.
 */
public final class EmptyDevice {
  /** The kernel's table of mounts. */
  public static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  /** Mounts on demand; the device's own file system appears above it. */
  private static final String ON_DEMAND = "autofs";

  /** The names of a trial's files begin so. */
  private static final String TRIAL = ".headpond-probe-";

  private EmptyDevice() {}

  /** Why a directory isn't one; empty if it is. */
  static Optional<String> objection(Path directory, Path mounts) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Optional.of("it isn't there");
    }
    // Before the table is read: a look is what makes a mount on demand.
    for (Path entry : NameLook.list(directory)) {
      String name = entry.getFileName().toString();
      if (!name.equals(LogDirScan.LOST_AND_FOUND) && !name.startsWith(TRIAL)) {
        return Optional.of("it holds '" + name + "'");
      }
    }
    return mountObjection(directory, mounts);
  }

  /** Why a directory isn't a device's own, whatever lies in it; empty if it is. */
  public static Optional<String> mountObjection(Path directory, Path mounts) throws IOException {
    Path real = directory.toRealPath();
    Mount mount = Mount.of(real, mounts);
    if (!mount.mountPoint().equals(real.toString()) || mount.type().equals(ON_DEMAND)) {
      return Optional.of("nothing is mounted there, at exactly this path");
    }
    return mount.root().equals("/")
        ? Optional.empty()
        : Optional.of(
            "what is mounted there is the folder "
                + mount.root()
                + " of a file system, whose own device may not be mounted");
  }
}
