// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine that something was measured on.
 *
 * @param processor its name in /proc/cpuinfo; empty if the kernel doesn't tell
 * @param processors that this process may use
 * @param memoryBytes of the machine, or of the container
 * @param virtual whether a hypervisor is below
 * @param kernel name and release
 * @param architecture as Java calls it
 */
public record BenchMachine(
    String processor,
    int processors,
    long memoryBytes,
    boolean virtual,
    String kernel,
    String architecture) {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  /** The machine that this command runs on. */
  static BenchMachine here() throws IOException {
    return new BenchMachine(
        cpuInfo("model name"),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
        (" " + cpuInfo("flags") + " ").contains(" hypervisor "),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("os.arch"));
  }

  private static String cpuInfo(String key) throws IOException {
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith(key) && line.indexOf(':') > 0)
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    }
  }
}
