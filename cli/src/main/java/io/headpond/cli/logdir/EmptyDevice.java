// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An empty device that is really there, as opposed to a directory whose device isn't mounted.
 *
 * <p>The directory must be the mount point itself, of a whole file system: if nothing is mounted
 * there, it is a directory of the file system above it, and if a directory of another file system
 * is bound there, as a container's runtime does with a host's folder, nobody can tell whether that
 * one's device was mounted. And nothing may lie in it: what holds files is somebody's.
 */
public final class EmptyDevice {
  /** The kernel's table of mounts. */
  public static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private static final String OF_MKFS = "lost+found";

  /** Mounts on demand; the device's own file system appears above it. */
  private static final String ON_DEMAND = "autofs";

  // "36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw", as proc(5) says.
  private static final Pattern MOUNT =
      Pattern.compile("\\d+ \\d+ \\d+:\\d+ (\\S+) (\\S+) .*? - (\\S+) .*");

  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private EmptyDevice() {}

  /** Why a directory isn't one; empty if it is. */
  static Optional<String> objection(Path directory, Path mounts) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Optional.of("it isn't there");
    }
    // Before the table is read: a look is what makes a mount on demand.
    for (Path entry : NameLook.list(directory)) {
      if (!entry.getFileName().toString().equals(OF_MKFS)) {
        return Optional.of("it holds '" + entry.getFileName() + "'");
      }
    }
    return mountObjection(directory, mounts);
  }

  /** Why a directory isn't a device's own, whatever lies in it; empty if it is. */
  public static Optional<String> mountObjection(Path directory, Path mounts) throws IOException {
    Matcher mount = mount(directory.toRealPath(), mounts);
    if (mount == null || mount.group(3).equals(ON_DEMAND)) {
      return Optional.of("nothing is mounted there, at exactly this path");
    }
    return mount.group(1).equals("/")
        ? Optional.empty()
        : Optional.of(
            "what is mounted there is the folder "
                + path(mount.group(1))
                + " of a file system, whose own device may not be mounted");
  }

  /** The uppermost mount at a path; null if there is none. */
  private static Matcher mount(Path directory, Path mounts) throws IOException {
    Matcher found = null;
    for (String line : Files.readAllLines(mounts, StandardCharsets.UTF_8)) {
      Matcher mount = MOUNT.matcher(line);
      if (mount.matches() && path(mount.group(2)).equals(directory.toString())) {
        found = mount;
      }
    }
    return found;
  }

  /** Blanks and the like are written as three octal digits. */
  private static String path(String escaped) {
    return OCTAL
        .matcher(escaped)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group(1), 8))));
  }
}
