// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The files of the kernel and of this command that a limited home is set up by.
 *
 * @param root of all of them
 */
record SystemFiles(Path root) {

  private static final int LINE_BYTES_MAX = 64 << 10;

  /** Options of a shell's redirection, but for making a file. */
  private static final OpenOption[] OVERWRITE = {
    StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING
  };

  /** The files of this machine. */
  static SystemFiles ofMachine() {
    return new SystemFiles(Path.of("/"));
  }

  /** The control groups. */
  Path controlGroups() {
    return root.resolve("sys/fs/cgroup");
  }

  /** The block devices. */
  Path blockDevices() {
    return root.resolve("sys/block");
  }

  /** Makes loop devices. */
  Path loopControl() {
    return root.resolve("dev/loop-control");
  }

  /** The settings of virtual memory. */
  Path virtualMemory() {
    return root.resolve("proc/sys/vm");
  }

  /** The processes, each with a folder named by its id. */
  Path processes() {
    return root.resolve("proc");
  }

  /** The records of what is set up; they outlive a restart of the machine, as its files do. */
  Path records() {
    return root.resolve("var/lib/headpond-lab");
  }

  /** The user that this process acts for; 0 is root. */
  int user() throws IOException {
    return (Integer) Files.getAttribute(processes().resolve("self"), "unix:uid");
  }

  /** The identity of the machine's present start. */
  String boot() throws IOException {
    return text(processes().resolve("sys/kernel/random/boot_id"));
  }

  /** The groups of this process: a line for each hierarchy. */
  List<String> ownGroups() throws IOException {
    return Files.readAllLines(processes().resolve("self/cgroup"), StandardCharsets.UTF_8);
  }

  /** True if a file system is mounted on {@code folder}. */
  boolean mounted(Path folder) throws IOException {
    String escaped =
        folder
            .toString()
            .replace("\\", "\\134")
            .replace(" ", "\\040")
            .replace("\t", "\\011")
            .replace("\n", "\\012");
    try (var lines =
        Files.lines(processes().resolve("self/mountinfo"), StandardCharsets.ISO_8859_1)) {
      String asRead =
          new String(escaped.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      return lines.anyMatch(line -> line.split(" ")[4].equals(asRead));
    }
  }

  /**
   * The content of a file of one line. It is read at once: a second read of a kernel's setting gets
   * nothing, and {@code Files.readString} takes a single byte first of a file that has no size.
   */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LINE_BYTES_MAX), StandardCharsets.UTF_8).strip();
    }
  }

  /** Hands the kernel a line by one of its files, which must be there. */
  static void write(Path file, String line) throws IOException {
    try {
      Files.writeString(file, line + "\n", OVERWRITE);
    } catch (IOException e) {
      throw new IOException(file + " doesn't take '" + line + "': " + e.getMessage(), e);
    }
  }
}
