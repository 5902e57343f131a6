// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** The kernel's limit of block devices for a control group's processes. */
interface Throttle {

  /** The beginning of this process's line in version 2's only hierarchy. */
  String VERSION_2 = "0::";

  /** The prefix of its key in a record. */
  String KEY = "cgroup";

  /**
   * The one of this machine; version 1 where it has the controller, which version 2 then hasn't.
   *
   * @param name of a group that version 2 makes
   */
  static Throttle of(SystemFiles system, String name) throws IOException {
    Path groups = system.controlGroups();
    Path writes = groups.resolve("blkio").resolve(ThrottleV1.WRITE_BYTES);
    if (Files.exists(writes)) {
      if (!Files.isWritable(writes)) {
        throw new IOException(
            writes
                + " can't be written, which --home-limit needs to; mount that controller read-write"
                + " (in a container: a privileged one), or leave --home-limit out");
      }
      return ThrottleV1.of(groups.resolve("blkio"), system.ownGroups());
    }
    if (Files.exists(groups.resolve("cgroup.controllers"))) {
      return ThrottleV2.of(groups, system.ownGroups(), name);
    }
    throw new IOException(
        groups
            + " has no controller of block devices, by which --home-limit limits them; mount"
            + " cgroup2 there, or cgroup with blkio, or leave --home-limit out");
  }

  /** The one of a record. */
  static Throttle of(Properties properties) {
    String version1 = properties.getProperty(KEY + ".v1");
    return version1 != null
        ? new ThrottleV1(Arrays.stream(version1.split(":")).map(Path::of).toList())
        : new ThrottleV2(
            Path.of(properties.getProperty(KEY + ".v2")),
            Path.of(properties.getProperty(KEY + ".v2.former")));
  }

  /** Puts itself into a record. */
  void put(Properties properties);

  /** Limits a device from now on, for this process and those that it starts. */
  void limit(String device, DiskLimit limit) throws IOException;

  /** Takes the limit of a device away. */
  void unlimit(String device) throws IOException;

  /** The processes that nobody but the limited run can have in the group; this one is none. */
  List<Long> members() throws IOException;

  /** Takes away what it has made beside the limit; nothing if that is done. */
  void remove() throws IOException;
}
