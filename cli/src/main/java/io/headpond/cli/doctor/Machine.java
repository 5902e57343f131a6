// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machine's processor, memory, limits and persistent memory, read from {@code /proc} and {@code
 * /sys}. What a kernel doesn't tell is empty, and then nothing is said about it.
 */
final class Machine {
  /**
   * Kafka maps two index files for each segment; the kernel's default of 65,530 is soon used up.
   */
  static final long MAP_COUNT_ADVISED = 262_144;

  /** The limit that Kafka's own documentation asks for. */
  static final long OPEN_FILES_ADVISED = 100_000;

  private static final Pattern OPEN_FILES =
      Pattern.compile("Max open files\\s+(\\d+|unlimited)\\s+(\\d+|unlimited).*");
  private static final Pattern MEMORY = Pattern.compile("MemTotal:\\s+(\\d+) kB");

  private final Path root;

  /** {@code root} is {@code /}; a test gives a copy. */
  Machine(Path root) {
    this.root = root;
  }

  /**
   * Judges what every engine needs of the machine.
   *
   * @param ofBrokers what a broker needs besides is judged too
   */
  void diagnose(boolean ofBrokers, Diagnosis diagnosis) {
    processor(diagnosis);
    persistentMemory(diagnosis);
    numa(diagnosis);
    if (ofBrokers) {
      mapCount(diagnosis);
    }
    openFiles(diagnosis);
  }

  /** Instructions of this processor that write a cache line back, best first; empty if unknown. */
  List<String> writeBackInstructions() {
    Set<String> flags = new TreeSet<>();
    for (String line : lines("proc/cpuinfo")) {
      if (line.startsWith("flags") || line.startsWith("Features")) {
        flags.addAll(Arrays.asList(line.substring(line.indexOf(':') + 1).trim().split("\\s+")));
        break;
      }
    }
    List<String> found = new ArrayList<>();
    // x86 first, then the Arm name of "clean to the point of persistence".
    for (String instruction : List.of("clwb", "clflushopt", "clflush", "dcpop")) {
      if (flags.contains(instruction)) {
        found.add(instruction);
      }
    }
    return found;
  }

  private void processor(Diagnosis diagnosis) {
    List<String> found = writeBackInstructions();
    String subject = "processor";
    if (found.isEmpty()) {
      diagnosis.advice(
          subject,
          "shows no cache-line write-back instruction: persistent memory is made durable by msync",
          "nothing to do unless a tier is on persistent memory");
    } else if (found.get(0).equals("clflush")) {
      diagnosis.advice(
          subject,
          "has only clflush, which throws lines out of the cache: slower appends without libpmem",
          "use libpmem on Java 22 or newer (non-temporal stores)");
    } else {
      diagnosis.ok(subject, "writes cache lines back by " + found.get(0));
    }
  }

  /** Block devices of persistent memory, as {@code pmem0}. */
  List<String> persistentMemoryDevices() {
    List<String> found = new ArrayList<>();
    for (Path device : children("sys/block")) {
      String name = device.getFileName().toString();
      if (name.startsWith("pmem")) {
        found.add(name);
      }
    }
    return found;
  }

  private void persistentMemory(Diagnosis diagnosis) {
    List<String> devices = persistentMemoryDevices();
    if (devices.isEmpty()) {
      diagnosis.ok(
          "persistent memory", "none on this machine; a tier can be NVMe, or tmpfs for trying out");
    } else {
      diagnosis.ok("persistent memory", String.join(", ", devices));
    }
  }

  private void numa(Diagnosis diagnosis) {
    long nodes = numaNodes();
    if (nodes > 0) {
      diagnosis.ok("NUMA", Units.count(nodes, "node"));
    }
  }

  /** Nodes of this machine; 0 if the kernel doesn't tell. */
  long numaNodes() {
    return children("sys/devices/system/node").stream()
        .filter(path -> path.getFileName().toString().matches("node\\d+"))
        .count();
  }

  private void mapCount(Diagnosis diagnosis) {
    List<String> lines = lines("proc/sys/vm/max_map_count");
    if (lines.isEmpty()) {
      return;
    }
    long count = Long.parseLong(lines.get(0).trim());
    String finding = Units.count(count, "mapping") + " for each process (vm.max_map_count)";
    if (count < MAP_COUNT_ADVISED) {
      diagnosis.advice(
          "mappings",
          finding
              + ": Kafka uses two for each segment, Headpond one for each active segment, and"
              + " falls back to plain writes when there are no more",
          "sysctl -w vm.max_map_count="
              + MAP_COUNT_ADVISED
              + " && echo vm.max_map_count="
              + MAP_COUNT_ADVISED
              + " > /etc/sysctl.d/90-kafka.conf");
    } else {
      diagnosis.ok("mappings", finding);
    }
  }

  private void openFiles(Diagnosis diagnosis) {
    for (String line : lines("proc/self/limits")) {
      Matcher matcher = OPEN_FILES.matcher(line);
      if (!matcher.matches()) {
        continue;
      }
      boolean unlimited = matcher.group(1).equals("unlimited");
      long soft = unlimited ? Long.MAX_VALUE : Long.parseLong(matcher.group(1));
      if (soft >= OPEN_FILES_ADVISED) {
        diagnosis.ok(
            "open files", unlimited ? "no limit" : Units.count(soft, "file") + " for each process");
      } else {
        diagnosis.advice(
            "open files",
            "this shell's limit is " + Units.count(soft, "file") + "; an engine needs more",
            "in the engine's systemd unit: LimitNOFILE="
                + OPEN_FILES_ADVISED
                + " (or in its shell: ulimit -n "
                + OPEN_FILES_ADVISED
                + ")");
      }
      return;
    }
  }

  /** Memory of the machine in bytes. */
  OptionalLong memoryBytes() {
    for (String line : lines("proc/meminfo")) {
      Matcher matcher = MEMORY.matcher(line);
      if (matcher.matches()) {
        return OptionalLong.of(Long.parseLong(matcher.group(1)) * 1024);
      }
    }
    return OptionalLong.empty();
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException notThisKernel) {
      return List.of();
    }
  }

  private List<Path> children(String directory) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(root.resolve(directory))) {
      stream.forEach(found::add);
    } catch (IOException notThisKernel) {
      return List.of();
    }
    found.sort(null);
    return found;
  }
}
