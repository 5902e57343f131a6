// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources that a process holds, as Linux tells it.
 *
 * @param memoryBytes resident memory of its own: heap, stacks, buffers, what libraries allocate;
 *     pages of files that it maps are the page cache's
 * @param descriptors open files and sockets
 * @param mappings of its address space
 */
record Footprint(long memoryBytes, long descriptors, long mappings) {
  private static final String RESIDENT = "RssAnon:";

  /** Of a running process. */
  static Footprint of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(process.resolve("status"));
    long kibibytes =
        status.stream()
            .filter(line -> line.startsWith(RESIDENT))
            .map(line -> line.substring(RESIDENT.length()).replace("kB", "").strip())
            .mapToLong(Long::parseLong)
            .findFirst()
            .orElseThrow(() -> new IOException("process " + pid + " has ended"));
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"));
        Stream<String> mappings = Files.lines(process.resolve("maps"))) {
      return new Footprint(kibibytes << 10, descriptors.count(), mappings.count());
    }
  }

  /** For people. */
  String text() {
    return String.format(
        "%s of its own memory, %d descriptors, %d mappings",
        Units.bytes(memoryBytes), descriptors, mappings);
  }

  /** The larger of each. */
  Footprint max(Footprint other) {
    return new Footprint(
        Math.max(memoryBytes, other.memoryBytes),
        Math.max(descriptors, other.descriptors),
        Math.max(mappings, other.mappings));
  }

  /** The same, and so many more descriptors and mappings. */
  Footprint plusFiles(long more) {
    return new Footprint(memoryBytes, descriptors + more, mappings + more);
  }

  /** True if nothing of it is above a limit. */
  boolean within(Footprint limit) {
    return memoryBytes <= limit.memoryBytes
        && descriptors <= limit.descriptors
        && mappings <= limit.mappings;
  }
}
