// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.lab.comparison.MachineLoad;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The work that kept the processors from the benchmark, as counted so far by the kernel.
 *
 * @param load of all processors
 * @param own processor time of this process and all that it started
 * @param stolenTicks taken by the hypervisor for others; of all processors
 * @param groupThrottled how long the control group was held back by its quota (version 2 only)
 * @param hotEvents how often processors were slowed because they were hot
 * @param nanos of {@link System#nanoTime}
 */
record Disturbance(
    MachineLoad load,
    Duration own,
    long stolenTicks,
    Duration groupThrottled,
    long hotEvents,
    long nanos) {

  /** The kernel's own threads and interrupts take about half of this. */
  private static final double OTHERS_MAX = 0.2;

  private static final double STOLEN_MAX = 0.05;
  private static final double THROTTLED_MAX = 0.01;
  private static final int STEAL = 8;
  private static final int OWN_FIRST = 11;
  private static final int OWN_LAST = 14;
  private static final long TICK_MS = 10;

  static Disturbance soFar() throws IOException {
    return new Disturbance(
        MachineLoad.soFar(),
        ownSoFar(),
        Long.parseLong(Files.readAllLines(Path.of("/proc/stat")).get(0).split("\\s+")[STEAL]),
        Duration.ofNanos(1_000 * groupThrottledMicros(Path.of("/sys/fs/cgroup/cpu.stat"))),
        hotEvents(Path.of("/sys/devices/system/cpu")),
        System.nanoTime());
  }

  /**
   * The labels that a reader of the figures needs; empty if none.
   *
   * @param othersShareMax of the processors, seen in a single turn
   */
  List<Label> labelsSince(Disturbance start, double othersShareMax) {
    long elapsed = nanos - start.nanos;
    int processors = Runtime.getRuntime().availableProcessors();
    List<Label> labels = new ArrayList<>();
    double others =
        Math.max(
            othersShareMax,
            load.othersShare(start.load, own.minus(start.own), elapsed, processors));
    if (others > OTHERS_MAX) {
      labels.add(Label.noisy(others));
    }
    double stolen = (stolenTicks - start.stolenTicks) * TICK_MS * 1e6 / elapsed / processors;
    add(labels, stolen, STOLEN_MAX, "the hypervisor gave %.1f %% of the processor time to others");
    double held = groupThrottled.minus(start.groupThrottled).toNanos() / (double) elapsed;
    add(
        labels,
        held,
        THROTTLED_MAX,
        "the control group's quota held it back for %.1f %% of the time");
    if (hotEvents > start.hotEvents) {
      labels.add(Label.throttled("processors were slowed because they were hot"));
    }
    return labels;
  }

  private static void add(List<Label> labels, double share, double max, String text) {
    if (share > max) {
      labels.add(Label.throttled(String.format(Locale.ROOT, text, 100 * share)));
    }
  }

  /** Processor time of this process and its children, ended (proc(5), stat) and alive. */
  private static Duration ownSoFar() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = 0;
    for (int i = OWN_FIRST; i <= OWN_LAST; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    Duration living =
        ProcessHandle.current()
            .descendants()
            .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
            .reduce(Duration.ZERO, Duration::plus);
    return living.plusMillis(ticks * TICK_MS);
  }

  private static long groupThrottledMicros(Path stat) throws IOException {
    if (!Files.isReadable(stat)) {
      return 0;
    }
    return Files.readAllLines(stat).stream()
        .filter(line -> line.startsWith("throttled_usec "))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  private static long hotEvents(Path processors) throws IOException {
    long events = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(processors, "cpu[0-9]*")) {
      for (Path processor : all) {
        Path count = processor.resolve("thermal_throttle/core_throttle_count");
        events += Files.isReadable(count) ? Long.parseLong(Files.readString(count).strip()) : 0;
      }
    }
    return events;
  }
}
