// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Control groups of version 1, controller {@code blkio}. Write-back from the page cache counts for
 * the root group, direct I/O for the process's own, so both get the limit; mostly they are the
 * same. A limit is one of a device and a group: that of other devices is never touched.
 *
 * @param groups folders of the groups
 */
record ThrottleV1(List<Path> groups) implements Throttle {

  static final String WRITE_BYTES = "blkio.throttle.write_bps_device";
  private static final String READ_BYTES = "blkio.throttle.read_bps_device";
  private static final String WRITE_OPERATIONS = "blkio.throttle.write_iops_device";
  private static final String READ_OPERATIONS = "blkio.throttle.read_iops_device";

  ThrottleV1 {
    groups = List.copyOf(groups);
  }

  /**
   * The groups that count.
   *
   * @param controller its folder, that of the root group
   * @param own the lines of /proc/self/cgroup
   */
  static ThrottleV1 of(Path controller, List<String> own) {
    return new ThrottleV1(
        Stream.concat(
                Stream.of(controller),
                own.stream()
                    .map(line -> line.split(":", 3))
                    .filter(line -> List.of(line[1].split(",")).contains("blkio"))
                    .map(line -> controller.resolve(line[2].substring(1)).normalize()))
            // In a container the path can be that outside of it.
            .filter(group -> Files.exists(group.resolve(WRITE_BYTES)))
            .distinct()
            .toList());
  }

  @Override
  public void put(Properties properties) {
    properties.setProperty(
        KEY + ".v1", String.join(":", groups.stream().map(Path::toString).toList()));
  }

  @Override
  public void limit(String device, DiskLimit limit) throws IOException {
    for (Path group : groups) {
      for (String file : List.of(WRITE_BYTES, READ_BYTES)) {
        SystemFiles.write(group.resolve(file), device + " " + limit.bytesPerSecond());
      }
      for (String file : List.of(WRITE_OPERATIONS, READ_OPERATIONS)) {
        SystemFiles.write(group.resolve(file), device + " " + limit.operationsPerSecond());
      }
    }
  }

  @Override
  public void unlimit(String device) throws IOException {
    for (Path group : groups) {
      if (Files.exists(group)) {
        for (String file : List.of(WRITE_BYTES, READ_BYTES, WRITE_OPERATIONS, READ_OPERATIONS)) {
          SystemFiles.write(group.resolve(file), device + " 0");
        }
      }
    }
  }

  @Override
  public List<Long> members() {
    return List.of();
  }

  @Override
  public void remove() {}

  @Override
  public String toString() {
    return "cgroup v1";
  }
}
