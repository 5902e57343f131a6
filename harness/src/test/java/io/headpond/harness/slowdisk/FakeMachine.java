// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The kernel's files as plain ones, and programs that write down how they were called. */
final class FakeMachine {

  static final String BOOT = "6a1f";
  static final long PID = ProcessHandle.current().pid();

  private final Path root;

  FakeMachine(Path root) throws IOException {
    this.root = root;
    file("proc/sys/kernel/random/boot_id", BOOT);
    file("proc/self/cgroup", "7:blkio:/\n0::/user.slice");
    file("proc/self/mountinfo", "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw");
    process(PID, 100, 1234);
    memory(0, 0, 20, 10);
    file("dev/loop-control", "");
    Files.createDirectories(root.resolve("sys/block"));
    Files.createDirectories(root.resolve("var/lib/headpond-lab"));
    for (String program :
        new String[] {"losetup", "fallocate", "mkfs.ext4", "mount", "umount", "sync"}) {
      program(program, "");
    }
    program("setsid", "exec \"$@\"");
  }

  SystemFiles files() {
    return new SystemFiles(root);
  }

  Programs programs() {
    return new Programs(List.of(root.resolve("bin")));
  }

  Path file(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content + "\n");
  }

  String content(String name) throws IOException {
    return Files.readString(root.resolve(name)).strip();
  }

  Path path(String name) {
    return root.resolve(name);
  }

  void process(long pid, long session, long started) throws IOException {
    file(
        "proc/" + pid + "/stat",
        pid + " (a (name) of) S 1 1 " + session + " 0".repeat(15) + " " + started + " 0 0");
  }

  void memory(long bytes, long background, long ratio, long backgroundRatio) throws IOException {
    file("proc/sys/vm/dirty_bytes", "" + bytes);
    file("proc/sys/vm/dirty_background_bytes", "" + background);
    file("proc/sys/vm/dirty_ratio", "" + ratio);
    file("proc/sys/vm/dirty_background_ratio", "" + backgroundRatio);
  }

  /** Of version 1, in the root group or one below it. */
  Path version1(String group) throws IOException {
    String folder = "sys/fs/cgroup/blkio/" + group;
    for (String kind : new String[] {"write_bps", "read_bps", "write_iops", "read_iops"}) {
      file(folder + "/blkio.throttle." + kind + "_device", "");
    }
    return root.resolve(folder).normalize();
  }

  /** A loop device with a file that is there. */
  void loop(String name, String number, Path file) throws IOException {
    file("sys/block/" + name + "/dev", number);
    file("sys/block/" + name + "/loop/backing_file", file.toString());
  }

  /** Writes its name and arguments into a log, then does {@code body}. */
  void program(String name, String body) throws IOException {
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path log = root.resolve("calls");
    String note = name.equals("setsid") ? "" : "echo \"" + name + " $*\" >> '" + log + "'\n";
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + note + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  String calls() throws IOException {
    return Files.exists(root.resolve("calls")) ? content("calls") : "";
  }
}
