// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a process' memory is for, as its JVM counts it (<a
 * href="https://docs.oracle.com/en/java/javase/17/vm/native-memory-tracking.html">native memory
 * tracking</a>). What libraries allocate by themselves, such as RocksDB, isn't counted by the JVM:
 * it is the resident rest.
 *
 * @param partsBytes committed bytes by the JVM's own name for the part
 * @param residentBytes resident memory of the process' own: {@link Footprint#memoryBytes}
 */
record NativeMemory(Map<String, Long> partsBytes, long residentBytes) {
  /** The JVM's argument without which it counts nothing. */
  static final String FLAG = "-XX:NativeMemoryTracking=summary";

  /** Smallest growth that is reported. */
  private static final long TOLD_MIN = 1 << 20;

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Pattern PART =
      Pattern.compile("^- +(\\S.*?) \\(reserved=\\d+KB, committed=(\\d+)KB.*", Pattern.MULTILINE);

  /**
   * Of a running process that was started with {@link #FLAG}.
   *
   * @param java that it runs on
   * @return null where that has no {@code jcmd}, which only a JDK has
   */
  static NativeMemory of(long pid, JavaHome java) throws IOException, InterruptedException {
    Path jcmd = java.path().resolve("bin").resolve("jcmd");
    if (!Files.isExecutable(jcmd)) {
      return null;
    }
    ToolRun run =
        ToolRun.of(
            "jcmd",
            List.of(jcmd.toString(), Long.toString(pid), "VM.native_memory", "summary", "scale=KB"),
            Path.of(System.getProperty("java.io.tmpdir")),
            LIMIT);
    Map<String, Long> parts = parts(run.output());
    if (run.exitCode() != 0 || parts.isEmpty()) {
      throw new IOException("jcmd told no native memory of process " + pid + ": " + run.output());
    }
    return new NativeMemory(parts, Footprint.of(pid).memoryBytes());
  }

  /** The parts in what {@code VM.native_memory summary scale=KB} prints. */
  static Map<String, Long> parts(String printed) {
    Map<String, Long> parts = new TreeMap<>();
    Matcher line = PART.matcher(printed);
    while (line.find()) {
      parts.put(line.group(1), Long.parseLong(line.group(2)) << 10);
    }
    return parts;
  }

  /** Growth and shrinkage since then, in words, the largest growth first. */
  String since(NativeMemory before) {
    Map<String, Long> grown = new TreeMap<>();
    partsBytes.forEach(
        (part, bytes) -> grown.put(part, bytes - before.partsBytes.getOrDefault(part, 0L)));
    before.partsBytes.forEach((part, bytes) -> grown.putIfAbsent(part, -bytes));
    long all = residentBytes - before.residentBytes;
    grown.put(
        "not committed by the JVM, or not touched yet",
        all - grown.values().stream().mapToLong(Long::longValue).sum());
    String parts =
        grown.entrySet().stream()
            .filter(part -> Math.abs(part.getValue()) >= TOLD_MIN)
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(part -> signed(part.getValue()) + " " + part.getKey())
            .collect(Collectors.joining(", "));
    return signed(all) + " resident" + (parts.isEmpty() ? "" : " (" + parts + ")");
  }

  private static String signed(long bytes) {
    return (bytes < 0 ? "-" : "+") + Units.bytes(Math.abs(bytes));
  }
}
