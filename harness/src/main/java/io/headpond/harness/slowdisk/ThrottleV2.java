// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * Control groups of version 2: {@code io.max} of a group of its own, directly below the root, which
 * this process joins, so that the engines that it starts are in it. The root itself has no limits.
 * Write-back counts for the group that wrote the pages if the group has the memory controller too.
 *
 * <p>Tested on a tree of plain files only: the machine that this was written on has version 1. The
 * measurement of a limited home refuses a limit that doesn't hold.
 *
 * @param group its own
 * @param former the one that this process was in before
 */
record ThrottleV2(Path group, Path former) implements Throttle {

  private static final String MEMBERS = "cgroup.procs";
  private static final String LIMITS = "io.max";

  /**
   * The group of a name.
   *
   * @param root the folder of all groups
   * @param own the lines of /proc/self/cgroup
   */
  static ThrottleV2 of(Path root, List<String> own, String name) throws IOException {
    Path enabled = root.resolve("cgroup.subtree_control");
    List<String> controllers = List.of(SystemFiles.text(enabled).split(" "));
    if (!controllers.containsAll(List.of("io", "memory"))) {
      throw new IOException(
          enabled
              + " has "
              + (controllers.equals(List.of("")) ? "no controller" : controllers)
              + ", and --home-limit needs io and memory; write '+io +memory' into it, or leave"
              + " --home-limit out");
    }
    String former =
        own.stream()
            .filter(line -> line.startsWith(VERSION_2))
            .findFirst()
            .orElse(VERSION_2 + "/")
            .substring(VERSION_2.length() + 1);
    return new ThrottleV2(root.resolve(name), root.resolve(former).normalize());
  }

  @Override
  public void put(Properties properties) {
    properties.setProperty(KEY + ".v2", group.toString());
    properties.setProperty(KEY + ".v2.former", former.toString());
  }

  @Override
  public void limit(String device, DiskLimit limit) throws IOException {
    Files.createDirectories(group);
    String bytes = limit.bytesPerSecond() == 0 ? "max" : "" + limit.bytesPerSecond();
    String operations = limit.operationsPerSecond() == 0 ? "max" : "" + limit.operationsPerSecond();
    limit(device, bytes, operations);
    move(group);
  }

  private void limit(String device, String bytes, String operations) throws IOException {
    SystemFiles.write(
        group.resolve(LIMITS),
        String.format(
            Locale.ROOT,
            "%s rbps=%s wbps=%s riops=%s wiops=%s",
            device,
            bytes,
            bytes,
            operations,
            operations));
  }

  private static void move(Path group) throws IOException {
    SystemFiles.write(group.resolve(MEMBERS), "" + ProcessHandle.current().pid());
  }

  @Override
  public void unlimit(String device) throws IOException {
    if (Files.exists(group)) {
      limit(device, "max", "max");
    }
  }

  @Override
  public List<Long> members() throws IOException {
    if (!Files.exists(group)) {
      return List.of();
    }
    long own = ProcessHandle.current().pid();
    return Files.readAllLines(group.resolve(MEMBERS)).stream()
        .map(Long::parseLong)
        .filter(pid -> pid != own)
        .toList();
  }

  @Override
  public void remove() throws IOException {
    if (!Files.exists(group)) {
      return;
    }
    long own = ProcessHandle.current().pid();
    if (Files.readAllLines(group.resolve(MEMBERS)).contains("" + own)) {
      move(former);
    }
    Files.delete(group);
  }

  @Override
  public String toString() {
    return "cgroup v2";
  }
}
